import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { CallStore } from "../call/CallStore.ts"

/** How often old calls are looked for. */
const sweepEvery = Duration.hours(1)

/** How long calls are stored, counted from their end; null: for ever. */
export interface CallRetention {
  /** A call, with all that is stored of it. */
  readonly calls: Duration.Duration | null
  /** What was said: the transcript, the summary and the address of the recording. */
  readonly transcripts: Duration.Duration | null
}

/** The retention in force; for ever unless provided. */
export const CurrentCallRetention = Context.Reference<CallRetention>(
  "@frontdesk/core/worker/CallRetentionWorker/CurrentCallRetention",
  { defaultValue: () => ({ calls: null, transcripts: null }) }
)

/**
 * Deletes calls, and what was said in calls, that ended longer ago than they are stored.
 *
 * Balances, the counters of agents and the date of a contact's last call stay as they are: they are sums of their own. The
 * charge of a single call goes with the call.
 */
export class CallRetentionWorker extends Context.Service<
  CallRetentionWorker,
  {
    /** Deletes everything that is old, in bounded steps with rests between them; returns how many calls were changed. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A store that fails is asked again an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/CallRetentionWorker") {
  /** The worker on the calls. Reads `CurrentCallRetention` once. */
  static readonly layer: Layer.Layer<CallRetentionWorker, never, CallStore> = Layer.effect(
    CallRetentionWorker,
    Effect.gen(function* () {
      const retention = yield* CurrentCallRetention
      const store = yield* CallStore

      const sweepWith = Effect.fnUntraced(function* (
        age: Duration.Duration | null,
        step: CallStore["Service"]["sweep"]
      ) {
        if (age === null) return 0
        const before = Timestamp.before(yield* DateTime.now, age)
        return yield* Steps.sweepBefore(before, step)
      })

      const sweep = Effect.gen(function* () {
        const calls = yield* sweepWith(retention.calls, store.sweep)
        const transcripts = yield* sweepWith(retention.transcripts, store.sweepTranscripts)
        if (calls + transcripts > 0) yield* Effect.logInfo(`Deleted ${calls} old calls and ${transcripts} transcripts`)
        return calls + transcripts
      }).pipe(Effect.withSpan("CallRetentionWorker.sweep"))

      const run = Loop.forever(sweep, { pause: sweepEvery, level: "Warn", failure: "Old calls could not be deleted" })

      return CallRetentionWorker.of({ sweep, run })
    })
  )
}
