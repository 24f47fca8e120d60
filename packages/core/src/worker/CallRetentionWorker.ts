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
import { CallStore } from "../call/CallStore.ts"
import { ToolCallStore } from "../call/ToolCallStore.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** How long calls are stored after their end; null means for ever. */
export interface CallRetention {
  /** How long a call is stored, with everything that belongs to it. */
  readonly calls: Duration.Duration | null
  /**
   * How long the contents of a call are stored: the transcript, the summary, the address of the recording, and the
   * arguments and answers of tool calls.
   */
  readonly transcripts: Duration.Duration | null
}

/** The retention in use; for ever unless a program provides another. */
export const CurrentCallRetention = Context.Reference<CallRetention>(
  "@frontdesk/core/worker/CallRetentionWorker/CurrentCallRetention",
  { defaultValue: () => ({ calls: null, transcripts: null }) }
)

/**
 * Deletes old calls. Also deletes the contents of old calls (D-STO-10): transcripts, summaries, recording addresses, and
 * what tool calls were given and returned.
 *
 * Balances, the counters of agents and the date of a contact's last call do not change, because they are stored on
 * their own. The charge of a single call is deleted with the call.
 */
export class CallRetentionWorker extends Context.Service<
  CallRetentionWorker,
  {
    /** Deletes in bounded steps with rests between them. Returns the number of calls and tool calls that were deleted or changed. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/CallRetentionWorker") {
  /** The worker on the stores of calls and tool calls. Reads `CurrentCallRetention` once. */
  static readonly layer: Layer.Layer<CallRetentionWorker, never, CallStore | ToolCallStore> = Layer.effect(
    CallRetentionWorker,
    Effect.gen(function* () {
      const retention = yield* CurrentCallRetention
      const store = yield* CallStore
      const tools = yield* ToolCallStore

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
        const toolCalls = yield* sweepWith(retention.transcripts, tools.sweepContents)
        const total = calls + transcripts + toolCalls
        if (total > 0) {
          yield* Effect.logInfo(
            `Deleted ${calls} old calls, ${transcripts} old transcripts and the contents of ${toolCalls} old tool calls`
          )
        }
        return total
      }).pipe(Tracing.span("CallRetentionWorker.sweep"))

      const run = Loop.forever(sweep, { pause: sweepEvery, level: "Warn", failure: "Old calls could not be deleted" })

      return CallRetentionWorker.of({ sweep, run })
    })
  )
}
