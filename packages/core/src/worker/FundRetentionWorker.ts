import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FundMovementStore } from "../access/FundMovementStore.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** How long movements are listed on their own unless a program provides another time. */
export const defaultRetention = Duration.days(400)

/** How long movements are listed on their own; null means for ever. */
export const CurrentMovementRetention = Context.Reference<Duration.Duration | null>(
  "@frontdesk/core/worker/FundRetentionWorker/CurrentMovementRetention",
  { defaultValue: () => defaultRetention }
)

/**
 * Folds old movements of each account into one movement of the kind `opening`, so that the list stays bounded (D-BILL-16).
 * The amounts of the movements add up to the balance before, during and after that. Balances do not change.
 */
export class FundRetentionWorker extends Context.Service<
  FundRetentionWorker,
  {
    /** Folds in bounded steps with rests between them. Returns how many movements the steps have replaced. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/FundRetentionWorker") {
  /** The worker on the store of movements. Reads `CurrentMovementRetention` once. */
  static readonly layer: Layer.Layer<FundRetentionWorker, never, FundMovementStore> = Layer.effect(
    FundRetentionWorker,
    Effect.gen(function* () {
      const retention = yield* CurrentMovementRetention
      const store = yield* FundMovementStore

      const sweep = Effect.gen(function* () {
        if (retention === null) return 0
        const count = yield* Steps.sweepBefore(Timestamp.before(yield* DateTime.now, retention), store.fold)
        if (count > 0) yield* Effect.logInfo(`Folded ${count} old movements of accounts into their opening balances`)
        return count
      }).pipe(Tracing.span("FundRetentionWorker.sweep"))

      const run = Loop.forever(sweep, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Old movements of accounts could not be folded"
      })

      return FundRetentionWorker.of({ sweep, run })
    })
  )
}
