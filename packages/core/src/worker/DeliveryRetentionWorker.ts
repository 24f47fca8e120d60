import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"

/** The limit of one step. It has fewer rows than other sweeps, because a webhook event has several deliveries. */
const limit: Steps.StepLimit = { rows: 50, bytes: Steps.stepLimit.bytes }

/** The rest between two sweeps. */
const sweepEvery = Duration.minutes(10)

/** The rest between two purges. */
const purgeEvery = Duration.seconds(1)

/**
 * Deletes webhook events that are older than the retention of the settings, with their deliveries and attempts. Also
 * deletes the deliveries of deleted webhooks.
 */
export class DeliveryRetentionWorker extends Context.Service<
  DeliveryRetentionWorker,
  {
    /**
     * Deletes the old webhook events that have no pending or leased delivery, and returns how many (D-EVT-5).
     *
     * It works in small steps and rests after each step for as long as the step took, so that deliveries can continue.
     */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Deletes the deliveries of deleted webhooks, in the same small steps (D-HOOK-4). */
    readonly purge: Effect.Effect<void, StorageError>
    /**
     * Sweeps at once and then every ten minutes. Purges at once and then every second. A failure is logged, and the
     * next sweep or purge follows after the same rest.
     */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/DeliveryRetentionWorker") {
  /**
   * The worker on the store. Reads `CurrentDeliverySettings` once. With a retention of null it deletes no webhook
   * event.
   */
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
      }).pipe(Tracing.span("DeliveryRetentionWorker.sweep"))

      const purge = Steps.untilDone(store.purge(limit))

      const logged = Effect.tap(sweep, (count) =>
        count === 0 ? Effect.void : Effect.logInfo(`Deleted ${count} old webhook ${count === 1 ? "event" : "events"}`)
      )

      const run = Effect.raceFirst(
        Loop.forever(logged, { pause: sweepEvery, level: "Warn", failure: "Old webhook events could not be deleted" }),
        Loop.forever(purge, {
          pause: purgeEvery,
          level: "Warn",
          failure: "Deliveries of deleted webhooks could not be deleted"
        })
      )

      return DeliveryRetentionWorker.of({ sweep, purge, run })
    })
  )
}
