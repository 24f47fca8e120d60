import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { WebhookResponse } from "./WebhookSender.ts"

/** The wait after each failed attempt. The attempt after the last wait is the last one. */
export type RetryPlan = ReadonlyArray<Duration.Duration>

/**
 * The plan of the contract: three retries, 1, 5 and 30 minutes after the end of the attempt before (C-6.4-2, D-DEL-2).
 */
export const contractPlan: RetryPlan = [Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)]

/** The next state of a delivery and the next status of its webhook after an attempt. */
export type Verdict = Pick<DeliveryResult, "next" | "webhookStatus">

/** Returns whether an attempt has succeeded: any 2xx. A redirect is a failure (D-DEL-3). */
export const isSuccess = (response: WebhookResponse): boolean =>
  response._tag === "Answered" && response.status >= 200 && response.status <= 299

/** Returns whether the receiver wants no more deliveries: 410 Gone (D-DEL-4). */
export const isGone = (response: WebhookResponse): boolean => response._tag === "Answered" && response.status === 410

/**
 * Returns what follows from an attempt that ended at `now` (C-6.4-2, C-6.4-3, D-DEL-3 to D-DEL-5).
 *
 * The plan counts recorded results, not claims. A manual attempt is not retried, and its failure does not change the
 * status of the webhook (D-DEL-8), except for a 410. Apply the status with {@link statusAfter}.
 */
export const next = (
  attempt: Pick<ClaimedDelivery, "kind" | "results">,
  response: WebhookResponse,
  now: DateTime.Utc,
  plan: RetryPlan
): Verdict => {
  if (isSuccess(response)) return { next: { state: "delivered" }, webhookStatus: "active" }
  if (isGone(response)) return { next: { state: "failed" }, webhookStatus: "disabled" }
  if (attempt.kind === "manual") return { next: { state: "failed" }, webhookStatus: null }
  const delay = plan[attempt.results]
  return delay === undefined
    ? { next: { state: "failed" }, webhookStatus: "failed" }
    : { next: { state: "pending", dueAt: Timestamp.after(now, delay) }, webhookStatus: null }
}

/**
 * Returns the status of a webhook after a verdict. A disabled webhook stays disabled, also after a success (D-HOOK-9). Any
 * other webhook becomes active again with its first success.
 */
export const statusAfter = <Status extends string>(
  status: Status,
  { webhookStatus }: Pick<Verdict, "webhookStatus">
): Status | NonNullable<Verdict["webhookStatus"]> => (status === "disabled" ? status : (webhookStatus ?? status))
