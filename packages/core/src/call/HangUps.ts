import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ExternalWait from "../storage/ExternalWait.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { type Call, knownCall } from "./Call.ts"
import { CallNotHungUp } from "./CallError.ts"
import { type Change, CallProgress } from "./CallProgress.ts"
import { CallProvider, type HangUpAnswer } from "./CallProvider.ts"
import { isTerminal } from "./CallStatus.ts"
import { type Plan, ReconcilePlan, schedule } from "./ReconcilePlan.ts"
import * as Tracing from "../values/Tracing.ts"

/**
 * The result of hanging up. With `ends`, the provider ends the call and reports that later. `had_ended`: it ended before.
 */
export interface HungUpCall {
  readonly outcome: "ends" | "had_ended"
  /** The call as it is stored now. It may still run. */
  readonly call: Call
}

/**
 * Returns a function that changes a call after a request to hang it up. The answer does not end the call, because only the
 * provider knows when and how it ended. The change schedules a question to the provider, in case it does not report the
 * end. A call that has ended meanwhile stays as it is.
 */
export const awaitEnd =
  (plan: Plan, answer: Exclude<HangUpAnswer, { readonly _tag: "Unknown" }>) =>
  (call: Call, now: DateTime.Utc): Change => {
    if (isTerminal(call.status)) return { call, reports: [] }
    if (answer._tag === "AlreadyOver") return { call: { ...call, reconcileAt: now }, reports: [] }
    const asked = schedule(plan, call, 0, now)
    // A question that is due sooner keeps its time (D-CALL-31). Otherwise repeated hang-ups would postpone it again and
    // again.
    const [planned, next] = [call.reconcileAt, asked.reconcileAt]
    const reconcileAt = planned === null || next === null ? next : DateTime.min(planned, next)
    return { call: { ...asked, reconcileAt }, reports: [] }
  }

/** Asks the provider to end calls. */
export class HangUps extends Context.Service<
  HangUps,
  {
    /**
     * Asks the provider to end a call. A call that has ended is returned without asking. Must not run inside a transaction,
     * because it waits for the provider.
     *
     * Fails with `CallNotHungUp` when the provider gives no usable answer, or does not know the call. In the second case
     * the request to start the call may still be on its way to the provider. A caller may repeat a hang-up.
     *
     * @param isRequested whether a caller requests the hang-up. Then the audit log gets an entry. Hang-ups by workers have none,
     *   because a worker repeats them until the call ends (D-AUD-6).
     */
    readonly hangUp: (call: Call, isRequested?: boolean) => Effect.Effect<HungUpCall, CallNotHungUp | StorageError>
    /**
     * Asks the provider to end a call that was given up and proved to be live (D-CALL-36). It logs the result and never
     * fails.
     */
    readonly hangUpTimedOut: (call: Call) => Effect.Effect<void>
  }
>()("@frontdesk/core/call/HangUps") {
  /** The service over the provider. */
  static readonly layer: Layer.Layer<HangUps, never, CallProgress | CallProvider> = Layer.effect(
    HangUps,
    Effect.gen(function* () {
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const plan = yield* ReconcilePlan

      const ask = (call: Call) =>
        Effect.suspend(() => provider.hangUp(knownCall(call))).pipe(
          Effect.timeoutOrElse({
            duration: plan.answerTimeout,
            orElse: () => Effect.succeed<HangUpAnswer>({ _tag: "Unknown", cause: "no answer in time" })
          }),
          Effect.catchDefect((defect) => Effect.succeed<HangUpAnswer>({ _tag: "Unknown", cause: String(defect) })),
          ExternalWait.around
        )

      return HangUps.of({
        hangUpTimedOut: Tracing.operation("HangUps.hangUpTimedOut")(function* (call) {
          const answer = yield* ask(call)
          if (answer._tag === "Unknown") {
            yield* Effect.logWarning("A call that was given up is still live, and hanging it up failed", answer.cause)
          } else {
            yield* Effect.logWarning("A call that was given up was still live and has been hung up")
          }
        }),
        hangUp: Tracing.operation("HangUps.hangUp")(function* (call, isRequested = false) {
          if (isTerminal(call.status)) return { outcome: "had_ended", call }
          const answer = yield* ask(call)
          if (answer._tag === "Unknown") {
            return yield* new CallNotHungUp({ callId: call.callId, cause: answer.cause })
          }
          const changed = yield* progress.change({ id: call.id }, awaitEnd(plan, answer), isRequested)
          return {
            outcome: answer._tag === "Ended" ? "ends" : "had_ended",
            call: Option.getOrElse(changed, () => call)
          }
        })
      })
    })
  )
}
