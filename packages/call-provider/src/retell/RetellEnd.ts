import type { CallEnd } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"

/** Reasons with which a call ends unanswered, and the status that follows. The first match counts. */
const unanswered = [
  // Telephone networks report a declined call as busy too.
  [/^(dial_busy|user_declined)$/, "busy"],
  [/^dial_no_answer$/, "no_answer"],
  [/^(dial_failed|invalid_destination|sip_routing_error|marked_as_spam)$|^telephony_provider_/, "failed"],
  [/^(concurrency_limit_reached|no_concurrency_fallback|registered_call_timeout|error_user_not_joined)$/, "failed"]
] as const

/** Reasons with which a call ended because of a failure. */
const broken = /^error_|^(scam_detected|no_valid_payment)$/

/**
 * Returns the end of a call from Retell's `disconnection_reason` (docs.retellai.com, Debug call disconnection).
 *
 * With an unknown reason the call counts as answered if it began and lasted. The result has the reason as Retell writes it.
 *
 * @param isConnected whether Retell's status of the call allows that it was answered
 */
export const endOf = (call: {
  readonly reason: string
  readonly isConnected: boolean
  readonly startedAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc
}): CallEnd => {
  const { endedAt, isConnected, reason, startedAt } = call
  const [, status] = unanswered.find(([pattern]) => pattern.test(reason)) ?? []
  if (status !== undefined) return { status, answeredAt: null, endedAt, reason }
  if (!isConnected || startedAt === null || startedAt.epochMilliseconds >= endedAt.epochMilliseconds) {
    return { status: reason === "manual_stopped" ? "cancelled" : "failed", answeredAt: null, endedAt, reason }
  }
  return { status: broken.test(reason) ? "failed" : "completed", answeredAt: startedAt, endedAt, reason }
}
