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

/** What has come of hanging up: the call `ends`, which the provider still has to report, or `had_ended` by itself. */
export interface HungUpCall {
  readonly outcome: "ends" | "had_ended"
  /** The call as it stands. */
  readonly call: Call
}

/**
 * What the provider's answer makes of a call that has not ended: its end is not taken from the answer but asked for, if
 * it is not reported, because only the provider knows when and how it was.
 */
export const awaitEnd =
  (plan: Plan, answer: Exclude<HangUpAnswer, { readonly _tag: "Unknown" }>) =>
  (call: Call, now: DateTime.Utc): Change => {
    if (isTerminal(call.status)) return { call, reports: [] }
    if (answer._tag === "AlreadyOver") return { call: { ...call, reconcileAt: now }, reports: [] }
    const asked = schedule(plan, call, 0, now)
    // A question that is planned is not put off: a call that is hung up again and again would never be asked about.
    const [planned, next] = [call.reconcileAt, asked.reconcileAt]
    const reconcileAt = planned === null || next === null ? next : DateTime.min(planned, next)
    return { call: { ...asked, reconcileAt }, reports: [] }
  }

/** Asks the provider to end calls. */
export class HangUps extends Context.Service<
  HangUps,
  {
    /**
     * Ends a call; of one that has ended nobody is asked. Not to be called inside a transaction.
     *
     * A call that the provider does not know yet may be on its way to it, so it is not called cancelled: that is
     * `CallNotHungUp` too, and may be asked again. A repeat is harmless.
     */
    readonly hangUp: (call: Call) => Effect.Effect<HungUpCall, CallNotHungUp | StorageError>
    /** Asks the provider to end a call that was given up and is live after all. A failure is logged. */
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
        hangUpTimedOut: Effect.fn("HangUps.hangUpTimedOut")(function* (call) {
          const answer = yield* ask(call)
          if (answer._tag === "Unknown") {
            yield* Effect.logWarning("A call that was given up is live and could not be hung up", answer.cause)
          } else {
            yield* Effect.logWarning("A call that was given up was live and is hung up")
          }
        }),
        hangUp: Effect.fn("HangUps.hangUp")(function* (call) {
          if (isTerminal(call.status)) return { outcome: "had_ended", call }
          const answer = yield* ask(call)
          if (answer._tag === "Unknown") {
            return yield* new CallNotHungUp({ callId: call.callId, cause: answer.cause })
          }
          const kept = yield* progress.change({ id: call.id }, awaitEnd(plan, answer))
          return {
            outcome: answer._tag === "Ended" ? "ends" : "had_ended",
            call: Option.getOrElse(kept, () => call)
          }
        })
      })
    })
  )
}
