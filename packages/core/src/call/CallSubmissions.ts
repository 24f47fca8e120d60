import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Outage from "../storage/Outage.ts"
import * as ExternalWait from "../storage/ExternalWait.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { Call } from "./Call.ts"
import { ProviderRefused } from "./CallError.ts"
import { type Change, CallProgress } from "./CallProgress.ts"
import { CallProvider, ProviderCallId, type StartAnswer, type StartCall } from "./CallProvider.ts"
import { type Plan, ReconcilePlan, schedule } from "./ReconcilePlan.ts"

const isProviderCallId = Schema.is(ProviderCallId)

/** The answer to a start that is not asked for, because the call may be given up while the provider answers. */
const tooLate: StartAnswer = {
  _tag: "Refused",
  code: "start_too_late",
  reason: "the process was paused between the commit of the call and its start",
  retryable: true
}

/**
 * A call that is known to be the provider's, under its id: whatever became of the answer, the provider has it. An id
 * that cannot be kept is left out.
 */
export const withProviderCallId = (call: Call, providerCallId: string): Call =>
  call.providerCallId === null && isProviderCallId(providerCallId)
    ? { ...call, providerCallId, submission: "accepted" }
    : call

/**
 * What the provider's answer makes of a call; a report that was faster than the answer is not undone.
 *
 * A provider that refuses a call of which it has already reported something contradicts itself: the report counts.
 */
export const recordAnswer =
  (plan: Plan, answer: StartAnswer) =>
  (call: Call, now: DateTime.Utc): Change => {
    switch (answer._tag) {
      case "Accepted":
        return { call: schedule(plan, withProviderCallId(call, answer.providerCallId), 0, now), reports: [] }
      case "Refused":
        if (call.providerCallId !== null) return { call, reports: [] }
        return {
          call: { ...call, submission: "refused" },
          reports: [{ _tag: "Ended", status: "failed", answeredAt: null, endedAt: now, reason: answer.code }]
        }
      case "Unknown":
        return { call: call.submission === "intended" ? { ...call, submission: "unknown" } : call, reports: [] }
    }
  }

/** Asks the provider for calls that are kept as intended, and keeps its answers. */
export class CallSubmissions extends Context.Service<
  CallSubmissions,
  {
    /**
     * Asks once and records the answer (D-CALL-9). Not to be called inside a transaction.
     *
     * Answers the call as it was given, with the provider's id when it is known. An adapter that breaks or takes too
     * long has given no answer: it may have dialled. An answer that cannot be kept is left to the reconciler; the
     * provider's word still counts for the caller. Interruption ends the waiting for the answer, never the keeping of
     * it.
     */
    readonly submit: (call: Call, command: StartCall) => Effect.Effect<Call, ProviderRefused>
  }
>()("@frontdesk/core/call/CallSubmissions") {
  /** The service over the provider. */
  static readonly layer: Layer.Layer<CallSubmissions, never, CallProgress | CallProvider> = Layer.effect(
    CallSubmissions,
    Effect.gen(function* () {
      const progress = yield* CallProgress
      const provider = yield* CallProvider
      const plan = yield* ReconcilePlan

      const unknown = (cause: unknown) =>
        Effect.logWarning("It is not known whether the provider has taken a call", cause).pipe(
          Effect.as<StartAnswer>({ _tag: "Unknown", cause: String(cause) })
        )

      // A process that was paused may come here when the call was given up. The provider is then not asked to call.
      const start = Effect.fnUntraced(function* (call: Call, command: StartCall) {
        const latest = Timestamp.after(call.createdAt, Duration.subtract(plan.submissionWindow, plan.answerTimeout))
        return DateTime.isLessThan(yield* DateTime.now, latest) ? yield* provider.start(command) : tooLate
      })

      const ask = (call: Call, command: StartCall) =>
        start(call, command).pipe(
          Effect.timeoutOrElse({ duration: plan.answerTimeout, orElse: () => unknown("no answer in time") }),
          Effect.catchDefect(unknown),
          ExternalWait.around,
          Effect.flatMap((answer) =>
            answer._tag === "Accepted" && !isProviderCallId(answer.providerCallId)
              ? unknown("the provider's id of the call is not text of 1 to 200 characters")
              : Effect.succeed(answer)
          ),
          Effect.annotateLogs({ call: command.ref })
        )

      const keep = Effect.fnUntraced(function* (call: Call, answer: StartAnswer) {
        const kept = yield* progress.change({ id: call.id }, recordAnswer(plan, answer)).pipe(
          Effect.retry({ times: 3, while: (error) => error.isRetryable, schedule: Schedule.exponential("50 millis") }),
          Effect.catch((error) =>
            Outage.log("Error", "The provider's answer could not be kept", error).pipe(
              Effect.annotateLogs({ call: call.callId, answer: answer._tag }),
              Effect.as(Option.none<Call>())
            )
          )
        )
        if (answer._tag === "Refused" && !Option.exists(kept, ({ submission }) => submission !== "refused")) {
          return yield* new ProviderRefused({
            callId: call.callId,
            code: answer.code,
            reason: answer.reason,
            retryable: answer.retryable
          })
        }
        if (Option.isNone(kept)) return call
        const { providerCallId, submission } = kept.value
        return { ...call, providerCallId, submission }
      })

      return CallSubmissions.of({
        submit: Effect.fn("CallSubmissions.submit")((call, command) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(restore(ask(call, command)), (answer) => keep(call, answer))
          )
        )
      })
    })
  )
}
