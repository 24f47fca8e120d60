import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { Mailer, MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** Returns the kinds of the mails that were sent since it last ran. */
const done = Effect.map(FakeAdapters, ({ mails }) => mails.splice(0).map(({ kind }) => kind))

/** Creates a calendar event whose customer has an email address. */
const make = Effect.fnUntraced(function* () {
  return yield* (yield* CalendarEvents).create({ ...hour(), customerEmail: "jo@example.com" })
})

describe("OutboxWorker with mails", () => {
  it.effect("a mail has the name and the time zone that the account has when it is sent", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const { account } = yield* Principal
      yield* make()
      yield* accounts.update({
        ...account,
        name: "Renamed",
        settings: { ...account.settings, timeZone: TimeZone.make("Europe/Paris") }
      })
      yield* drain
      expect((yield* FakeAdapters).mails.map((mail) => mail.account)).toEqual([
        { name: "Renamed", timeZone: "Europe/Paris" }
      ])
    }).pipe(inAccount({ timeZone: TimeZone.make("America/New_York") }))
  )

  it.effect("no mail is sent for an account that was deleted", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      yield* make()
      const deleted = AccountStore.of({ ...accounts, find: () => Effect.succeed(Option.none()) })
      yield* drain.pipe(Effect.provide(Layer.fresh(OutboxWorker.layer)), Effect.provideService(AccountStore, deleted))
      yield* drain
      expect((yield* FakeAdapters).mails).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("a worker without a mail server leaves mails to a worker that has one (D-MAIL-8)", () =>
    Effect.gen(function* () {
      const without = Layer.fresh(OutboxWorker.layer).pipe(Layer.provide(Mailer.layerNone))
      yield* make()
      yield* drain.pipe(Effect.provide(without))
      yield* TestClock.adjust("10 seconds")
      yield* drain
      expect(yield* done).toEqual(["created"])
    }).pipe(inAccount())
  )

  it.effect("two mails of a calendar event are sent in order, even when the first one is slow (D-MAIL-5)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const made = yield* make()
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      fakes.onMail = Effect.sleep("20 seconds")
      yield* TestClock.adjust("5 seconds")
      fakes.onMail = Effect.void
      yield* (yield* CalendarEvents).cancel({ id: made.id }, {})
      yield* TestClock.adjust("30 seconds")
      expect(yield* done).toEqual(["created", "cancelled"])
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )

  it.effect("two mails of a calendar event are retried by the plan and never at once, even when the server hangs", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      let tries = 0
      fakes.onMail = Effect.suspend(() => {
        tries += 1
        const hung = new MailerError({ reason: "transport", cause: "it took too long" })
        return Effect.andThen(Effect.sleep("25 seconds"), Effect.fail(hung))
      })
      const { id } = yield* make()
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      yield* TestClock.adjust(0)
      yield* events.patch({ id }, { title: "Second" })
      for (let step = 0; step < 60; step++) yield* TestClock.adjust("5 seconds")
      // Each mail is tried at once, after 10 seconds and after a minute. The next tries are 5 minutes later.
      expect(tries).toBe(6)
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )
})
