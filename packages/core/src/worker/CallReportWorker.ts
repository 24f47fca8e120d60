import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Claims from "../background/Claims.ts"
import { CallProvider, type CallReport } from "../call/CallProvider.ts"
import { Calls } from "../call/Calls.ts"

/** Applies what the provider reports by itself, one report after the other. */
export class CallReportWorker extends Context.Service<
  CallReportWorker,
  {
    /**
     * Runs until the provider's stream ends.
     *
     * A report is tried until storage takes it, for as long as storage says that trying helps. One that can never be
     * applied is logged and left to the reconciler.
     */
    readonly run: Effect.Effect<void>
  }
>()("@frontdesk/core/worker/CallReportWorker") {
  /** The worker over the provider and the calls. */
  static readonly layer: Layer.Layer<CallReportWorker, never, CallProvider | Calls> = Layer.effect(
    CallReportWorker,
    Effect.gen(function* () {
      const provider = yield* CallProvider
      const calls = yield* Calls

      const take = Effect.fn("CallReportWorker.take")(function* (event: CallReport) {
        const isKnown = yield* calls.applyReport(event).pipe(
          Effect.retry({
            while: (error) => error._tag === "StorageError" && error.isRetryable,
            schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
          })
        )
        if (!isKnown) yield* Effect.logWarning("A report names no call")
      })

      const run = Stream.runForEach(provider.reports, (event) =>
        take(event).pipe(
          Claims.orElse("A report could not be applied", Effect.void),
          Effect.annotateLogs({ providerCallId: event.providerCallId, report: event.report._tag })
        )
      )

      return CallReportWorker.of({ run })
    })
  )
}
