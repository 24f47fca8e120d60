import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { identityOf, MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

const wait = Effect.andThen(TestClock.adjust("1 minute"), drain)

const make = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com" })
  return { events, id }
})

describe("InvitationRule: the invitation of an address", () => {
  const recipients = Effect.map(FakeAdapters, (fakes) =>
    fakes.mails.splice(0).map(({ event, kind }) => `${kind} ${event.customer.email}`)
  )

  const unsent = new MailerError({ reason: "transport", isUnsent: true, cause: "451 greylisted" })

  /** Creates an event and then gives it another address. Returns the mails of both. */
  const correct = (body: object) =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* events.create({ ...hour(), customerEmail: "typo@example.com", ...body })
      yield* drain
      yield* events.patch({ id }, { customerEmail: "right@example.com" })
      yield* drain
      return yield* recipients
    }).pipe(inAccount())

  it.effect.each<[string, object, ReadonlyArray<string>]>([
    ["without notifications", { sendNotifications: false }, ["created right@example.com"]],
    ["completed", { status: "completed" }, []],
    ["in the past", { startTime: "1969-06-01T10:00", endTime: "1969-06-01T11:00" }, []]
  ])("is not withdrawn from the first address of an event that was created %s", ([, body, expected]) =>
    Effect.gen(function* () {
      expect(yield* correct(body)).toEqual(expected)
    })
  )

  it.effect("is not sent when the event loses the address before the mail is sent", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      const { id } = yield* events.create({ ...hour(), customerEmail: "typo@example.com" })
      const { id: other } = yield* events.create({ ...hour("14:00"), customerEmail: "typo@example.com" })
      yield* events.patch({ id }, { customerEmail: "right@example.com" })
      fakes.onMail = Effect.fail(unsent)
      yield* drain
      yield* events.patch({ id: other }, { customerEmail: "right@example.com" })
      fakes.onMail = Effect.void
      yield* drain
      yield* wait
      expect(yield* recipients).toEqual(["created right@example.com", "created right@example.com"])
    }).pipe(inAccount())
  )

  it.effect("is withdrawn also when it may have arrived although sending it failed", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      fakes.onSent = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onSent = Effect.void
      yield* recipients
      yield* events.patch({ id }, { customerEmail: "ann@example.com" })
      yield* drain
      yield* wait
      expect(yield* recipients).toEqual(["withdrawn jo@example.com", "created ann@example.com"])
    }).pipe(inAccount())
  )

  it.effect("is sent by a later change when the first invitation was dropped", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* events.patch({ id }, { status: "completed" })
      yield* drain
      expect(yield* recipients).toEqual([])
      yield* events.patch({ id }, { status: "scheduled" })
      yield* drain
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      expect(yield* recipients).toEqual(["created jo@example.com", "updated jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect("is followed by the mail of a change that a completion dropped, when the completion is reversed", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* recipients
      yield* events.patch({ id }, { title: "Second" })
      yield* events.patch({ id }, { status: "completed" })
      yield* drain
      yield* events.patch({ id }, { status: "scheduled" })
      yield* drain
      const fakes = yield* FakeAdapters
      expect(fakes.mails.map(({ kind, previous }) => [kind, previous])).toEqual([["updated", { title: "Demo" }]])
    }).pipe(inAccount())
  )

  it.effect("is cancelled for an address that a cancelled event has again before the withdrawal was sent", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* recipients
      yield* events.patch({ id }, { customerEmail: "", status: "cancelled" })
      yield* events.patch({ id }, { customerEmail: "jo@example.com" })
      yield* drain
      expect(yield* recipients).toEqual(["withdrawn jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect("stays valid for an address that the event has again, without mail, before the withdrawal was sent", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* recipients
      yield* events.patch({ id }, { customerEmail: "" })
      yield* events.patch({ id }, { customerEmail: "jo@example.com", sendNotifications: false })
      yield* drain
      expect(yield* recipients).toEqual([])
      yield* events.patch({ id }, { customerEmail: "" })
      yield* drain
      expect(yield* recipients).toEqual(["withdrawn jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect(
    "that a change has sent for an event created without mail is followed by a mail of the cancel (D-NOTIFY-8)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const body = { ...hour(), customerEmail: "jo@example.com", sendNotifications: false }
        const { id } = yield* events.create(body)
        yield* events.patch({ id }, { title: "Second" })
        yield* drain
        yield* events.cancel({ id }, {})
        yield* drain
        expect(yield* recipients).toEqual(["created jo@example.com", "cancelled jo@example.com"])
        // Neither is mailed when the cancel comes before the invitation is sent.
        const { id: other } = yield* events.create(body)
        yield* events.patch({ id: other }, { title: "Second" })
        yield* events.cancel({ id: other }, {})
        yield* drain
        expect(yield* recipients).toEqual([])
      }).pipe(inAccount())
  )

  it.effect("is followed by a mail of a reversed change when the mail of that change may have arrived (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      yield* drain
      yield* recipients
      yield* events.patch({ id }, hour("14:00"))
      fakes.onSent = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onSent = Effect.void
      yield* events.patch({ id }, hour("10:00"))
      yield* drain
      yield* wait
      const times = fakes.mails.map(({ event }) => JSON.stringify(event.startTime).slice(12, 17))
      expect(times).toEqual(["14:00", "10:00"])
      expect((yield* events.get({ id })).invitation).toMatchObject({ isAccepted: true, told: {} })
    }).pipe(inAccount())
  )

  it.effect("is withdrawn when the event loses the address after a cancellation that may not have arrived", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      yield* drain
      yield* recipients
      yield* events.cancel({ id }, {})
      fakes.onMail = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onMail = Effect.void
      yield* events.patch({ id }, { customerEmail: "" })
      yield* wait
      expect(yield* recipients).toEqual(["withdrawn jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect("that may not have arrived, and that a completion dropped, is sent when the completion is reversed", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      fakes.onMail = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onMail = Effect.void
      yield* events.patch({ id }, { status: "completed" })
      yield* wait
      expect(yield* recipients).toEqual([])
      yield* events.patch({ id }, { status: "scheduled" })
      yield* drain
      expect(yield* recipients).toEqual(["created jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect("leaves updatedAt as it is and causes no further write to external calendars when it is sent", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      const { events, id } = yield* make
      const { updatedAt } = yield* events.get({ id })
      yield* TestClock.adjust("1 second")
      yield* drain
      expect((yield* events.get({ id })).updatedAt).toEqual(updatedAt)
      expect(fakes.written).toHaveLength(1)
    }).pipe(inAccount())
  )
})

describe("InvitationRule: the status in the mails of an event", () => {
  const mailed = Effect.map(FakeAdapters, (fakes) =>
    fakes.mails.splice(0).map(({ kind, previous }) => [kind, previous.status] as const)
  )

  it.effect("is not mailed when it becomes completed or no_show, and not when that is reversed", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* events.patch({ id }, { status: "confirmed" })
      yield* drain
      yield* mailed
      for (const status of ["no_show", "confirmed", "completed", "confirmed"] as const) {
        yield* events.patch({ id }, { status })
        yield* drain
      }
      expect(yield* mailed).toEqual([])
      yield* events.patch({ id }, { status: "no_show" })
      yield* events.patch({ id }, { status: "scheduled" })
      yield* drain
      expect(yield* mailed).toEqual([["updated", "confirmed"]])
    }).pipe(inAccount())
  )

  it.effect("is mailed once when the mails of two changes wait", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* mailed
      yield* events.patch({ id }, { status: "confirmed" })
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      expect(yield* mailed).toEqual([["updated", "scheduled"]])
    }).pipe(inAccount())
  )

  it.effect("does not change when a mail is repeated, which has the identity of the first one", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      yield* drain
      fakes.mails.splice(0)
      yield* events.patch({ id }, { status: "confirmed" })
      fakes.onSent = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onSent = Effect.void
      yield* wait
      const sent = fakes.mails.map(identityOf)
      expect(sent).toHaveLength(2)
      expect(new Set(sent).size).toBe(1)
    }).pipe(inAccount())
  )
})
