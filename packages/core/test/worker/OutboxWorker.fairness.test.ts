import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as OutboxPlaces from "@frontdesk/core/outbox/OutboxPlaces"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { account, as, FakeAdapters, hour, services } from "../calendar/services.ts"

describe("OutboxWorker with an account whose external calendar hangs", () => {
  it.effect("does the mail and the calendar writes of another account at once (D-OUT-10)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const [hanging, other] = [yield* account(), yield* account()]
      fakes.providers = ["google"]
      fakes.onWrite = ({ accountId }) => (accountId === hanging.id ? Effect.never : Effect.void)
      const create = (body: object) =>
        Effect.flatMap(CalendarEvents, (events) => events.create({ ...hour(), sendNotifications: true, ...body }))
      for (let index = 0; index < 20; index++) yield* as(hanging)(create({}))
      const loop = yield* Effect.forkChild((yield* OutboxWorker).run)
      yield* aSecondPasses
      const done = () => [fakes.mails.splice(0).length, fakes.written.splice(0).map(({ event }) => event.accountId)]
      expect(done()).toEqual([0, []])
      for (let times = 0; times < 35; times++) {
        yield* as(other)(create({ customerEmail: "jo@example.com" }))
        yield* aSecondPasses
        expect(done()).toEqual([1, [other.id]])
      }
      // The own mail of the account does not wait for its external calendar either.
      yield* as(hanging)(create({ customerEmail: "jo@example.com" }))
      yield* aSecondPasses
      expect(done()).toEqual([1, []])
      const stopped = yield* Effect.forkChild(Fiber.interrupt(loop))
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(stopped)
    }).pipe(Effect.provide(services))
  )
})

/** Lets a second pass, and then lets every fiber continue that is ready. */
const aSecondPasses = Effect.andThen(TestClock.adjust("1 second"), Effect.repeat(Effect.yieldNow, { times: 100 }))

describe("OutboxPlaces", () => {
  const task = (accountId: number, provider: "google" | "outlook") => ({
    accountId: AccountId.make(accountId),
    work: { _tag: "SyncEvent" as const, provider, eventId: CalendarEventId.make(1) }
  })

  it("counts the places of each account and each of its lines until they are free again", () => {
    const places = OutboxPlaces.make(3)
    const frees = [task(1, "google"), task(1, "outlook"), task(2, "google")].map(places.take)
    expect([places.free(), new Map(places.taken().takenByAccount), new Map(places.taken().takenByLine)]).toEqual([
      0,
      new Map([
        [1, 2],
        [2, 1]
      ]),
      new Map([
        ["1 SyncEvent google", 1],
        ["1 SyncEvent outlook", 1],
        ["2 SyncEvent google", 1]
      ])
    ])
    for (const free of frees) free()
    expect([places.free(), places.taken().takenByAccount.size, places.taken().takenByLine.size]).toEqual([3, 0, 0])
  })

  it("gives one line of an account half of the places, and at least one", () => {
    expect([1, 2, 16].map((count) => OutboxPlaces.make(count).taken().perLine)).toEqual([1, 1, 8])
  })
})
