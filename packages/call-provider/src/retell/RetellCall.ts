import type { ProviderCall, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as Timestamp from "@frontdesk/core/values/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { inboundNumbers, reportedInbound } from "../request/InboundNumbers.ts"
import { amount, EpochMillis, Lenient, RecordingUrl } from "../request/CallFields.ts"
import { refIn } from "../request/Reference.ts"
import { endOf } from "./RetellEnd.ts"

/** The fields of a call that are read (docs.retellai.com, `GET /v2/get-call/{call_id}`). */
export const RetellCall = Schema.Struct({
  call_id: Schema.NonEmptyString,
  call_status: Lenient(Schema.String),
  direction: Lenient(Schema.String),
  agent_id: Lenient(Schema.String),
  from_number: Lenient(Schema.String),
  to_number: Lenient(Schema.String),
  metadata: Lenient(Schema.Record(Schema.String, Schema.Unknown)),
  start_timestamp: Lenient(EpochMillis),
  end_timestamp: Lenient(EpochMillis),
  duration_ms: Lenient(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  disconnection_reason: Lenient(Schema.String),
  transcript: Lenient(Schema.String),
  recording_url: Lenient(RecordingUrl),
  scrubbed_recording_url: Lenient(RecordingUrl),
  recording_multi_channel_url: Lenient(RecordingUrl),
  scrubbed_recording_multi_channel_url: Lenient(RecordingUrl),
  call_cost: Lenient(Schema.Struct({ combined_cost: Lenient(Schema.Finite) })),
  call_analysis: Lenient(Schema.Struct({ call_summary: Lenient(Schema.String) }))
})

/** The fields of a call that are read. */
export type RetellCall = typeof RetellCall.Type

/** Returns how Retell identifies a call. Our reference is null when another program has started the call. */
export const providerCallOf = (call: RetellCall): ProviderCall => {
  const inbound =
    call.direction === "inbound"
      ? reportedInbound(inboundNumbers(call.from_number, call.to_number), call.agent_id)
      : null
  const identified = { providerCallId: call.call_id, ref: refIn(call.metadata) }
  return inbound === null ? identified : { ...identified, inbound }
}

/** Returns whether a call has ended, or has failed before it was answered. */
export const isOver = ({ call_status: status }: RetellCall): boolean =>
  status === "ended" || status === "error" || status === "not_connected"

/**
 * Returns every report that the webhooks about a call have made so far.
 *
 * @param endedAt see {@link reportsOfEnd}
 */
export const reportsOf = (call: RetellCall, endedAt: DateTime.Utc): ReadonlyArray<ProviderReport> => {
  if (isOver(call)) return reportsOfEnd(call, endedAt)
  return call.call_status === "ongoing" && call.start_timestamp ? [{ _tag: "Answered", at: call.start_timestamp }] : []
}

/**
 * Returns the reports about an ended call. The report of the end itself is omitted while Retell has not set the time of the
 * end of an answered call.
 *
 * @param endedAt the end of a call that was never answered, when Retell does not state it. It does not affect the charge
 */
export const reportsOfEnd = (call: RetellCall, endedAt: DateTime.Utc): ReadonlyArray<ProviderReport> => {
  const startedAt = call.start_timestamp ?? null
  const end = call.end_timestamp ?? (startedAt === null ? endedAt : endByDuration(call, startedAt))
  const reports: Array<ProviderReport> = []
  if (end !== null) {
    const isConnected = call.call_status !== "not_connected"
    const ended = endOf({ reason: call.disconnection_reason || "ended", isConnected, startedAt, endedAt: end })
    if (ended.answeredAt !== null) reports.push({ _tag: "Answered", at: ended.answeredAt })
    reports.push({ _tag: "Ended", ...ended })
  }
  if (call.transcript) reports.push({ _tag: "Transcript", text: call.transcript })
  const url =
    call.recording_url ??
    call.scrubbed_recording_url ??
    call.recording_multi_channel_url ??
    call.scrubbed_recording_multi_channel_url
  if (url) reports.push({ _tag: "Recording", url })
  if (call.call_analysis?.call_summary) reports.push({ _tag: "Summary", text: call.call_analysis.call_summary })
  // Retell states the cost in cents.
  const cents = call.call_cost?.combined_cost
  const charged = typeof cents === "number" ? amount(cents / 100) : null
  if (charged !== null) reports.push({ _tag: "Cost", amount: charged })
  return reports
}

const endByDuration = ({ duration_ms: millis }: RetellCall, startedAt: DateTime.Utc): DateTime.Utc | null =>
  typeof millis === "number" ? Timestamp.after(startedAt, Duration.millis(millis)) : null
