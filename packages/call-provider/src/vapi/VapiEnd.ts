import type { CallEnd } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"

/** Reasons with which a call ends unanswered, and the status that follows. The first match counts. */
const unanswered = [
  [/^customer-busy$/, "busy"],
  [/^customer-did-not-answer$/, "no_answer"],
  [/^(scheduled-)?call-deleted$/, "cancelled"],
  [/^call[.-](start|ringing)[.-]/, "failed"],
  [/^assistant-(request|not)-|^(twilio|vonage)-(failed-to-connect|rejected|reported)/, "failed"],
  [
    /outbound-sip-\d{3}|failed-to-connect|never-connected|call-not-active|connection-to-transport-missing|join-timed-out|no-call-received/,
    "failed"
  ],
  [/^customer-did-not-give-microphone-permission$/, "failed"]
] as const

/** Reasons with which a call was ended intentionally. If it was not answered before, its status is `cancelled`. */
const onPurpose = /^manually-canceled$|^assistant-ended-call/

/** Reasons with which a call ended because of a failure. */
const broken = /error|fault|^worker-shutdown$|closed-websocket$/

/**
 * Returns the end of a call from Vapi's `endedReason`. There are several hundred reasons, so they are matched by patterns.
 *
 * With an unknown reason the call counts as answered if it began and lasted. The result has the reason as Vapi writes it.
 */
export const endOf = (call: {
  readonly endedReason: string
  readonly startedAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc
}): CallEnd => {
  const { endedAt, endedReason: reason, startedAt } = call
  const [, status] = unanswered.find(([pattern]) => pattern.test(reason)) ?? []
  if (status !== undefined) return { status, answeredAt: null, endedAt, reason }
  if (startedAt === null || startedAt.epochMilliseconds >= endedAt.epochMilliseconds) {
    return { status: onPurpose.test(reason) ? "cancelled" : "failed", answeredAt: null, endedAt, reason }
  }
  return { status: broken.test(reason) ? "failed" : "completed", answeredAt: startedAt, endedAt, reason }
}
