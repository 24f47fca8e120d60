import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import { IdempotencyStore } from "../idempotency/IdempotencyStore.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** Deletes idempotency keys whose 24 hours are over (D-IDEM-3). */
export class IdempotencyRetentionWorker extends Context.Service<
  IdempotencyRetentionWorker,
  {
    /** Deletes every expired key in bounded steps with rests between them, and returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/IdempotencyRetentionWorker") {
  /** The worker on the store of idempotency keys. */
  static readonly layer: Layer.Layer<IdempotencyRetentionWorker, never, IdempotencyStore> = Layer.effect(
    IdempotencyRetentionWorker,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore

      const sweep = Effect.flatMap(DateTime.now, (now) => Steps.sweepBefore(now, store.sweep)).pipe(
        Tracing.span("IdempotencyRetentionWorker.sweep")
      )

      const logged = Effect.tap(sweep, (count) =>
        count === 0 ? Effect.void : Effect.logDebug(`Deleted ${count} expired idempotency keys`)
      )

      const run = Loop.forever(logged, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Expired idempotency keys could not be deleted"
      })

      return IdempotencyRetentionWorker.of({ sweep, run })
    })
  )
}
