import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { WebhookResponse } from "./WebhookSender.ts"

/** How long to wait after each failure; when they are used up the next failure is the last. */
export type RetryPlan = ReadonlyArray<Duration.Duration>

/** Three retries, 1, 5 and 30 minutes after the end of the attempt before (C-6.4-2, D-DEL-2). */
export const contractPlan: RetryPlan = [Duration.minutes(1), Duration.minutes(5), Duration.minutes(30)]

/** What follows from an attempt: where its delivery goes, and what that says of its webhook. */
export type Verdict = Pick<DeliveryResult, "next" | "webhookStatus">

/** Whether the receiver took the delivery: any 2xx; a redirect is a failure (D-DEL-3). */
export const isSuccess = (response: WebhookResponse): boolean =>
  response._tag === "Answered" && response.status >= 200 && response.status <= 299

/** Whether the receiver wants no more deliveries at all: 410 Gone (D-DEL-4). */
export const isGone = (response: WebhookResponse): boolean => response._tag === "Answered" && response.status === 410

/**
 * What follows from an answer that came at `now` (C-6.4-2, C-6.4-3, D-DEL-5).
 *
 * The plan counts recorded results, never how often a delivery was taken. A manual attempt has no plan: it is one try,
 * and its failure says nothing about the webhook. Any success makes the webhook active again.
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
