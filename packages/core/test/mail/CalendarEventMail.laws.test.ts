import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { MailerError, type Message } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Seeded from "@frontdesk/testing/Seeded"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

const wait = Effect.andThen(TestClock.adjust("10 minutes"), drain)

const unsent = new MailerError({ reason: "transport", isUnsent: true, cause: "connection refused" })

const shown = ({ event }: Message) => ({
  title: event.title,
  location: event.location,
  startTime: event.startTime,
  endTime: event.endTime
})

const changes: ReadonlyArray<object> = [
  { title: "One" },
  { title: "Two" },
  { location: "Room 1" },
  { location: null },
  hour("11:00"),
  hour("12:00"),
  { customerEmail: "jo@example.com" },
  { customerEmail: "ann@example.com" },
  { customerEmail: "bob@example.com" },
  { customerNotes: "private" }
]

/** Replays the mails as their recipients see them, and compares each with what its recipient saw before. */
const check = (mails: ReadonlyArray<Message>): ReadonlyMap<string, Message> => {
  const invited = new Map<string, Message>()
  const sequences = new Map<string, number>()
  for (const mail of mails) {
    const { email } = mail.event.customer
    // A calendar program ignores an older revision than its own (RFC 5546 2.1.4).
    if (mail.event.sequence < (sequences.get(email) ?? 0)) continue
    sequences.set(email, mail.event.sequence)
    const last = invited.get(email)
    if (mail.kind === "withdrawn") {
      expect(last && shown(last)).toEqual(shown(mail))
      invited.delete(email)
      continue
    }
    if (mail.kind === "updated") {
      const before = last === undefined ? undefined : { ...shown(last), ...mail.previous }
      expect(before).toEqual(last && shown(last))
      expect({ ...shown(mail), ...mail.previous }).toEqual(last && shown(last))
      expect(mail.previous).not.toEqual({})
    }
    invited.set(email, mail)
  }
  return invited
}

describe("laws of CalendarEventMail: the mails of a calendar event that changes at any time", () => {
  it.effect.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "seed %i: each mail shows what its recipient does not know yet, and only the present address stays invited",
    (seed) =>
      Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        const events = yield* CalendarEvents
        const draw = Seeded.numbers(Seeded.seedOf(seed, "told"))
        const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com" })
        for (let step = 0; step < 25; step++) {
          const body = changes[Math.floor(draw() * changes.length)] ?? {}
          const isSilent = draw() < 0.2 && !("customerEmail" in body)
          yield* events.patch({ id }, { ...body, sendNotifications: !isSilent })
          fakes.onMail = draw() < 0.3 ? Effect.fail(unsent) : Effect.void
          if (draw() < 0.6) yield* drain
          if (draw() < 0.1) yield* TestClock.adjust("20 seconds")
        }
        fakes.onMail = Effect.void
        yield* drain
        // Twice, in case a mail waits for the retry of the one before it.
        yield* wait
        yield* wait
        const { customer } = yield* events.get({ id })
        expect([...check(fakes.mails).keys()]).toEqual([customer.email])
      }).pipe(inAccount())
  )
})
