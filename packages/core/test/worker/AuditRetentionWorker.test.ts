import { describe, expect, it } from "@effect/vitest"
import { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { AuditRetentionWorker, CurrentAuditRetention } from "@frontdesk/core/worker/AuditRetentionWorker"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf, newEntry } from "@frontdesk/testing/suite/AuditEntries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const servicesWith = (retention: Layer.Layer<never> = Layer.empty) =>
  AuditRetentionWorker.layer.pipe(Layer.provide(retention), Layer.provideMerge(Layer.fresh(MemoryStorage.layer)))

const append = (accountId: number, at: DateTime.Utc) =>
  Effect.flatMap(AuditStore, (store) => store.append({ ...newEntry(accountId, 0), at }))

const countOf = (id: number) => Effect.map(allEntriesOf(id), ({ length }) => length)

describe("AuditRetentionWorker (D-AUD-7)", () => {
  it.effect("sweep deletes the entries of every account that are older than 400 days, in steps", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const old = DateTime.subtract(Samples.now, { days: 401 })
      for (let count = 0; count < 150; count++) yield* append(account.id, old)
      yield* append(other.id, old)
      yield* append(other.id, DateTime.subtract(Samples.now, { days: 400 }))
      yield* append(other.id, Samples.now)
      const sweeping = yield* Effect.forkChild(Effect.flatMap(AuditRetentionWorker, ({ sweep }) => sweep))
      // After the first step, before the next one.
      yield* Effect.yieldNow
      expect((yield* countOf(account.id)) + (yield* countOf(other.id))).toBe(53)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      expect(sweeping.pollUnsafe()).toMatchObject({ _tag: "Success", value: 151 })
      expect([yield* countOf(account.id), yield* countOf(other.id)]).toEqual([0, 2])
    }).pipe(Effect.provide(servicesWith()))
  )

  it.effect("run deletes entries as they get older than the retention", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* append(id, Samples.now)
      yield* append(id, Samples.later(90))
      yield* Effect.forkChild(Effect.flatMap(AuditRetentionWorker, ({ run }) => run))
      yield* TestClock.adjust("119 minutes")
      expect(yield* countOf(id)).toBe(2)
      yield* TestClock.adjust("90 minutes")
      expect(yield* countOf(id)).toBe(1)
      yield* TestClock.adjust("2 hours")
      expect(yield* countOf(id)).toBe(0)
    }).pipe(Effect.provide(servicesWith(Layer.succeed(CurrentAuditRetention, Duration.hours(2)))))
  )

  it.effect("sweep deletes nothing without a retention", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      yield* append(id, DateTime.makeUnsafe(0))
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      expect(yield* (yield* AuditRetentionWorker).sweep).toBe(0)
      expect(yield* countOf(id)).toBe(1)
    }).pipe(Effect.provide(servicesWith(Layer.succeed(CurrentAuditRetention, null))))
  )
})
