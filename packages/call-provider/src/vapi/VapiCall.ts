import { ProviderCallId, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Instant } from "@frontdesk/core/values/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Lenient, amount, RecordingUrl } from "../request/CallFields.ts"
import { refIn } from "../request/Reference.ts"
import { endOf } from "./VapiEnd.ts"

/** An instant in ISO 8601 with its offset, within the years that every storage supports. */
const Moment = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/)).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromString),
  Schema.decodeTo(Instant)
)

const Artifact = Schema.Struct({
  transcript: Lenient(Schema.String),
  recordingUrl: Lenient(RecordingUrl),
  stereoRecordingUrl: Lenient(RecordingUrl),
  recording: Lenient(
    Schema.Struct({
      stereoUrl: Lenient(RecordingUrl),
      mono: Lenient(Schema.Struct({ combinedUrl: Lenient(RecordingUrl) }))
    })
  )
})

/** The fields of an ended call that both its resource and its end-of-call report have. */
export const EndFields = {
  endedReason: Lenient(Schema.String),
  startedAt: Lenient(Moment),
  endedAt: Lenient(Moment),
  cost: Lenient(Schema.Finite),
  artifact: Lenient(Artifact),
  analysis: Lenient(Schema.Struct({ summary: Lenient(Schema.String) }))
}

/** The fields of an ended call. */
export type EndFields = Schema.Struct.Type<typeof EndFields>

/** The person on the telephone. */
export const Customer = Schema.Struct({ externalId: Lenient(Schema.String), number: Lenient(Schema.String) })

/** The account's own number. */
export const OwnNumber = Schema.Struct({ id: Lenient(Schema.String), number: Lenient(Schema.String) })

/** The fields of a call that are read (docs.vapi.ai, `GET /call/{id}`). */
export const VapiCall = Schema.Struct({
  ...EndFields,
  id: ProviderCallId,
  type: Lenient(Schema.String),
  status: Lenient(Schema.String),
  phoneNumber: Lenient(OwnNumber),
  phoneNumberId: Lenient(Schema.String),
  assistantId: Lenient(Schema.String),
  updatedAt: Lenient(Moment),
  monitor: Lenient(Schema.Struct({ controlUrl: Lenient(Schema.String) })),
  customer: Lenient(Customer),
  assistantOverrides: Lenient(Schema.Struct({ metadata: Lenient(Schema.Record(Schema.String, Schema.Unknown)) }))
})

/** The fields of a call that are read. */
export type VapiCall = typeof VapiCall.Type

/** Returns our reference, which the start of the call has set. Returns null when another program has started the call. */
export const refOf = (call: VapiCall): string | null =>
  refIn(call.assistantOverrides?.metadata) ?? call.customer?.externalId ?? null

/** Returns every report that the messages about a call have made so far. */
export const reportsOf = (call: VapiCall): ReadonlyArray<ProviderReport> => {
  const ringing = { _tag: "Ringing" } as const
  switch (call.status) {
    case "ringing":
      return [ringing]
    case "in-progress":
    case "forwarding":
      return call.startedAt ? [ringing, { _tag: "Answered", at: call.startedAt }] : [ringing]
    case "ended":
      return [ringing, ...reportsOfEnd(call, call.updatedAt ?? null)]
    default:
      return []
  }
}

/**
 * Returns the reports about an ended call. The report of the end itself is omitted while Vapi has not set the time of the
 * end of an answered call.
 *
 * @param reportedAt when Vapi reported the end; null if unknown. It counts as the end of a call without start and end times
 */
export const reportsOfEnd = (fields: EndFields, reportedAt: DateTime.Utc | null): ReadonlyArray<ProviderReport> => {
  const { analysis, artifact, cost } = fields
  const startedAt = fields.startedAt ?? null
  const endedAt = fields.endedAt ?? (startedAt === null ? reportedAt : null)
  const reports: Array<ProviderReport> = []
  if (endedAt !== null) {
    const end = endOf({ endedReason: fields.endedReason || "ended", startedAt, endedAt })
    if (end.answeredAt !== null) reports.push({ _tag: "Answered", at: end.answeredAt })
    reports.push({ _tag: "Ended", ...end })
  }
  if (artifact?.transcript) reports.push({ _tag: "Transcript", text: artifact.transcript })
  // Fields whose names begin with "presigned" are not read, because their URLs expire.
  const url =
    artifact?.recordingUrl ??
    artifact?.recording?.mono?.combinedUrl ??
    artifact?.stereoRecordingUrl ??
    artifact?.recording?.stereoUrl
  if (url) reports.push({ _tag: "Recording", url })
  if (analysis?.summary) reports.push({ _tag: "Summary", text: analysis.summary })
  const charged = typeof cost === "number" ? amount(cost) : null
  if (charged !== null) reports.push({ _tag: "Cost", amount: charged })
  return reports
}
