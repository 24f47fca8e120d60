import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { type CallEventName, namesOf } from "./CallWebhookEvent.ts"
import { isErased } from "./ErasedCall.ts"
import type { Call } from "./Call.ts"
import type { CallEnd, ProviderReport } from "./CallProvider.ts"
import { advance, isTerminal } from "./CallStatus.ts"
import * as JsonSize from "../values/JsonSize.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { timeoutReason } from "./ReconcilePlan.ts"

/** The result of applying a report to a call. */
export interface Applied {
  /** The call after the report. It is the same object when the report brought nothing new. */
  readonly call: Call
  /** The names of the webhook events that follow, in order (D-EVT-1). */
  readonly events: ReadonlyArray<CallEventName>
  /** Whether the charge must be settled, because the report ended the call or corrected its end. */
  readonly settle: boolean
}

/**
 * Applies a provider report to a call (D-CALL-20). It is a pure function: `now` is when the report is applied.
 *
 * The reports of one call lead to the same call and the same webhook events in any order and with any repeats, as long as
 * they do not contradict each other:
 *
 * - A status changes only to one of a higher rank (D-CALL-20). The first end is final (D-CALL-21), and it states by itself
 *   when the call was answered.
 * - The first transcript, recording and summary count, also after the end (D-CALL-22).
 * - Frontdesk itself ends a call that is given up. When the provider's own end arrives later, it corrects the times and the
 *   reason once. The status stays (D-CALL-34).
 * - An answer in the future counts as given at `now` (D-CALL-26).
 * - Reports may contradict each other about the answer, and then their order counts. After "answered", an end "never
 *   answered" leaves the call answered. After an end "never answered", a later "answered" is ignored (D-CALL-24).
 */
export const apply = (call: Call, report: ProviderReport, now: DateTime.Utc): Applied => {
  const next = merge(call, report, now)
  if (next === call) return { call, events: [], settle: false }
  return {
    call: { ...next, updatedAt: now },
    events: namesOf(call, next),
    settle: isTerminal(next.status) && next.endedAt !== call.endedAt
  }
}

const merge = (call: Call, report: ProviderReport, now: DateTime.Utc): Call => {
  if (isErased(call) && (report._tag === "Transcript" || report._tag === "Recording" || report._tag === "Summary"))
    return call
  switch (report._tag) {
    case "Ringing": {
      const status = advance(call.status, "ringing")
      return status === call.status ? call : { ...call, status }
    }
    case "Answered": {
      if (isTerminal(call.status)) return call
      const startedAt = notBefore(call, DateTime.min(report.at, now))
      if (call.startedAt !== null && DateTime.isLessThanOrEqualTo(call.startedAt, startedAt)) return call
      return { ...call, status: advance(call.status, "in_progress"), startedAt }
    }
    case "Ended": {
      if (isTerminal(call.status) && !correctsEnd(call, report.reason)) return call
      const times = plausibleTimes(call, report, now)
      return {
        ...call,
        status: isTerminal(call.status) ? call.status : report.status,
        startedAt: times.answeredAt ?? call.startedAt,
        endedAt: times.endedAt,
        endedReason: storable(report.reason.slice(0, maxReasonLength))
      }
    }
    case "Transcript":
      return call.transcript === null ? { ...call, transcript: storable(report.text) } : call
    case "Recording": {
      const recordingUrl = storable(report.url)
      return call.recordingUrl === null && JsonSize.bytesOf(recordingUrl) <= maxUrlBytes
        ? { ...call, recordingUrl }
        : call
    }
    case "Summary":
      return call.summary === null ? { ...call, summary: storable(report.text) } : call
    // This is what the provider charges the operator. The account pays its own price per minute (D-BILL-14).
    case "Cost":
      return call
  }
}

/** The maximum stored length of the reason of an end, in UTF-16 code units (D-CALL-28). */
const maxReasonLength = 200

/**
 * The maximum size of the URL of a recording, in bytes of JSON (D-CALL-28). A longer URL is not stored, because a truncated
 * URL would not work.
 */
const maxUrlBytes = 2_048

/** How far the clock of a provider may be behind or ahead of ours. */
const clockSkew = Duration.minutes(1)

/** How long the first report of an inbound call may be late, which stores the call: as long as a call is billed at most. */
const maxDelay = Duration.minutes(70)

/**
 * Returns `at`, but at the earliest one minute before the call was made (D-CALL-25). Without this bound, one wrong time of
 * the provider would reserve the whole balance and charge the maximum duration. An inbound call may have been made long
 * before its first report stored it.
 */
const notBefore = (call: Call, at: DateTime.Utc): DateTime.Utc =>
  DateTime.max(at, Timestamp.before(call.createdAt, call.type === "inbound" ? maxDelay : clockSkew))

/**
 * Returns the times of a reported end. An end more than a minute in the future counts as one minute in the future.
 * Otherwise one wrong time would charge the maximum duration. The answer is moved by the same amount: both times are
 * from the same clock, and the time between them is charged (D-CALL-26).
 */
const plausibleTimes = (call: Call, { answeredAt, endedAt }: CallEnd, now: DateTime.Utc) => {
  const milliseconds = Timestamp.millisBetween(Timestamp.after(now, clockSkew), endedAt)
  const moved = (at: DateTime.Utc): DateTime.Utc => notBefore(call, DateTime.subtract(at, { milliseconds }))
  return { answeredAt: answeredAt === null ? null : moved(answeredAt), endedAt: moved(endedAt) }
}

const correctsEnd = (call: Call, reason: string): boolean =>
  call.endedReason === timeoutReason && reason !== timeoutReason

/**
 * Returns a text without U+0000, with U+FFFD for each half of a surrogate pair. PostgreSQL cannot store them, and the
 * transaction that ends a call would fail because of its transcript.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "")
