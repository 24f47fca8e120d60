import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Acting from "../audit/Acting.ts"
import * as Claims from "../background/Claims.ts"
import { CallProvider, type CallReport } from "../call/CallProvider.ts"
import { Calls } from "../call/Calls.ts"
import * as Tracing from "../values/Tracing.ts"

/** Applies the reports of the provider's stream to calls, one after the other. */
export class CallReportWorker extends Context.Service<
  CallReportWorker,
  {
    /**
     * Runs until the provider's stream ends.
     *
     * When the storage fails with an error that may pass, the report is retried until it is stored. The pauses grow
     * from 100 milliseconds to 5 seconds. A report that cannot be applied is logged. `CallReconciliationWorker` asks
     * about that call later.
     */
    readonly run: Effect.Effect<void>
  }
>()("@frontdesk/core/worker/CallReportWorker") {
  /** The worker on the provider and the calls. */
  static readonly layer: Layer.Layer<CallReportWorker, never, CallProvider | Calls> = Layer.effect(
    CallReportWorker,
    Effect.gen(function* () {
      const provider = yield* CallProvider
      const calls = yield* Calls

      const apply = Tracing.operation("CallReportWorker.apply")(function* (callReport: CallReport) {
        const isKnown = yield* calls.applyReport(callReport).pipe(
          Effect.retry({
            while: (error) => error._tag === "StorageError" && error.isRetryable,
            schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
          })
        )
        if (!isKnown)
          yield* Effect.logWarning("The call provider reported on an unknown call, and the report is ignored")
      })

      const run = Stream.runForEach(provider.reports, (callReport) =>
        apply(callReport).pipe(
          Acting.by("provider", provider.name),
          Claims.orElse("A report of the call provider could not be applied", Effect.void),
          Effect.annotateLogs({ providerCallId: callReport.providerCallId, report: callReport.report._tag })
        )
      )

      return CallReportWorker.of({ run })
    })
  )
}
