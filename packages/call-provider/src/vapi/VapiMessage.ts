import type { Callback, Ingested, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Absent } from "../request/CallFields.ts"
import { isAuthentic } from "./VapiAuthentication.ts"
import { refOf, reportsOfEnd, Told, VapiCall } from "./VapiCall.ts"
import type { Authentication } from "./VapiOptions.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const decodeKind = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.Struct({ type: Schema.String }) }))

/** A whole millisecond of the years 1970 to 9999, which every storage keeps. */
const EpochMillis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799_999 }))

const StatusUpdate = Schema.Struct({
  type: Schema.Literal("status-update"),
  timestamp: Absent(EpochMillis),
  status: Schema.String,
  endedReason: Absent(Schema.String),
  call: VapiCall
})

const EndOfCallReport = Schema.Struct({
  ...Told,
  type: Schema.Literal("end-of-call-report"),
  timestamp: Absent(EpochMillis),
  call: VapiCall
})

const decode = Schema.decodeUnknownResult(Schema.Struct({ message: Schema.Union([StatusUpdate, EndOfCallReport]) }), {
  errors: "all"
})

/**
 * Reads a server message (docs.vapi.ai/server-url/events): the status of a call and the report of its end.
 *
 * Nothing is read before the message is found authentic. Other messages say nothing of use to a call. A status `ended`
 * counts when the message says when the call ended; the report says so at any rate.
 */
export const ingest = (authentication: Authentication, callback: Callback, now: DateTime.Utc): Ingested => {
  if (!isAuthentic(authentication, callback, now)) return { _tag: "BadSignature" }
  const json = parse(new TextDecoder().decode(callback.body))
  if (Option.isNone(json)) return malformed("the body is no JSON")
  const kind = decodeKind(json.value)
  if (Option.isNone(kind)) return malformed("no message with a type")
  if (!/^(status-update|end-of-call-report)$/.test(kind.value.message.type)) return { _tag: "Reported", reports: [] }
  const decoded = decode(json.value)
  if (Result.isFailure(decoded)) {
    const fields = FieldProblems.fromIssue(decoded.failure.issue).map(({ field }) => field)
    return malformed(`not as documented: ${[...new Set(fields)].join(", ")}`)
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
    // A message holds the call as it was made: whether it began, only the report says.
    return reportsOfEnd({ ...call, endedReason: endedReason ?? call.endedReason ?? null }, null)
  }
  if (status !== "in-progress") return []
  if (call.startedAt) return [{ _tag: "Answered", at: call.startedAt }]
  const at = momentOf(timestamp)
  return at === null ? "no timestamp" : [{ _tag: "Answered", at }]
}

const momentOf = (timestamp: number | null | undefined): DateTime.Utc | null =>
  Option.fromNullishOr(timestamp).pipe(Option.flatMap(DateTime.make), Option.getOrNull)

/** The report says it all; what it leaves out, the call in it may say. */
const reportsOfReport = ({ call, ...told }: typeof EndOfCallReport.Type): ReadonlyArray<ProviderReport> =>
  reportsOfEnd(
    {
      endedReason: told.endedReason ?? call.endedReason ?? null,
      startedAt: told.startedAt ?? call.startedAt ?? null,
      endedAt: told.endedAt ?? call.endedAt ?? null,
      cost: told.cost ?? call.cost ?? null,
      artifact: told.artifact ?? call.artifact ?? null,
      analysis: told.analysis ?? call.analysis ?? null
    },
    momentOf(told.timestamp)
  )
