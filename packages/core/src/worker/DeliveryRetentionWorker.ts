import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"

/** How many events or deliveries a step looks at: fewer than other rows, for each event has several deliveries. */
const limit: Steps.StepLimit = { rows: 50, bytes: Steps.stepLimit.bytes }

/** How often old events are looked for. */
const sweepEvery = Duration.minutes(10)

/** How often is looked for webhooks that were deleted. */
const purgeEvery = Duration.seconds(1)

/**
 * Forgets events that are older than the retention of the settings, with their deliveries and attempts, and what
 * deleted webhooks leave.
 */
export class DeliveryRetentionWorker extends Context.Service<
  DeliveryRetentionWorker,
  {
    /**
     * Goes through all old events once and deletes those of which nothing is pending. Answers how many it deleted.
     *
     * It works in small steps, and rests after each for as long as it took, so that deliveries beside it go on.
     */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Deletes, in the same way, everything that deleted webhooks have left. */
    readonly purge: Effect.Effect<void, StorageError>
    /**
     * Sweeps at once and then every ten minutes, purges at once and then every second; a store that fails is asked
     * again at the next time.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/DeliveryRetentionWorker") {
  /** The service on the store. Reads `CurrentDeliverySettings` once; without a retention it sweeps nothing. */
  static readonly layer: Layer.Layer<DeliveryRetentionWorker, never, DeliveryStore> = Layer.effect(
    DeliveryRetentionWorker,
    Effect.gen(function* () {
      const { retention } = yield* CurrentDeliverySettings
      const store = yield* DeliveryStore

      const sweep = Effect.gen(function* () {
        if (retention === null) return 0
        const before = Timestamp.before(yield* DateTime.now, retention)
        let total = 0
        let after: number | null = null
        yield* Steps.untilDone(
          Effect.suspend(() => store.sweep({ before, after, limit })).pipe(
            Effect.map((step) => {
              total += step.count
              after = step.after
              return after !== null
            })
          )
        )
        return total
      }).pipe(Effect.withSpan("DeliveryRetentionWorker.sweep"))

      const purge = Steps.untilDone(store.purge(limit))

      const told = Effect.tap(sweep, (count) =>
        count === 0 ? Effect.void : Effect.logInfo(`forgot ${count} old webhook ${count === 1 ? "event" : "events"}`)
      )

      const run = Effect.raceFirst(
        Loop.forever(told, { pause: sweepEvery, level: "Warn", failure: "old webhook events were not forgotten" }),
        Loop.forever(purge, { pause: purgeEvery, level: "Warn", failure: "deleted webhooks were not purged" })
      )

      return DeliveryRetentionWorker.of({ sweep, purge, run })
    })
  )
}
