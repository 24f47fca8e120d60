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

/** Creates an event whose invitation is not sent yet. */
const make = Effect.gen(function* () {
  const events = yield* CalendarEvents
  const { id } = yield* events.create({ ...hour(), customerEmail: "jo@example.com" })
  return { events, id }
})

/** Creates an event whose invitation was sent. */
const invited = Effect.tap(make, () => Effect.andThen(drain, sent))

const sent = Effect.map(FakeAdapters, (fakes) => fakes.mails.splice(0))

/** Returns kind, present title and replaced values of the mails that were sent since it last ran. */
const mailed = Effect.map(sent, (mails) => mails.map(({ event, kind, previous }) => [kind, event.title, previous]))

describe("MailValues: the replaced values in the mail of a change", () => {
  it.effect("are not mailed when the change comes before the invitation is sent", () =>
    Effect.gen(function* () {
      const { events, id } = yield* make
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      expect(yield* mailed).toEqual([["created", "Second", {}]])
    }).pipe(inAccount())
  )

  it.effect("are those of all waiting changes, in one mail (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", location: "Room 1" })
      yield* events.patch({ id }, { title: "Third" })
      yield* events.patch({ id }, { status: "confirmed" })
      yield* drain
      expect(yield* mailed).toEqual([["updated", "Third", { title: "Demo", location: null, status: "scheduled" }]])
    }).pipe(inAccount())
  )

  it.effect("are missing in an invitation that waits together with changes", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* make
      fakes.onMail = Effect.fail(unsent)
      yield* drain
      yield* events.patch({ id }, { title: "Second" })
      yield* drain
      yield* events.patch({ id }, { title: "Third" })
      fakes.onMail = Effect.void
      yield* drain
      yield* wait
      yield* wait
      expect(yield* mailed).toEqual([["created", "Third", {}]])
    }).pipe(inAccount())
  )

  it.effect("include those of an earlier change that was made without mail (D-MAIL-2)", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", sendNotifications: false })
      yield* drain
      expect(yield* mailed).toEqual([])
      yield* events.patch({ id }, { location: "Room 1" })
      yield* drain
      expect(yield* mailed).toEqual([["updated", "Second", { title: "Demo", location: null }]])
    }).pipe(inAccount())
  )

  it.effect("are not mailed when the change reverses one that was made without mail", () =>
    Effect.gen(function* () {
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second", sendNotifications: false })
      yield* events.patch({ id }, { title: "Demo" })
      yield* drain
      expect(yield* mailed).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("of a change during the sending of a mail are in the next mail", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const { events, id } = yield* invited
      yield* events.patch({ id }, { title: "Second" })
      const principal = yield* Principal
      const changes = [events.patch({ id }, { title: "Demo" }).pipe(Effect.provideService(Principal, principal))]
      fakes.onMail = Effect.suspend(() => changes.shift() ?? Effect.void).pipe(Effect.orDie, Effect.asVoid)
      yield* drain
      yield* wait
      expect(yield* mailed).toEqual([
        ["updated", "Second", { title: "Demo" }],
        ["updated", "Demo", { title: "Second" }]
      ])
    }).pipe(inAccount())
  )
})
