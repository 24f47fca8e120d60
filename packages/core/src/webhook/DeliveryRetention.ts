import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import { DeliveryStore, type Step } from "./DeliveryStore.ts"

/** How many events or deliveries a step looks at, each step one transaction: few enough that whoever waits for it hardly notices. */
const stepSize = 50

/** How long is rested between two steps at least. */
const rest = Duration.millis(10)

/** How often old events are looked for. */
const sweepEvery = Duration.minutes(10)

/** How often is looked for webhooks that were deleted. */
const purgeEvery = Duration.seconds(1)

/** Forgets events that are older than the retention of the settings, with their deliveries and attempts, and what deleted webhooks leave. */
export class DeliveryRetention extends Context.Service<
  DeliveryRetention,
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
>()("@frontdesk/core/webhook/DeliveryRetention") {
  /** The service on the store. Reads `CurrentDeliverySettings` once; without a retention it sweeps nothing. */
  static readonly layer: Layer.Layer<DeliveryRetention, never, DeliveryStore> = Layer.effect(
    DeliveryRetention,
    Effect.gen(function* () {
      const { retention } = yield* CurrentDeliverySettings
      const store = yield* DeliveryStore

      const sweep = Effect.gen(function* () {
        if (retention === null) return 0
        const before = DateTime.subtractDuration(yield* DateTime.now, retention)
        let total = 0
        let after: number | null = null
        do {
          const [step, took]: readonly [Step, Duration.Duration] = yield* timed(
            store.sweep({ before, after, limit: stepSize })
          )
          total += step.count
          after = step.after
          if (after !== null) yield* Effect.sleep(Duration.max(rest, took))
        } while (after !== null)
        return total
      }).pipe(Effect.withSpan("DeliveryRetention.sweep"))

      const purge = Effect.gen(function* () {
        while (true) {
          const [some, took] = yield* timed(store.purge(stepSize))
          if (!some) return
          yield* Effect.sleep(Duration.max(rest, took))
        }
      })

      const sweeping = sweep.pipe(
        Effect.tap((count) =>
          count === 0 ? Effect.void : Effect.logInfo(`forgot ${count} old webhook ${count === 1 ? "event" : "events"}`)
        ),
        Effect.catch(notSwept),
        Effect.catchDefect(notSwept),
        Effect.andThen(Effect.sleep(sweepEvery)),
        Effect.forever
      )

      const purging = purge.pipe(
        Effect.catch(notPurged),
        Effect.catchDefect(notPurged),
        Effect.andThen(Effect.sleep(purgeEvery)),
        Effect.forever
      )

      const run = Effect.raceFirst(sweeping, purging)

      return DeliveryRetention.of({ sweep, purge, run })
    })
  )
}

/** What an effect answers, and how long it took. */
const timed = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
  const startedAt = yield* Clock.currentTimeMillis
  const value = yield* effect
  const took = Duration.millis(Math.max(0, (yield* Clock.currentTimeMillis) - startedAt))
  return [value, took] as const
})

const notSwept = (error: unknown) => Effect.logWarning("old webhook events were not forgotten", error)

const notPurged = (error: unknown) => Effect.logWarning("deleted webhooks were not purged", error)
