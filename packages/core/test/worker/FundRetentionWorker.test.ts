import { describe, expect, it } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Money } from "@frontdesk/core/values/Money"
import { CurrentMovementRetention, FundRetentionWorker } from "@frontdesk/core/worker/FundRetentionWorker"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { addUp, movementsOf } from "@frontdesk/testing/suite/Movements"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const servicesWith = (retention: Layer.Layer<never> = Layer.empty) =>
  FundRetentionWorker.layer.pipe(Layer.provide(retention), Layer.provideMerge(Layer.fresh(MemoryStorage.layer)))

const deposit = (id: AccountId, at: DateTime.Utc) =>
  Effect.flatMap(AccountStore, (accounts) =>
    accounts.changeFunds(id, { deposits: Money.make(1) }, { callId: null, at })
  )

const kindsOf = (id: AccountId) =>
  Effect.map(movementsOf(id), (all) => all.map(({ kind, amount }) => `${kind} ${amount}`))

describe("FundRetentionWorker (D-BILL-16)", () => {
  it.effect("sweep folds the movements of every account that are older than 400 days, in steps", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const old = DateTime.subtract(Samples.now, { days: 401 })
      for (let count = 0; count < 250; count++) yield* deposit(account.id, old)
      yield* deposit(other.id, old)
      yield* deposit(other.id, DateTime.subtract(Samples.now, { days: 400 }))
      yield* deposit(other.id, Samples.now)
      const sweeping = yield* Effect.forkChild(Effect.flatMap(FundRetentionWorker, ({ sweep }) => sweep))
      // After the first step, before the next one.
      yield* Effect.yieldNow
      yield* addUp(account.id)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      expect(sweeping.pollUnsafe()).toMatchObject({ _tag: "Success" })
      expect(yield* kindsOf(account.id)).toEqual(["opening 250"])
      expect(yield* kindsOf(other.id)).toEqual(["opening 1", "deposit 1", "deposit 1"])
      yield* Effect.forEach([account, other], ({ id }) => addUp(id))
    }).pipe(Effect.provide(servicesWith()))
  )

  it.effect("run folds movements as they get older than the retention", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* deposit(id, Samples.now)
      yield* deposit(id, Samples.later(90))
      yield* Effect.forkChild(Effect.flatMap(FundRetentionWorker, ({ run }) => run))
      yield* TestClock.adjust("119 minutes")
      expect(yield* kindsOf(id)).toEqual(["deposit 1", "deposit 1"])
      yield* TestClock.adjust("90 minutes")
      expect(yield* kindsOf(id)).toEqual(["opening 1", "deposit 1"])
      yield* TestClock.adjust("2 hours")
      expect(yield* kindsOf(id)).toEqual(["opening 2"])
    }).pipe(Effect.provide(servicesWith(Layer.succeed(CurrentMovementRetention, Duration.hours(2)))))
  )

  it.effect("sweep folds nothing without a retention", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      yield* deposit(id, DateTime.makeUnsafe(0))
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      expect(yield* (yield* FundRetentionWorker).sweep).toBe(0)
      expect(yield* kindsOf(id)).toEqual(["deposit 1"])
    }).pipe(Effect.provide(servicesWith(Layer.succeed(CurrentMovementRetention, null))))
  )
})
