import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Instant } from "@frontdesk/core/values/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Absent, amount, RecordingUrl } from "../request/CallFields.ts"
import { refName } from "./VapiOptions.ts"
import { endOf } from "./VapiEnd.ts"

/** A moment of ISO 8601 with its offset, in the years that every storage keeps. */
const Moment = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/)).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromString),
  Schema.decodeTo(Instant)
)

const Artifact = Schema.Struct({
  transcript: Absent(Schema.String),
  recordingUrl: Absent(RecordingUrl),
  stereoRecordingUrl: Absent(RecordingUrl),
  recording: Absent(
    Schema.Struct({
      stereoUrl: Absent(RecordingUrl),
      mono: Absent(Schema.Struct({ combinedUrl: Absent(RecordingUrl) }))
    })
  )
})

/** What is told of a call that is over, in its resource and in the report of its end alike. */
export const Told = {
  endedReason: Absent(Schema.String),
  startedAt: Absent(Moment),
  endedAt: Absent(Moment),
  cost: Absent(Schema.Finite),
  artifact: Absent(Artifact),
  analysis: Absent(Schema.Struct({ summary: Absent(Schema.String) }))
}

/** What is told of a call that is over. */
export type Told = Schema.Struct.Type<typeof Told>

const Customer = Schema.Struct({ externalId: Absent(Schema.String) })

/** What is read of a call (docs.vapi.ai, `GET /call/{id}`). */
export const VapiCall = Schema.Struct({
  ...Told,
  id: Schema.NonEmptyString,
  status: Absent(Schema.String),
  updatedAt: Absent(Moment),
  monitor: Absent(Schema.Struct({ controlUrl: Absent(Schema.String) })),
  customer: Absent(Customer),
  assistantOverrides: Absent(Schema.Struct({ metadata: Absent(Schema.Record(Schema.String, Schema.Unknown)) }))
})

/** What is read of a call. */
export type VapiCall = typeof VapiCall.Type

/** Our reference, as the start of the call gave it; null when another program has started it. */
export const refOf = (call: VapiCall): string | null => {
  const ref = call.assistantOverrides?.metadata?.[refName]
  return typeof ref === "string" && ref !== "" ? ref : (call.customer?.externalId ?? null)
}

/** What could have been reported of a call by now. */
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
 * What is reported of a call that is over. The end of one that was talked is left out as long as Vapi does not say when
 * it was.
 *
 * @param toldAt when Vapi told it: the end of a call that never began, of which no other time is known
 */
export const reportsOfEnd = (told: Told, toldAt: DateTime.Utc | null): ReadonlyArray<ProviderReport> => {
  const { analysis, artifact, cost } = told
  const startedAt = told.startedAt ?? null
  const endedAt = told.endedAt ?? (startedAt === null ? toldAt : null)
  const reports: Array<ProviderReport> = []
  if (endedAt !== null) {
    const end = endOf({ endedReason: told.endedReason || "ended", startedAt, endedAt })
    if (end.answeredAt !== null) reports.push({ _tag: "Answered", at: end.answeredAt })
    reports.push({ _tag: "Ended", ...end })
  }
  if (artifact?.transcript) reports.push({ _tag: "Transcript", text: artifact.transcript })
  // Those that begin with "presigned" expire.
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
