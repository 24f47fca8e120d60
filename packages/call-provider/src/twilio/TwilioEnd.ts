import type { CallEnd } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const unanswered = { busy: "busy", "no-answer": "no_answer", failed: "failed", canceled: "cancelled" } as const

/** The status of a call that has ended. */
export type TerminalStatus = "completed" | keyof typeof unanswered

/** Returns whether a call with a status has ended. */
export const isTerminal = (status: string): status is TerminalStatus =>
  status === "completed" || Object.hasOwn(unanswered, status)

/** The data of an ended call that both its last callback and its resource have. */
export interface EndedCall {
  readonly status: TerminalStatus
  readonly endedAt: DateTime.Utc
  /** The duration of the conversation in seconds. Null when Twilio reports none. */
  readonly durationSeconds: number | null
  /** The result of answering machine detection: `human`, `fax`, `unknown` or `machine_…`. Null without detection. */
  readonly answeredBy: string | null
}

/**
 * Returns the end of a call.
 *
 * It uses only data that both the last callback and the resource have, so that both lead to the same end. The time of the
 * answer is the end minus the duration. A call that is `completed` without a duration was not answered.
 */
export const endOf = ({ answeredBy, durationSeconds, endedAt, status }: EndedCall): CallEnd => {
  if (status === "completed") {
    if (durationSeconds === null) return { status: "no_answer", answeredAt: null, endedAt, reason: status }
    const answeredAt = DateTime.subtract(endedAt, { seconds: durationSeconds })
    return { status: "completed", answeredAt, endedAt, reason: reasonOf(answeredBy) }
  }
  // Twilio also writes a duration of 0 for a call that was not answered.
  const isTalked = durationSeconds !== null && durationSeconds > 0
  const answeredAt = isTalked ? DateTime.subtract(endedAt, { seconds: durationSeconds }) : null
  return { status: unanswered[status], answeredAt, endedAt, reason: status }
}

const reasonOf = (answeredBy: string | null): string => {
  if (answeredBy?.startsWith("machine") === true) return "voicemail"
  return answeredBy === "fax" ? "fax" : "completed"
}

/** Parses a date of RFC 2822, the form of all dates of Twilio. Returns none for any other text. */
export const parseDate = (text: string): Option.Option<DateTime.Utc> =>
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}$/.test(text)
    ? DateTime.make(text)
    : Option.none()

/** Parses a duration in seconds. Returns null when there is none, or when the text is not a number. */
export const parseSeconds = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
