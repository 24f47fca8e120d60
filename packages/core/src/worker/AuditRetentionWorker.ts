import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AuditStore } from "../audit/AuditStore.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** How long entries are stored unless a program provides another time. */
export const defaultRetention = Duration.days(400)

/** How long entries of the audit log are stored; null means for ever. */
export const CurrentAuditRetention = Context.Reference<Duration.Duration | null>(
  "@frontdesk/core/worker/AuditRetentionWorker/CurrentAuditRetention",
  { defaultValue: () => defaultRetention }
)

/** Deletes old entries of the audit log (D-AUD-7). Nothing else deletes an entry. */
export class AuditRetentionWorker extends Context.Service<
  AuditRetentionWorker,
  {
    /** Deletes in bounded steps with rests between them. Returns how many entries the steps have deleted. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/AuditRetentionWorker") {
  /** The worker on the store of entries. Reads `CurrentAuditRetention` once. */
  static readonly layer: Layer.Layer<AuditRetentionWorker, never, AuditStore> = Layer.effect(
    AuditRetentionWorker,
    Effect.gen(function* () {
      const retention = yield* CurrentAuditRetention
      const store = yield* AuditStore

      const sweep = Effect.gen(function* () {
        if (retention === null) return 0
        const count = yield* Steps.sweepBefore(Timestamp.before(yield* DateTime.now, retention), store.sweep)
        if (count > 0) yield* Effect.logInfo(`Deleted ${count} old entries of the audit log`)
        return count
      }).pipe(Tracing.span("AuditRetentionWorker.sweep"))

      const run = Loop.forever(sweep, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Old entries of the audit log could not be deleted"
      })

      return AuditRetentionWorker.of({ sweep, run })
    })
  )
}
