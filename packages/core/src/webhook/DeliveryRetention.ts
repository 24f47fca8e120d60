import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import { DeliveryStore } from "./DeliveryStore.ts"

/** How many events a step looks at, each step one transaction: few enough that whoever waits for it hardly notices. */
const stepSize = 50

/** How long is rested between two steps at least. */
const rest = Duration.millis(10)

/** How often old events are looked for. */
const sweepEvery = Duration.minutes(10)

/** Forgets events that are older than the retention of the settings, with their deliveries and attempts. */
export class DeliveryRetention extends Context.Service<
  DeliveryRetention,
  {
    /**
     * Goes through all old events once and deletes those of which nothing is pending. Answers how many it deleted.
     *
     * It works in small steps, and rests after each for as long as it took, so that deliveries beside it go on.
     */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every ten minutes; a store that fails is asked again at the next one. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/webhook/DeliveryRetention") {
  /** The service on the store. Reads `CurrentDeliverySettings` once; without a retention it does nothing. */
  static readonly layer: Layer.Layer<DeliveryRetention, never, DeliveryStore> = Layer.effect(
    DeliveryRetention,
    Effect.gen(function* () {
      const { retention } = yield* CurrentDeliverySettings
      const store = yield* DeliveryStore
      if (retention === null) return DeliveryRetention.of({ sweep: Effect.succeed(0), run: Effect.never })

      const sweep = Effect.gen(function* () {
        const before = DateTime.subtractDuration(yield* DateTime.now, retention)
        let total = 0
        let after: number | null = null
        do {
          const startedAt = yield* Clock.currentTimeMillis
          const step: { readonly count: number; readonly after: number | null } = yield* store.sweep({
            before,
            after,
            limit: stepSize
          })
          total += step.count
          after = step.after
          const took = Duration.millis(Math.max(0, (yield* Clock.currentTimeMillis) - startedAt))
          if (after !== null) yield* Effect.sleep(Duration.max(rest, took))
        } while (after !== null)
        return total
      }).pipe(Effect.withSpan("DeliveryRetention.sweep"))

      const run = sweep.pipe(
        Effect.tap((count) => (count === 0 ? Effect.void : Effect.logInfo(`forgot ${count} old webhook events`))),
        Effect.catch(notSwept),
        Effect.catchDefect(notSwept),
        Effect.andThen(Effect.sleep(sweepEvery)),
        Effect.forever
      )

      return DeliveryRetention.of({ sweep, run })
    })
  )
}

const notSwept = (error: unknown) => Effect.logWarning("old webhook events were not forgotten", error)
