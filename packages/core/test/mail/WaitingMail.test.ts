import { describe, expect, it } from "@effect/vitest"
import type { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** Returns kind, status, title and sequence of the mails that were sent since it last ran. */
const mails = Effect.map(FakeAdapters, (fakes) =>
  fakes.mails.splice(0).map(({ event, kind }) => `${kind} ${event.status} ${event.title} ${event.sequence}`)
)

/** Lets the worker send what is due while the mail server postpones every mail. After that the server accepts mails. */
const greylist = Effect.gen(function* () {
  const fakes = yield* FakeAdapters
  fakes.onMail = Effect.fail(new MailerError({ reason: "transport", cause: "451 greylisted" }))
  yield* drain
  fakes.onMail = Effect.void
})

const wait = Effect.andThen(TestClock.adjust("1 minute"), drain)

const make = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com" })
  return { events, id }
})

describe("WaitingMail: mails that the mail server has postponed", () => {
  it.effect("do not invite the customer after the cancel of the event (D-MAIL-3)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* greylist
      yield* events.cancel({ id }, {})
      yield* drain
      yield* wait
      expect(yield* mails).toEqual(["cancelled cancelled Demo 1"])
    }).pipe(inAccount())
  )

  it.effect("show the event as it is when they are sent (D-MAIL-3)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* greylist
      yield* events.patch({ id }, { title: "Second" })
      yield* greylist
      yield* TestClock.adjust("5 seconds")
      yield* events.patch({ id }, { title: "Third", startTime: "2026-06-01T10:30" })
      yield* drain
      yield* wait
      expect(yield* mails).toEqual(["updated scheduled Third 1"])
    }).pipe(inAccount())
  )

  it.effect("do not cancel an event that was reinstated (D-MAIL-3)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* events.cancel({ id }, {})
      yield* greylist
      yield* events.patch({ id }, { status: "confirmed" })
      yield* drain
      yield* wait
      expect(yield* mails).toEqual(["created scheduled Demo 0", "updated confirmed Demo 2"])
    }).pipe(inAccount())
  )

  it.effect("are dropped when the event has lost its address", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* greylist
      yield* events.put({ id }, { ...hour(), sendNotifications: false })
      yield* wait
      expect(yield* mails).toEqual([])
    }).pipe(inAccount())
  )
})

describe("WaitingMail: mails of an event whose address changes before they are sent", () => {
  const recipients = Effect.map(FakeAdapters, (fakes) =>
    fakes.mails.splice(0).map(({ event, kind }) => `${kind} ${event.customer.email}`)
  )

  const readdress = (body: object) =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* greylist
      yield* events.patch({ id }, { customerEmail: "ann@example.com", ...body })
      return { events, id }
    })

  it.effect("are not sent to a new address that a change without mail has set", () =>
    Effect.gen(function* () {
      yield* readdress({ sendNotifications: false })
      yield* wait
      expect(yield* recipients).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("invite the new address once and withdraw the invitation of the old one (D-MAIL-11, D-NOTIFY-10)", () =>
    Effect.gen(function* () {
      yield* readdress({})
      yield* wait
      expect(yield* recipients).toEqual(["withdrawn jo@example.com", "created ann@example.com"])
    }).pipe(inAccount())
  )

  it.effect("go only to the address that the event had after their change (D-MAIL-10)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* events.patch({ id }, { title: "Second" })
      yield* greylist
      yield* events.patch({ id }, { customerEmail: "ann@example.com", sendNotifications: false })
      yield* wait
      yield* events.cancel({ id }, {})
      yield* greylist
      yield* events.patch({ id }, { customerEmail: "bob@example.com", sendNotifications: false })
      yield* wait
      expect(yield* recipients).toEqual(["created jo@example.com"])
    }).pipe(inAccount())
  )

  it.effect("take an international domain and its ASCII form for the same address (D-CAL-19)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* events.patch({ id }, { customerEmail: "jo@münchen.de" })
      yield* drain
      yield* recipients
      yield* events.patch({ id }, { customerEmail: "jo@xn--mnchen-3ya.de" })
      yield* drain
      expect(yield* recipients).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("take upper and lower case for the same address", () =>
    Effect.gen(function* () {
      yield* readdress({ customerEmail: "Jo@Example.com", sendNotifications: false })
      yield* wait
      expect(yield* recipients).toEqual(["created Jo@Example.com"])
    }).pipe(inAccount())
  )
})

describe("WaitingMail: the mail of several changes", () => {
  const changes = Effect.map(FakeAdapters, (fakes) =>
    fakes.mails.splice(0).map(({ kind, previous }) => [kind, previous] as const)
  )

  it.effect("has all waiting changes, without those that were reversed meanwhile (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* changes
      yield* events.patch({ id }, { title: "Second" })
      yield* events.patch({ id }, { location: "Room 1", title: "Third" })
      yield* drain
      expect(yield* changes).toEqual([["updated", { title: "Demo", location: null }]])
      yield* events.patch({ id }, { location: "Room 2" })
      yield* events.patch({ id }, { location: "Room 1", description: "New" })
      yield* drain
      expect(yield* changes).toEqual([["updated", { description: "" }]])
    }).pipe(inAccount())
  )
})

describe("WaitingMail: mails of an event that has ended before they are sent", () => {
  it.effect("are dropped when they are invitations or report changes", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* events.patch({ id }, { title: "Second" })
      yield* greylist
      yield* TestClock.setTime(Date.UTC(2030, 0))
      yield* drain
      expect(yield* mails).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("are dropped when they are invitations to a completed event", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* greylist
      yield* events.patch({ id }, { status: "completed", sendNotifications: false })
      yield* wait
      expect(yield* mails).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("are planned for a cancel after the end, and not for other changes after it (D-NOTIFY-3)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* TestClock.setTime(Date.UTC(2030, 0))
      yield* events.patch({ id }, { status: "completed" })
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      expect(yield* mails).toEqual(["created scheduled Demo 0"])
      yield* events.cancel({ id }, {})
      yield* greylist
      yield* wait
      expect(yield* mails).toEqual(["cancelled cancelled Second 2"])
      yield* events.patch({ id }, { status: "scheduled" })
      yield* drain
      expect(yield* mails).toEqual([])
    }).pipe(inAccount())
  )
})

describe("WaitingMail: a reminder that the mail server has postponed", () => {
  /** Returns the mails after the mail server has postponed a reminder and something has happened `meanwhile`. */
  const remind = (meanwhile: (id: CalendarEventId) => Effect.Effect<unknown, unknown, CalendarEvents | Principal>) =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* mails
      const { remindBeforeMinutes, startTime } = yield* events.patch(
        { id },
        { isReminderEnabled: true, remindBeforeMinutes: 10, sendNotifications: false }
      )
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.subtract(startTime, { minutes: remindBeforeMinutes })))
      yield* Effect.flatMap(ReminderWorker, (reminders) => reminders.runOnce)
      yield* greylist
      yield* meanwhile(id)
      yield* wait
      return yield* mails
    }).pipe(inAccount())

  it.effect("is sent while the event has reminders turned on", () =>
    Effect.gen(function* () {
      expect(yield* remind(() => Effect.void)).toEqual(["reminder scheduled Demo 0"])
    })
  )

  it.effect("is sent after the former end when the event was made longer", () =>
    Effect.gen(function* () {
      const extend = (id: CalendarEventId) =>
        Effect.andThen(
          Effect.flatMap(CalendarEvents, (events) =>
            events.patch({ id }, { endTime: "2026-06-01T23:00", sendNotifications: false })
          ),
          TestClock.adjust("3 hours")
        )
      expect(yield* remind(extend)).toEqual(["reminder scheduled Demo 1"])
    })
  )

  it.effect("is dropped when the event has ended", () =>
    Effect.gen(function* () {
      expect(yield* remind(() => TestClock.adjust("3 hours"))).toEqual([])
    })
  )

  it.effect("goes to the address that the event has when it is sent (D-MAIL-4)", () =>
    Effect.gen(function* () {
      expect(yield* remind(change({ customerEmail: "ann@example.com", title: "Ann's" }))).toEqual([
        "reminder scheduled Ann's 1"
      ])
    })
  )

  const change = (body: object) => (id: CalendarEventId) =>
    Effect.flatMap(CalendarEvents, (events) => events.patch({ id }, { ...body, sendNotifications: false }))

  it.effect.each<[string, object]>([
    ["has a later reminder time", { remindBeforeMinutes: 1 }],
    ["has an earlier reminder time", { remindBeforeMinutes: 60 }]
  ])("is sent when the event %s meanwhile, because each start has only one reminder", ([, body]) =>
    Effect.gen(function* () {
      expect(yield* remind(change(body))).toEqual(["reminder scheduled Demo 0"])
    })
  )

  it.effect("is sent when the event was moved and moved back", () =>
    Effect.gen(function* () {
      const back = { startTime: "2026-06-01T10:00", endTime: "2026-06-01T11:00" }
      const moves = (id: CalendarEventId) =>
        Effect.andThen(change({ startTime: "2026-06-01T12:00", endTime: "2026-06-01T13:00" })(id), change(back)(id))
      expect(yield* remind(moves)).toEqual(["reminder scheduled Demo 2"])
    })
  )

  it.effect.each([
    ["was cancelled", { status: "cancelled" }],
    ["was moved", { startTime: "2026-06-01T12:00", endTime: "2026-06-01T13:00" }],
    ["has reminders turned off", { isReminderEnabled: false }]
  ] as const)("is dropped when the event %s", ([, body]) =>
    Effect.gen(function* () {
      expect((yield* remind(change(body))).filter((mail) => mail.startsWith("reminder"))).toEqual([])
    })
  )
})
