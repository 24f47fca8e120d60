import { describe, expect, it } from "@effect/vitest"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Agents } from "@frontdesk/core/agent/Agents"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarEventEffectWriter } from "@frontdesk/core/calendar/CalendarEventEffectWriter"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as DeliveryPublisher from "@frontdesk/core/webhook/DeliveryPublisher"
import type { Options } from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files } from "@frontdesk/provider-fakes/mail/Reading"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeAccount } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Inbox, mailer } from "./Inbox.ts"

/** Provides the calendar with its outbox, in memory, and a mail server. */
const services = (server: Options = {}) =>
  Layer.mergeAll(CalendarEvents.layer, ReminderWorker.layer, OutboxWorker.layer).pipe(
    Layer.provideMerge(CalendarEventEffectWriter.layer),
    Layer.provideMerge(Layer.mergeAll(Agents.layer, Outbox.layer, DeliveryPublisher.layer)),
    Layer.provideMerge(CalendarLinks.layer),
    Layer.provideMerge(Layer.mergeAll(mailer(), CalendarSync.layerNone)),
    Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, Inbox.layerWith(server)))
  )

/** Runs an effect as a new account, on 2026-05-01. */
const inAccount =
  (server: Options = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 1))
      const account = yield* makeAccount()
      return yield* Effect.provideService(effect, Principal, {
        account,
        apiKeyId: null,
        permissions: new Set(Permission.all)
      })
    }).pipe(Effect.provide(services(server)))

const event = {
  title: "Demo",
  startTime: "2026-06-01T10:00:00Z",
  endTime: "2026-06-01T11:00:00Z",
  customerEmail: "zoe@example.com",
  isReminderEnabled: true
}

const mails = Effect.flatMap(Inbox, ({ mails }) => mails)

const work = Effect.flatMap(OutboxWorker, ({ drain }) => drain)

describe("the mails about a calendar event", () => {
  it.effect(
    "create, update, reminder and cancellation each send a mail, and the invitations have one UID and a rising SEQUENCE",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const { id, uuid } = yield* events.create(event)
        yield* work
        yield* TestClock.adjust("1 hour")
        yield* events.patch({ id }, { startTime: "2026-06-02T10:00:00Z", endTime: "2026-06-02T11:00:00Z" })
        yield* work
        yield* TestClock.setTime(Date.UTC(2026, 5, 2, 9, 30))
        yield* (yield* ReminderWorker).runOnce
        yield* work
        yield* TestClock.adjust("10 minutes")
        yield* events.cancel({ id }, {})
        yield* work
        const all = yield* mails
        expect(all.map(({ subject }) => subject)).toEqual([
          "Invitation: Demo",
          "Changed: Demo",
          "Reminder: Demo",
          "Cancelled: Demo"
        ])
        const invitations = all.flatMap((mail) => files(mail).slice(0, 1).map(calendar))
        expect(invitations.map(({ method, value }) => [method, value("uid"), value("sequence")])).toEqual([
          ["REQUEST", uuid, "0"],
          ["REQUEST", uuid, "1"],
          ["CANCEL", uuid, "2"]
        ])
      }).pipe(inAccount())
  )

  it.effect("a mail is sent after the commit of its change, and none after a rollback", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const transaction = yield* Transaction
      const rolledBack = transaction.run(Effect.andThen(events.create(event), Effect.fail("rolled back")))
      expect(yield* Effect.flip(rolledBack)).toBe("rolled back")
      yield* work
      expect(yield* mails).toEqual([])
      yield* events.create(event)
      expect(yield* mails).toEqual([])
      yield* work
      expect(yield* mails).toHaveLength(1)
    }).pipe(inAccount())
  )

  it.effect("a mail answered with 451 is retried after 10 and 60 seconds, with the date of the change", () => {
    let refusals = 2
    return Effect.gen(function* () {
      yield* (yield* CalendarEvents).create(event)
      yield* work
      expect([refusals, yield* mails]).toEqual([1, []])
      yield* TestClock.adjust("10 seconds")
      yield* work
      expect([refusals, yield* mails]).toEqual([0, []])
      yield* TestClock.adjust("59 seconds")
      yield* work
      expect(yield* mails).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* work
      expect((yield* mails).map(({ date }) => date)).toEqual(["2026-05-01T00:00:00.000Z"])
    }).pipe(
      inAccount({
        onRcptTo: (_address, _session, done) =>
          refusals-- > 0 ? done(Object.assign(new Error("later"), { responseCode: 451 })) : done()
      })
    )
  })

  it.effect("a mail answered with 550 is not retried", () => {
    let tries = 0
    return Effect.gen(function* () {
      yield* (yield* CalendarEvents).create(event)
      yield* work
      yield* TestClock.adjust("1 day")
      yield* work
      expect([tries, yield* mails]).toEqual([1, []])
    }).pipe(
      inAccount({
        onRcptTo: (_address, _session, done) => {
          tries += 1
          done(Object.assign(new Error("unknown"), { responseCode: 550 }))
        }
      })
    )
  })
})
