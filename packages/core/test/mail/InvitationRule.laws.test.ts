import { describe, expect, it } from "@effect/vitest"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { isAhead } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import type { PatchCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { MailerError, type Message } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Seeded from "@frontdesk/testing/Seeded"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

const unsent = new MailerError({ reason: "transport", isUnsent: true, cause: "connection refused" })

const noAnswer = new MailerError({ reason: "transport", cause: "no answer" })

const changes: ReadonlyArray<PatchCalendarEvent | "cancel"> = [
  { title: "One" },
  { title: "Two" },
  { location: "Room 1" },
  hour("11:00"),
  { customerNotes: "private" },
  { customerEmail: "jo@example.com" },
  { customerEmail: "JO@example.com" },
  { customerEmail: "ann@example.com" },
  { customerEmail: "" },
  // Twice, so that more events are ahead.
  { status: "scheduled" },
  { status: "scheduled" },
  { status: "confirmed" },
  { status: "cancelled" },
  { status: "completed" },
  { status: "no_show" },
  { customerEmail: "", status: "cancelled" },
  { customerEmail: "ann@example.com", status: "cancelled" },
  { customerEmail: "jo@example.com", status: "scheduled", title: "Three" },
  "cancel"
]

const shown = ({ location, startTime, status, title }: CalendarEvent) => ({ location, startTime, status, title })

/** Returns the event in the calendar of each address after all mails, or null after a cancellation. */
const calendars = (mails: ReadonlyArray<Message>) => {
  const last = new Map<string, Message>()
  for (const mail of mails) {
    const email = mail.event.customer.email.toLowerCase()
    // A calendar program ignores an older revision than its own (RFC 5546 2.1.4).
    if (mail.event.sequence >= (last.get(email)?.event.sequence ?? 0)) last.set(email, mail)
  }
  return [...last].map(([email, { event, kind }]) => ({
    email,
    shown: kind === "withdrawn" || kind === "cancelled" ? null : shown(event)
  }))
}

describe("laws of InvitationRule: the calendars of all invited addresses", () => {
  it.effect.each(Array.from({ length: 150 }, (_, seed) => seed))(
    "seed %i: the calendar of the present address shows an event that is ahead as it is, and no other calendar has it",
    (seed) =>
      Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        const events = yield* CalendarEvents
        const draw = Seeded.numbers(Seeded.seedOf(seed, "invitations"))
        const sendNotifications = draw() < 0.8
        const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com", sendNotifications })
        for (let step = 0; step < 10; step++) {
          const change = changes[Math.floor(draw() * changes.length)] ?? "cancel"
          yield* change === "cancel" ? events.cancel({ id }, {}) : events.patch({ id }, change)
          const fault = draw()
          fakes.onMail = fault < 0.2 ? Effect.fail(unsent) : fault < 0.35 ? Effect.fail(noAnswer) : Effect.void
          fakes.onSent = fault > 0.85 ? Effect.fail(noAnswer) : Effect.void
          if (draw() < 0.6) yield* drain
          if (draw() < 0.2) yield* TestClock.adjust("20 seconds")
        }
        fakes.onMail = Effect.void
        fakes.onSent = Effect.void
        // Several times, in case a mail waits for the retry of the one before it.
        for (let wait = 0; wait < 3; wait++) yield* Effect.andThen(drain, TestClock.adjust("10 minutes"))
        const event = yield* events.get({ id })
        for (const { email, shown: seen } of calendars(fakes.mails)) {
          const isPresent = email === event.customer.email.toLowerCase()
          // Completion is not mailed, so the address keeps the event that it has.
          if (isPresent && isAhead(event.status)) expect(seen).toEqual(shown(event))
          else if (!isPresent || event.status === "cancelled") expect(seen).toBeNull()
        }
      }).pipe(inAccount())
  )
})
