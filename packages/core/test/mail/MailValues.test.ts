import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

const wait = Effect.andThen(TestClock.adjust("1 minute"), drain)

const unsent = new MailerError({ reason: "transport", isUnsent: true, cause: "connection refused" })

/** An event whose invitation waits. */
const make = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com" })
  return { events, id }
})

/** An event whose customer has the invitation. */
const invited = Effect.tap(make, () => Effect.andThen(drain, sent))

const sent = Effect.map(FakeAdapters, (outside) => outside.mails.splice(0))

/** Kind, present title and replaced values of the mails sent since the last look. */
const told = Effect.map(sent, (mails) => mails.map(({ event, kind, previous }) => [kind, event.title, previous]))

describe("a mail of a change compares with what the customer was shown last", () => {
  it.effect("a change before the invitation is sent causes no mail of its own", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      expect(yield* told).toEqual([["created", "Second", {}]])
    }).pipe(inAccount())
  )

  it.effect("several changes that wait are one mail that names all of them (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", location: "Room 1" })
      yield* events.patch({ id }, { title: "Third" })
      yield* events.patch({ id }, { status: "confirmed" })
      yield* drain
      expect(yield* told).toEqual([["updated", "Third", { title: "Demo", location: null, status: "scheduled" }]])
    }).pipe(inAccount())
  )

  it.effect("changes and an invitation that wait for the mail server are one mail", () =>
    Effect.gen(function* () {
      const outside = yield* FakeAdapters
      const { events, id } = yield* make
      outside.onMail = Effect.fail(unsent)
      yield* drain
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      yield* events.patch({ id }, { title: "Third" })
      outside.onMail = Effect.void
      yield* drain
      yield* wait
      yield* wait
      expect(yield* told).toEqual([["created", "Third", {}]])
    }).pipe(inAccount())
  )

  it.effect("a change that was made without mail is named by the next mail (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", sendNotifications: false })
      yield* drain
      expect(yield* told).toEqual([])
      yield* events.patch({ id }, { location: "Room 1" })
      yield* drain
      expect(yield* told).toEqual([["updated", "Second", { title: "Demo", location: null }]])
    }).pipe(inAccount())
  )

  it.effect("a change that takes back one that was made without mail causes no mail", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", sendNotifications: false })
      yield* events.patch({ id }, { title: "Demo" })
      yield* drain
      expect(yield* told).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("a change while a mail is under way is told by the next mail", () =>
    Effect.gen(function* () {
      const outside = yield* FakeAdapters
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second" })
      const principal = yield* Principal
      const changes = [events.patch({ id }, { title: "Demo" }).pipe(Effect.provideService(Principal, principal))]
      outside.onMail = Effect.suspend(() => changes.shift() ?? Effect.void).pipe(Effect.orDie, Effect.asVoid)
      yield* drain
      yield* wait
      expect(yield* told).toEqual([
        ["updated", "Second", { title: "Demo" }],
        ["updated", "Demo", { title: "Second" }]
      ])
    }).pipe(inAccount())
  )
})

describe("the cancellation for an address that an event loses", () => {
  it.effect.each<[string, object]>([
    ["made without mail", { sendNotifications: false }],
    ["whose mail still waits", {}]
  ])("shows nothing of a change %s", ([, flags]) =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      const later = hour("14:00")
      yield* events.patch({ id }, { ...later, title: "Ann and her lawyer", location: "Court", ...flags })
      yield* events.patch({ id }, { customerEmail: "ann@example.com" })
      yield* drain
      const mail = (yield* sent).find(({ kind }) => kind === "withdrawn")
      expect(mail?.event.customer.email).toBe("jo@example.com")
      expect(mail?.event.title).toBe("Demo")
      expect(mail?.event.location).toBeNull()
      expect(JSON.stringify(mail?.event.startTime)).toBe('"2026-06-01T10:00:00.000Z"')
    }).pipe(inAccount())
  )

  it.effect("is sent to an address that has its invitation, had been taken away, and came back in between", () =>
    Effect.gen(function* () {
      const outside = yield* FakeAdapters
      const { events, id } = yield* invited
      outside.onMail = Effect.fail(unsent)
      yield* events.patch({ id }, { customerEmail: "ann@example.com" })
      yield* events.patch({ id }, { customerEmail: "jo@example.com" })
      yield* drain
      yield* events.patch({ id }, { customerEmail: "bob@example.com" })
      outside.onMail = Effect.void
      yield* drain
      yield* wait
      yield* wait
      expect((yield* sent).map(({ event, kind }) => `${kind} ${event.customer.email}`)).toEqual([
        "withdrawn jo@example.com",
        "created bob@example.com"
      ])
    }).pipe(inAccount())
  )
})
