import type { Callback, Ingested, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Lenient } from "../request/CallFields.ts"
import { isAuthentic } from "./VapiAuthentication.ts"
import { refOf, reportsOfEnd, EndFields, VapiCall } from "./VapiCall.ts"
import type { Authentication } from "./VapiOptions.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const decodeKind = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.Struct({ type: Schema.String }) }))

/** An instant in whole milliseconds, within the years 1970 to 9999, which every storage supports. */
const EpochMillis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799_999 }))

const StatusUpdate = Schema.Struct({
  type: Schema.Literal("status-update"),
  timestamp: Lenient(EpochMillis),
  status: Schema.String,
  endedReason: Lenient(Schema.String),
  call: VapiCall
})

const EndOfCallReport = Schema.Struct({
  ...EndFields,
  type: Schema.Literal("end-of-call-report"),
  timestamp: Lenient(EpochMillis),
  call: VapiCall
})

const decode = Schema.decodeUnknownResult(Schema.Struct({ message: Schema.Union([StatusUpdate, EndOfCallReport]) }), {
  errors: "all"
})

/**
 * Reads a server message (docs.vapi.ai/server-url/events): a status update or an end-of-call report. Any other message
 * yields no report.
 *
 * Nothing is read before the message is verified. A status update `ended` yields a report of the end only if it has the time
 * of the end. Otherwise the end-of-call report, which Vapi sends later, yields it.
 */
export const ingest = (authentication: Authentication, callback: Callback, now: DateTime.Utc): Ingested => {
  if (!isAuthentic(authentication, callback, now)) return { _tag: "BadSignature" }
  const json = parse(new TextDecoder().decode(callback.body))
  if (Option.isNone(json)) return malformed("the body is not JSON")
  const kind = decodeKind(json.value)
  if (Option.isNone(kind)) return malformed("the body has no message with a type")
  if (!/^(status-update|end-of-call-report)$/.test(kind.value.message.type)) return { _tag: "Reported", reports: [] }
  const decoded = decode(json.value)
  if (Result.isFailure(decoded)) {
    const fields = FieldProblems.fromIssue(decoded.failure.issue).map(({ field }) => field)
    return malformed(`fields differ from the documentation: ${[...new Set(fields)].join(", ")}`)
  }
  const { message } = decoded.success
  const read = message.type === "status-update" ? reportsOfStatus(message) : reportsOfReport(message)
  if (typeof read === "string") return malformed(read)
  const { call } = message
  return {
    _tag: "Reported",
    reports: read.map((report) => ({ providerCallId: call.id, ref: refOf(call), report }))
  }
}

const malformed = (reason: string): Ingested => ({ _tag: "Malformed", reason })

const reportsOfStatus = (message: typeof StatusUpdate.Type): ReadonlyArray<ProviderReport> | string => {
  const { call, endedReason, status, timestamp } = message
  if (status === "ringing") return [{ _tag: "Ringing" }]
  if (status === "ended") {
    // The call in a status update is as it was created. Only the end-of-call report has whether it was answered.
    return reportsOfEnd({ ...call, endedReason: endedReason ?? call.endedReason ?? null }, null)
  }
  if (status !== "in-progress") return []
  if (call.startedAt) return [{ _tag: "Answered", at: call.startedAt }]
  const at = momentOf(timestamp)
  return at === null ? "the message has no timestamp" : [{ _tag: "Answered", at }]
}

const momentOf = (timestamp: number | null | undefined): DateTime.Utc | null =>
  Option.fromNullishOr(timestamp).pipe(Option.flatMap(DateTime.make), Option.getOrNull)

/** Returns the reports of an end-of-call report. A field that the report omits is taken from the call in it. */
const reportsOfReport = ({ call, ...report }: typeof EndOfCallReport.Type): ReadonlyArray<ProviderReport> =>
  reportsOfEnd(
    {
      endedReason: report.endedReason ?? call.endedReason ?? null,
      startedAt: report.startedAt ?? call.startedAt ?? null,
      endedAt: report.endedAt ?? call.endedAt ?? null,
      cost: report.cost ?? call.cost ?? null,
      artifact: report.artifact ?? call.artifact ?? null,
      analysis: report.analysis ?? call.analysis ?? null
    },
    momentOf(report.timestamp)
  )
