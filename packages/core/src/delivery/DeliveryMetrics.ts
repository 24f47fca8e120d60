import type * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Option from "effect/Option"
import { millisBetween } from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { WebhookResponse } from "./WebhookSender.ts"

/**
 * The outcome of an attempt: the delivery is delivered, is retried or has failed, or the receiver answered 410, which
 * disables its webhook.
 */
export type Outcome = "delivered" | "retry" | "failed" | "disabled"

/** Counts attempts by result ({@link Outcome}) and by class of answer (`2xx` to `5xx`, or `none` without an answer). */
export const attempts = Metric.counter("frontdesk_webhook_attempts", {
  description: "Attempts to deliver a webhook event, by result and class of answer",
  incremental: true
})

/** The duration of attempts, in milliseconds. */
export const durations = Metric.histogram("frontdesk_webhook_attempt_duration_ms", {
  description: "Duration of attempts to deliver a webhook event",
  boundaries: [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
})

/** The time from when a delivery was due until its attempt began, in milliseconds: median and 99th percentile. */
export const lag = Metric.summary("frontdesk_webhook_lag_ms", {
  description: "Delay of attempts to deliver a webhook event, from when the delivery was due until the attempt began",
  maxAge: "10 minutes",
  maxSize: 5_000,
  quantiles: [0.5, 0.99]
})

/** The time since the delivery that has waited longest became due, in milliseconds; 0 when none is due. */
export const oldestDue = Metric.gauge("frontdesk_webhook_oldest_due_ms", {
  description: "For how long the delivery that has waited longest has been due"
})

/** The number of deliveries that this process has in flight: claimed, and without a recorded result. */
export const inFlight = Metric.gauge("frontdesk_webhook_in_flight", {
  description: "Deliveries claimed by this process that have no recorded result yet"
})

/** Counts results that were not recorded, because the delivery was cancelled, deleted or claimed again before. */
export const lostLeases = Metric.counter("frontdesk_webhook_lost_leases", {
  description: "Results of webhook attempts that came after their lease was lost",
  incremental: true
})

/** Counts deliveries that were postponed because the secret of their webhook could not be opened. */
export const unreadable = Metric.counter("frontdesk_webhook_unreadable_secrets", {
  description: "Deliveries postponed because the secret of their webhook cannot be opened",
  incremental: true
})

/** Returns the outcome of a result. */
export const outcomeOf = ({ next, webhookStatus }: Pick<DeliveryResult, "next" | "webhookStatus">): Outcome => {
  if (webhookStatus === "disabled") return "disabled"
  return next.state === "pending" ? "retry" : next.state
}

/** Updates the metrics {@link attempts}, {@link durations} and {@link lag} with an attempt. */
export const attempted = (
  delivery: Pick<ClaimedDelivery, "dueAt">,
  { attempt }: Pick<DeliveryResult, "attempt">,
  outcome: Outcome,
  response: WebhookResponse
): Effect.Effect<void> =>
  // Without an effect for each metric, because an attempt costs hardly more.
  Effect.contextWith((context: Context.Context<never>) => {
    attemptsOf(outcome, classOf(response)).updateUnsafe(1, context)
    durations.updateUnsafe(attempt.durationMs, context)
    lag.updateUnsafe(millisBetween(delivery.dueAt, attempt.startedAt), context)
    return Effect.void
  })

/** Sets {@link oldestDue} from the earliest due time of a delivery; none when no delivery waits. */
export const updateOldestDue = (oldest: Option.Option<DateTime.Utc>, now: DateTime.Utc): Effect.Effect<void> =>
  Metric.update(oldestDue, oldest._tag === "None" ? 0 : millisBetween(oldest.value, now))

const classOf = (response: WebhookResponse): string =>
  response._tag === "Answered" ? `${Math.floor(response.status / 100)}xx` : "none"

const counters = new Map<string, typeof attempts>()

const attemptsOf = (result: Outcome, answer: string): typeof attempts => {
  const name = `${result} ${answer}`
  const known = counters.get(name)
  if (known !== undefined) return known
  const counter = Metric.withAttributes(attempts, { result, answer })
  counters.set(name, counter)
  return counter
}
