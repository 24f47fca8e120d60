import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { type CallEventName, namesOf } from "./CallWebhookEvent.ts"
import type { Call } from "./Call.ts"
import type { CallEnd, ProviderReport } from "./CallProvider.ts"
import { advance, isTerminal } from "./CallStatus.ts"
import * as JsonSize from "../values/JsonSize.ts"
import * as Timestamp from "../values/Timestamp.ts"
import { timeoutReason } from "./ReconcilePlan.ts"

/** What a report makes of a call. */
export interface Applied {
  /** The call afterwards; the same object when the report said nothing new. */
  readonly call: Call
  /** What happened by it, in order (D-EVT-1). */
  readonly events: ReadonlyArray<CallEventName>
  /** Whether the call ended by it, or its end was corrected, so that its charge is to be settled. */
  readonly settle: boolean
}

/**
 * Applies what a provider reports to a call (D-CALL-20).
 *
 * The same reports end in the same call with the same events, in whatever order and however often they come: a status
 * only moves to a higher rank, the first end is final and says by itself when the call was answered, and of each other
 * thing the first report counts. Data may come after the end.
 *
 * The end of a call that was given up is not the provider's word: the provider's own end, when it comes later, corrects
 * the times and the reason once, and leaves the status.
 *
 * No call was answered after the report that says so: of a time that is ahead of `now`, `now` counts.
 *
 * A provider that says "answered" and then "ended, never answered" contradicts itself: the call has been answered. After
 * an end without an answer, "answered" is not believed.
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
      const times = possible(call, report, now)
      return {
        ...call,
        status: isTerminal(call.status) ? call.status : report.status,
        startedAt: times.answeredAt ?? call.startedAt,
        endedAt: times.endedAt,
        endedReason: kept(report.reason.slice(0, maxReasonLength))
      }
    }
    case "Transcript":
      return call.transcript === null ? { ...call, transcript: kept(report.text) } : call
    case "Recording": {
      const recordingUrl = kept(report.url)
      return call.recordingUrl === null && JsonSize.bytesOf(recordingUrl) <= maxUrlBytes
        ? { ...call, recordingUrl }
        : call
    }
    case "Summary":
      return call.summary === null ? { ...call, summary: kept(report.text) } : call
    // What the provider charges the operator is not what the account pays.
    case "Cost":
      return call
  }
}

/** The most UTF-16 code units that are stored of the reason of an end. */
const maxReasonLength = 200

/** The most bytes of JSON that the URL of a recording may have. A longer one is left out, because a part of it leads nowhere. */
const maxUrlBytes = 2_048

/** How far the clock of a provider may be behind or ahead. */
const clockSkew = Duration.minutes(1)

/**
 * Returns a time, or a minute before the call was made when that is later. Without this bound one wrong time of the provider
 * would reserve all that an account has, and charge the longest call.
 */
const notBefore = (call: Call, at: DateTime.Utc): DateTime.Utc =>
  DateTime.max(at, Timestamp.before(call.createdAt, clockSkew))

/**
 * Returns the times of a reported end. An end that is more than a minute ahead counts as a minute ahead: otherwise one wrong
 * time would charge the longest call. The answer is moved by as much, because both times are of the same clock, and the time
 * talked is charged.
 */
const possible = (call: Call, { answeredAt, endedAt }: CallEnd, now: DateTime.Utc) => {
  const milliseconds = Timestamp.millisBetween(Timestamp.after(now, clockSkew), endedAt)
  const moved = (at: DateTime.Utc): DateTime.Utc => notBefore(call, DateTime.subtract(at, { milliseconds }))
  return { answeredAt: answeredAt === null ? null : moved(answeredAt), endedAt: moved(endedAt) }
}

const correctsEnd = (call: Call, reason: string): boolean =>
  call.endedReason === timeoutReason && reason !== timeoutReason

// Not every database keeps U+0000 and halves of surrogate pairs: a transcript with one must not keep a call from ending.
const kept = (text: string): string => text.toWellFormed().replaceAll("\0", "")
