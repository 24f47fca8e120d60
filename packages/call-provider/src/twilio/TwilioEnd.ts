import type { CallEnd } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const unanswered = { busy: "busy", "no-answer": "no_answer", failed: "failed", canceled: "cancelled" } as const

/** A status of a call that has ended. */
export type TerminalStatus = "completed" | keyof typeof unanswered

/** Whether a call with a status has ended. */
export const isTerminal = (status: string): status is TerminalStatus =>
  status === "completed" || Object.hasOwn(unanswered, status)

/** What Twilio tells of a call that has ended, in a callback and in its resource alike. */
export interface EndedCall {
  readonly status: TerminalStatus
  readonly endedAt: DateTime.Utc
  /** The seconds talked; null when it was never answered. */
  readonly durationSeconds: number | null
  /** What the detection of answering machines found: `human`, `fax`, `unknown` or `machine_…`; null without it. */
  readonly answeredBy: string | null
}

/**
 * The end of a call.
 *
 * It is computed from what the last callback and the resource both say, so that it is the same whichever comes first. It
 * was answered as long before its end as it was talked; `completed` without a duration was never answered.
 */
export const endOf = ({ answeredBy, durationSeconds, endedAt, status }: EndedCall): CallEnd => {
  if (status === "completed") {
    if (durationSeconds === null) return { status: "no_answer", answeredAt: null, endedAt, reason: status }
    const answeredAt = DateTime.subtract(endedAt, { seconds: durationSeconds })
    return { status: "completed", answeredAt, endedAt, reason: reasonOf(answeredBy) }
  }
  // Twilio writes 0 for a call that nobody has answered as well.
  const isTalked = durationSeconds !== null && durationSeconds > 0
  const answeredAt = isTalked ? DateTime.subtract(endedAt, { seconds: durationSeconds }) : null
  return { status: unanswered[status], answeredAt, endedAt, reason: status }
}

const reasonOf = (answeredBy: string | null): string => {
  if (answeredBy?.startsWith("machine") === true) return "voicemail"
  return answeredBy === "fax" ? "fax" : "completed"
}

/** A date of RFC 2822, as Twilio writes all of them. */
export const parseDate = (text: string): Option.Option<DateTime.Utc> =>
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}$/.test(text)
    ? DateTime.make(text)
    : Option.none()

/** A duration in seconds; null when there is none. */
export const parseSeconds = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
