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
import * as Tracing from "../values/Tracing.ts"
import type { Call } from "./Call.ts"
import { ProviderRefused } from "./CallError.ts"
import { type Change, CallProgress } from "./CallProgress.ts"
import { CallProvider, ProviderCallId, type StartAnswer, type StartCall } from "./CallProvider.ts"
import { type Plan, ReconcilePlan, schedule } from "./ReconcilePlan.ts"

const isProviderCallId = Schema.is(ProviderCallId)

/** The answer for a call whose start comes too late (D-CALL-35). The provider is not asked. */
const tooLate: StartAnswer = {
  _tag: "Refused",
  code: "start_too_late",
  reason: "the process was paused between the commit of the call and the request to the provider",
  retryable: true
}

/**
 * Returns the call with the provider's id, and with submission `accepted`, because the id proves that the provider has the
 * call. Returns the call unchanged when it has an id already, or when the id is not a {@link ProviderCallId}.
 */
export const withProviderCallId = (call: Call, providerCallId: string): Call =>
  call.providerCallId === null && isProviderCallId(providerCallId)
    ? { ...call, providerCallId, submission: "accepted" }
    : call

/**
 * Returns a function that changes a call by the provider's answer to its start.
 *
 * A report may arrive before the answer, and the answer does not undo it. When the provider has reported about a call and
 * then refuses it, the refusal is ignored (D-CALL-10).
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

/** Asks the provider to start calls that are stored as `intended`, and records its answers. */
export class CallSubmissions extends Context.Service<
  CallSubmissions,
  {
    /**
     * Asks the provider once to start a call, and records the answer (D-CALL-9). Must not run inside a transaction, because
     * the call must be committed before the provider is asked (D-CALL-8).
     *
     * Returns `call` with its submission and provider's id. Fails with `ProviderRefused` when the provider refuses the
     * call. An adapter that throws or does not answer within `Plan.answerTimeout` counts as `Unknown`, because it may have
     * dialled.
     *
     * When the storage cannot record the answer, reconciliation finds out the state of the call, and the caller still
     * receives the provider's answer. An interruption ends the wait for the answer. It does not stop recording an answer
     * that was received.
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
        Effect.logWarning(
          "The provider did not say whether it has the call. Reconciliation will ask it later",
          cause
        ).pipe(Effect.as<StartAnswer>({ _tag: "Unknown", cause: String(cause) }))

      // A process that was paused may reach this when the call was given up. A start now would call a person for a call
      // that counts as failed.
      const start = Effect.fnUntraced(function* (call: Call, command: StartCall) {
        const latest = Timestamp.after(call.createdAt, Duration.subtract(plan.submissionWindow, plan.answerTimeout))
        return DateTime.isLessThan(yield* DateTime.now, latest) ? yield* provider.start(command) : tooLate
      })

      const submit = (call: Call, command: StartCall) =>
        start(call, command).pipe(
          Effect.timeoutOrElse({ duration: plan.answerTimeout, orElse: () => unknown("no answer in time") }),
          Effect.catchDefect(unknown),
          ExternalWait.around,
          Effect.flatMap((answer) =>
            answer._tag === "Accepted" && !isProviderCallId(answer.providerCallId)
              ? unknown("the provider's id of the call is not a text of 1 to 200 characters")
              : Effect.succeed(answer)
          ),
          Effect.annotateLogs({ call: command.ref })
        )

      const record = Effect.fnUntraced(function* (call: Call, answer: StartAnswer) {
        const recorded = yield* progress.change({ id: call.id }, recordAnswer(plan, answer)).pipe(
          Effect.retry({ times: 3, while: (error) => error.isRetryable, schedule: Schedule.exponential("50 millis") }),
          Effect.catch((error) =>
            Outage.log("Error", "The provider's answer to a call could not be recorded", error).pipe(
              Effect.annotateLogs({ call: call.callId, answer: answer._tag }),
              Effect.as(Option.none<Call>())
            )
          )
        )
        if (answer._tag === "Refused" && !Option.exists(recorded, ({ submission }) => submission !== "refused")) {
          return yield* new ProviderRefused({
            callId: call.callId,
            code: answer.code,
            reason: answer.reason,
            retryable: answer.retryable
          })
        }
        if (Option.isNone(recorded)) return call
        const { providerCallId, submission } = recorded.value
        return { ...call, providerCallId, submission }
      })

      return CallSubmissions.of({
        submit: Tracing.operation("CallSubmissions.submit")(function* (call, command) {
          return yield* Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(restore(submit(call, command)), (answer) => record(call, answer))
          )
        })
      })
    })
  )
}
