import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { maxInStep, StatisticsWorker } from "@frontdesk/core/worker/StatisticsWorker"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { range, stored } from "@frontdesk/testing/suite/StatisticCounts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"

const services = StatisticsWorker.layer.pipe(Layer.provideMerge(Layer.fresh(MemoryStorage.layer)))

const book = (accountId: AccountId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Samples.makeCalendarEvent(accountId), { discard: true })

const isFolded = Effect.map(
  Effect.flatMap(StatisticStore, (store) => store.nextAccount(null)),
  Option.isNone
)

describe("StatisticsWorker (D-STAT-4)", () => {
  it.effect("fold replaces all waiting parts of every account by their sums, in bounded steps", () =>
    Effect.gen(function* () {
      const store = yield* StatisticStore
      const accounts = [
        yield* Samples.makeAccount(),
        yield* Samples.makeAccount(),
        yield* Samples.makeAccount()
      ] as const
      yield* book(accounts[0].id, 2 * maxInStep + 1)
      yield* book(accounts[2].id, 3)
      const before = yield* Effect.forEach(accounts, (account) => stored(account))
      const folding = yield* Effect.forkChild(Effect.flatMap(StatisticsWorker, ({ fold }) => fold))
      // After the first step, before the next one.
      yield* Effect.yieldNow
      const first = yield* store.read(accounts[0].id, range)
      expect(first.days.map(({ figures }) => figures.bookings)).toEqual([maxInStep])
      expect(yield* Effect.forEach(accounts, (account) => stored(account))).toEqual(before)
      for (let turn = 0; turn < 20; turn++) yield* TestClock.adjust("1 second")
      expect(folding.pollUnsafe()).toMatchObject({ _tag: "Success", value: 2 * maxInStep + 4 })
      expect(yield* isFolded).toBe(true)
      expect(yield* Effect.forEach(accounts, (account) => stored(account))).toEqual(before)
    }).pipe(Effect.provide(services))
  )

  it.effect("run folds every 5 seconds, into days of the account's time zone (D-STAT-8)", () =>
    Effect.gen(function* () {
      const { settings } = Samples.newAccount()
      const account = yield* Samples.makeAccount({ settings: { ...settings, timeZone: TimeZone.make("Asia/Tokyo") } })
      yield* Effect.forkChild(Effect.flatMap(StatisticsWorker, ({ run }) => run))
      yield* TestClock.adjust("1 second")
      yield* Samples.makeCalendarEvent(account.id, { createdAt: Samples.at("2026-03-02T15:00:00.000Z") })
      yield* TestClock.adjust("3 seconds")
      expect(yield* isFolded).toBe(false)
      yield* TestClock.adjust("2 seconds")
      expect(yield* isFolded).toBe(true)
      const { days } = yield* (yield* StatisticStore).read(account.id, range)
      expect(days.map(({ day }) => day)).toEqual(["2026-03-03"])
    }).pipe(Effect.provide(services))
  )

  it.effect("fold drops the parts of an account that was deleted", () =>
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const account = yield* Samples.makeAccount()
      const gone = AccountId.make(account.id + 1_000)
      expect(Option.isNone(yield* accounts.find(gone))).toBe(true)
      yield* book(gone, 2)
      const folding = yield* Effect.forkChild(Effect.flatMap(StatisticsWorker, ({ fold }) => fold))
      yield* TestClock.adjust("1 second")
      expect(folding.pollUnsafe()).toMatchObject({ _tag: "Success", value: 2 })
      expect(yield* isFolded).toBe(true)
      expect((yield* (yield* StatisticStore).read(gone, range)).days).toEqual([])
    }).pipe(Effect.provide(services))
  )
})
