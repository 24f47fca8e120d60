import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Call } from "./Call.ts"
import type { CallEnd } from "./CallProvider.ts"

/** When to ask a provider that is silent about a call, and when to stop waiting for it. */
export interface Plan {
  /** How long to wait before each question since the provider last said something; the last one repeats. */
  readonly delays: readonly [Duration.Duration, ...ReadonlyArray<Duration.Duration>]
  /** How long after its start a call that the provider does not know may still turn up. */
  readonly submissionWindow: Duration.Duration
  /** The longest a provider is asked to let a call last. */
  readonly longestCall: Duration.Duration
  /** How much longer than that a call may take in all, with waiting and ringing. */
  readonly margin: Duration.Duration
}

/** After 15 s, 30 s, 60 s, then every 2 minutes; found within 2 minutes; one hour of talk and ten minutes around it. */
export const standard: Plan = {
  delays: [Duration.seconds(15), Duration.seconds(30), Duration.seconds(60), Duration.minutes(2)],
  submissionWindow: Duration.minutes(2),
  longestCall: Duration.hours(1),
  margin: Duration.minutes(10)
}

/** The plan in use; {@link standard} unless another is provided. */
export const ReconcilePlan: Context.Reference<Plan> = Context.Reference<Plan>("@frontdesk/core/call/ReconcilePlan", {
  defaultValue: () => standard
})

/** When to ask next, after so many questions since the provider last said something. */
export const nextAt = (plan: Plan, asked: number, now: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(now, plan.delays[Math.min(asked, plan.delays.length - 1)] ?? plan.delays[0])

/** Whether a call the provider does not know will not turn up any more. */
export const isLost = (plan: Plan, call: Pick<Call, "createdAt">, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(call.createdAt, plan.submissionWindow))

/** Whether the call has taken longer than any call may. */
export const isOverdue = (plan: Plan, call: Pick<Call, "createdAt">, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(
    now,
    DateTime.addDuration(call.createdAt, Duration.sum(plan.longestCall, plan.margin))
  )

/** The reason of an end that no provider reported (Decisions 4). */
export const timeoutReason = "provider_timeout"

/**
 * The end of a call whose provider has stopped speaking of it.
 *
 * One that was answered ends when the provider last said something, because time nobody knows to have been talked is
 * not billed; one that never was ends now.
 */
export const timeout = (call: Pick<Call, "startedAt" | "updatedAt">, now: DateTime.Utc): CallEnd =>
  call.startedAt === null
    ? { status: "failed", answeredAt: null, endedAt: now, reason: timeoutReason }
    : { status: "completed", answeredAt: call.startedAt, endedAt: call.updatedAt, reason: timeoutReason }
