import type { CallEnd } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"

/** Reasons by which a call was never answered, and what it then was, the first that fits. */
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

/** Reasons by which somebody ended a call on purpose; one that was not answered by then was cancelled. */
const onPurpose = /^manually-canceled$|^assistant-ended-call/

/** Reasons of calls that did not end as anybody meant. */
const broken = /error|fault|^worker-shutdown$|closed-websocket$/

/**
 * The end of a call by Vapi's `endedReason`, of which there are some hundreds: judged by how they begin and end.
 *
 * What is not known was answered if it began and lasted. The reason is Vapi's own word.
 */
export const endOf = (call: {
  readonly endedReason: string
  readonly startedAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc
}): CallEnd => {
  const { endedAt, endedReason: reason, startedAt } = call
  const [, never] = unanswered.find(([form]) => form.test(reason)) ?? []
  if (never !== undefined) return { status: never, answeredAt: null, endedAt, reason }
  if (startedAt === null || startedAt.epochMilliseconds >= endedAt.epochMilliseconds) {
    return { status: onPurpose.test(reason) ? "cancelled" : "failed", answeredAt: null, endedAt, reason }
  }
  return { status: broken.test(reason) ? "failed" : "completed", answeredAt: startedAt, endedAt, reason }
}
