import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { DeliveryRetentionWorker } from "@frontdesk/core/worker/DeliveryRetentionWorker"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { DeliveryStore, type OldWebhookEvents, type Step } from "@frontdesk/core/delivery/DeliveryStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { type StepLimit, stepLimit } from "@frontdesk/core/background/Steps"

/** The limit of a step. */
const limit: StepLimit = { rows: 50, bytes: stepLimit.bytes }

describe("DeliveryRetentionWorker", () => {
  it.effect("run deletes webhook events that are older than the retention and have no pending delivery (D-EVT-5)", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const store = yield* DeliveryStore
      const webhook = yield* Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id))
      for (let event = 0; event < 250; event++) yield* Deliveries.add(webhook, `call:${event}`)
      yield* store.cancelOpen(webhook.id)
      const pending = yield* Deliveries.add(webhook, "call:pending")
      const young = yield* Deliveries.add(webhook, "call:young", { createdAt: Samples.later(60) })
      const list = store.list(webhook.accountId, webhook.id, Option.none(), { page: 1, limit: 2 })

      yield* TestClock.adjust("167 hours")
      yield* Effect.forkScoped(Effect.flatMap(DeliveryRetentionWorker, (worker) => worker.run))
      yield* TestClock.adjust("1 hour")
      expect((yield* list).count).toBe(252)
      yield* TestClock.adjust("11 minutes")
      expect(yield* list).toMatchObject({ count: 2, items: [{ id: young }, { id: pending }] })
      yield* store.cancelOpen(webhook.id)
      yield* TestClock.adjust("48 minutes")
      expect(yield* list).toMatchObject({ count: 1, items: [{ id: young }] })
      yield* TestClock.adjust("12 minutes")
      expect((yield* list).count).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(onMemory({ retention: Duration.days(7) })))
  )

  it.effect("run and sweep delete no webhook event without a retention", () => {
    const { layer, steps } = recorded(() => Effect.succeed({ count: 0, after: null }))
    return Effect.gen(function* () {
      const worker = yield* DeliveryRetentionWorker
      yield* TestClock.adjust("40 days")
      yield* Effect.forkScoped(worker.run)
      yield* TestClock.adjust("1 hour")
      expect(yield* worker.sweep).toBe(0)
      expect(steps).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(layer), settings({ retention: null }))
  })

  it.effect(
    "a sweep has steps of 50 webhook events, and rests after each for as long as it took, at least 10 ms (D-STO-9)",
    () => {
      const took = [0, 5, 300, 0]
      const { layer, steps } = recorded(() =>
        Effect.as(Effect.sleep(Duration.millis(took[steps.length - 1] ?? 0)), {
          count: 60,
          after: steps.length < 4 ? steps.length * 100 : null
        })
      )
      return Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
        yield* Effect.forkScoped(Effect.flatMap(DeliveryRetentionWorker, (worker) => worker.run))
        yield* TestClock.adjust("1 minute")
        const before = DateTime.subtract(Samples.now, { days: 30 })
        expect(steps).toEqual([
          { at: 0, which: { before, after: null, limit } },
          { at: 10, which: { before, after: 100, limit } },
          { at: 25, which: { before, after: 200, limit } },
          { at: 625, which: { before, after: 300, limit } }
        ])
      }).pipe(Effect.scoped, Effect.provide(layer), settings({}))
    }
  )

  it.effect(
    "run deletes the deliveries of deleted webhooks in steps of 50 with rests, even without a retention (D-HOOK-4)",
    () => {
      const took = [0, 5, 300, 0]
      const { layer, purges } = recorded(
        () => Effect.succeed({ count: 0, after: null }),
        () => Effect.as(Effect.sleep(Duration.millis(took[purges.length - 1] ?? 0)), purges.length < 4)
      )
      return Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
        yield* Effect.forkScoped(Effect.flatMap(DeliveryRetentionWorker, (worker) => worker.run))
        yield* TestClock.adjust("3 seconds")
        expect(purges).toEqual([0, 10, 25, 625, 1_625, 2_625].map((at) => ({ at, limit })))
      }).pipe(Effect.scoped, Effect.provide(layer), settings({ retention: null }))
    }
  )

  it.effect("run purges again a second after a failure of the store", () => {
    const { layer, purges } = recorded(
      () => Effect.succeed({ count: 0, after: null }),
      () => {
        if (purges.length === 1) {
          return Effect.fail(new StorageError({ reason: "unavailable", operation: "x", cause: "" }))
        }
        return purges.length === 2 ? Effect.die("broken") : Effect.succeed(false)
      }
    )
    return Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* Effect.forkScoped(Effect.flatMap(DeliveryRetentionWorker, (worker) => worker.run))
      yield* TestClock.adjust("2500 millis")
      expect(purges.map(({ at }) => at)).toEqual([0, 1_000, 2_000])
    }).pipe(Effect.scoped, Effect.provide(layer), settings({}))
  })

  it.effect("run sweeps again ten minutes after a failure of the store", () => {
    const { layer, steps } = recorded(() => {
      if (steps.length === 1) return Effect.fail(new StorageError({ reason: "unavailable", operation: "x", cause: "" }))
      return steps.length === 2 ? Effect.die("broken") : Effect.succeed({ count: 0, after: null })
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* Effect.forkScoped(Effect.flatMap(DeliveryRetentionWorker, (worker) => worker.run))
      yield* TestClock.adjust("25 minutes")
      expect(steps.map(({ at }) => at)).toEqual([0, 600_000, 1_200_000])
    }).pipe(Effect.scoped, Effect.provide(layer), settings({}))
  })
})

type Settings = ConstructorParameters<typeof DeliverySettings>[0]

const silent = Layer.succeed(References.MinimumLogLevel, "None")

const settings = (given: Settings) =>
  Effect.provide(Layer.merge(Layer.succeed(CurrentDeliverySettings, new DeliverySettings(given)), silent))

const onMemory = (given: Settings) =>
  DeliveryRetentionWorker.layer.pipe(
    Layer.provideMerge(Layer.fresh(MemoryStorage.layer)),
    Layer.provide(Layer.succeed(CurrentDeliverySettings, new DeliverySettings(given))),
    Layer.provideMerge(silent)
  )

/**
 * Returns a worker on a store with the given results. `steps` has the steps of its sweeps and `purges` those of its purges,
 * with their times in milliseconds.
 */
const recorded = (
  sweep: () => Effect.Effect<Step, StorageError>,
  purge: () => Effect.Effect<boolean, StorageError> = () => Effect.succeed(false)
) => {
  const purges: Array<{ readonly at: number; readonly limit: StepLimit }> = []
  const steps: Array<{ readonly at: number; readonly which: OldWebhookEvents }> = []
  const store = Layer.effect(
    DeliveryStore,
    Effect.map(DeliveryStore, (store) =>
      DeliveryStore.of({
        ...store,
        sweep: (which) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            steps.push({ at: at - DateTime.toEpochMillis(Samples.now), which })
            return sweep()
          }),
        purge: (limit) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            purges.push({ at: at - DateTime.toEpochMillis(Samples.now), limit })
            return purge()
          })
      })
    )
  ).pipe(Layer.provide(Layer.fresh(MemoryStorage.layer)))
  return { layer: Layer.provide(DeliveryRetentionWorker.layer, store), steps, purges }
}
