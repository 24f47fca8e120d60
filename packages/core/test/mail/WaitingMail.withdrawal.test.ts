import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { identityOf, MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

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

describe("WaitingMail: the cancellation for an address that an event has lost", () => {
  const sent = Effect.map(FakeAdapters, (fakes) => fakes.mails.splice(0))

  it.effect("shows the event that the address was invited to, and nothing of the present customer (D-MAIL-12)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* sent
      const later = { title: "Ann's", description: "Secret", startTime: "2026-06-01T10:30", location: "Ann's home" }
      yield* events.patch({ id }, { customerEmail: "ann@example.com", customerName: "Ann", ...later })
      yield* events.patch({ id }, { title: "Ann's second", videoConferenceUrl: "https://meet.example.com/ann" })
      yield* drain
      const [withdrawn, created] = yield* sent
      expect(withdrawn).toMatchObject({
        kind: "withdrawn",
        event: {
          title: "Demo",
          description: "",
          location: null,
          videoConferenceUrl: "",
          startTime: DateTime.makeUnsafe("2026-06-01T10:00:00Z"),
          customer: { name: "", email: "jo@example.com", phone: "", notes: "" },
          // Higher than the sequence of the invitation, which was 0.
          sequence: 1
        }
      })
      expect(created).toMatchObject({ kind: "created", event: { title: "Ann's second", sequence: 2 } })
    }).pipe(inAccount())
  )

  it.effect("is the same message when it is repeated after a change of the event", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      yield* drain
      yield* sent
      yield* events.put({ id }, { ...hour() })
      // The server accepts the mail and its answer is lost, so that the server gets the mail again.
      fakes.onSent = Effect.fail(new MailerError({ reason: "transport", cause: "no answer" }))
      yield* drain
      fakes.onSent = Effect.void
      yield* events.patch({ id }, { title: "Second", startTime: "2026-06-01T10:30", status: "confirmed" })
      yield* wait
      const [first, second, ...others] = yield* sent
      expect(others).toEqual([])
      expect(first).toMatchObject({ kind: "withdrawn", event: { customer: { email: "jo@example.com" } } })
      expect([first, second].map((mail) => mail && identityOf(mail))).toEqual(
        Array.from({ length: 2 }, () => first && identityOf(first))
      )
      const shown = (mail: typeof first) => mail && [mail.event.title, mail.event.startTime, mail.event.sequence]
      expect(shown(second)).toEqual(shown(first))
    }).pipe(inAccount())
  )

  it.effect("is dropped when the event has the address again, and when the event would have ended (D-MAIL-12)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* sent
      yield* events.patch({ id }, { customerEmail: "ann@example.com" })
      yield* greylist
      yield* events.patch({ id }, { customerEmail: "Jo@example.com" })
      yield* drain
      yield* wait
      expect((yield* sent).map(({ event, kind }) => `${kind} ${event.customer.email}`)).toEqual([
        "withdrawn ann@example.com",
        "created Jo@example.com"
      ])
      yield* events.put({ id }, { ...hour() })
      yield* greylist
      yield* TestClock.setTime(Date.UTC(2030, 0))
      yield* drain
      expect(yield* sent).toEqual([])
    }).pipe(inAccount())
  )

  it.effect.each<[string, object]>([
    ["that was made without mail", { sendNotifications: false }],
    ["whose mail was not sent yet", {}]
  ])("shows nothing of a change %s", ([, flags]) =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* drain
      yield* sent
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

  it.effect("is sent to an invited address that the event lost, got back and lost again", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      yield* drain
      yield* sent
      fakes.onMail = Effect.fail(new MailerError({ reason: "transport", isUnsent: true, cause: "connection refused" }))
      yield* events.patch({ id }, { customerEmail: "ann@example.com" })
      yield* events.patch({ id }, { customerEmail: "jo@example.com" })
      yield* drain
      yield* events.patch({ id }, { customerEmail: "bob@example.com" })
      fakes.onMail = Effect.void
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
