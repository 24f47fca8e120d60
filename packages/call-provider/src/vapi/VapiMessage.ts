import type {
  Callback,
  InboundNumbers,
  Ingested,
  ProviderQuestion,
  ProviderReport
} from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { EpochMillis, Lenient } from "../request/CallFields.ts"
import { differing, jsonBody, malformed, parseBody } from "../request/JsonBody.ts"
import { inboundNumbers, reportedInbound } from "../request/InboundNumbers.ts"
import { isAuthentic } from "./VapiAuthentication.ts"
import { Customer, EndFields, OwnNumber, refOf, reportsOfEnd, VapiCall } from "./VapiCall.ts"
import { assistantBody, type Options, phoneNumberOf } from "./VapiOptions.ts"

const decodeKind = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.Struct({ type: Schema.String }) }))

/** The fields of every message that tell which call it is about. */
const callFields = { call: VapiCall, customer: Lenient(Customer), phoneNumber: Lenient(OwnNumber) }

const StatusUpdate = Schema.Struct({
  ...callFields,
  type: Schema.Literal("status-update"),
  timestamp: Lenient(EpochMillis),
  status: Schema.String,
  endedReason: Lenient(Schema.String)
})

const EndOfCallReport = Schema.Struct({
  ...EndFields,
  ...callFields,
  type: Schema.Literal("end-of-call-report"),
  timestamp: Lenient(EpochMillis)
})

const AssistantRequest = Schema.Struct({ ...callFields, type: Schema.Literal("assistant-request") })

const ToolCalls = Schema.Struct({ ...callFields, type: Schema.Literal("tool-calls") })

const decode = Schema.decodeUnknownResult(
  Schema.Struct({ message: Schema.Union([StatusUpdate, EndOfCallReport, AssistantRequest, ToolCalls]) }),
  {
    errors: "all"
  }
)

/** The types of the messages that are read. */
const types = /^(status-update|end-of-call-report|assistant-request|tool-calls)$/

/**
 * Reads a server message (docs.vapi.ai/server-url/events): a status update or an end-of-call report, the question which
 * assistant takes an inbound call, or the calls of tools. Any other message yields no report.
 *
 * Nothing is read before the message is verified. A status update `ended` yields a report of the end only if it has the time
 * of the end. Otherwise the end-of-call report, which Vapi sends later, yields it.
 */
export const ingest = (options: MessageOptions, callback: Callback, now: DateTime.Utc): Ingested => {
  if (!isAuthentic(options.authentication, callback, now)) return { _tag: "BadSignature" }
  const json = parseBody(callback.body)
  if (Option.isNone(json)) return malformed("the body is not JSON")
  const kind = decodeKind(json.value)
  if (Option.isNone(kind)) return malformed("the body has no message with a type")
  if (!types.test(kind.value.message.type)) return { _tag: "Reported", reports: [] }
  const decoded = decode(json.value)
  if (Result.isFailure(decoded)) return differing(decoded.failure)
  const { message } = decoded.success
  const numbers = numbersOf(options, message)
  const inbound = reportedInbound(numbers, message.call.assistantId)
  const call = { providerCallId: message.call.id, ref: refOf(message.call), ...(inbound !== null && { inbound }) }
  switch (message.type) {
    case "tool-calls":
      return { _tag: "Asked", question: { _tag: "ToolCalls", call, message: json.value } }
    case "assistant-request":
      return numbers === null
        ? malformed("the message does not name the number that was dialled")
        : { _tag: "Asked", question: inboundCall(options, message.call.id, numbers) }
    default: {
      const read = message.type === "status-update" ? reportsOfStatus(message) : reportsOfReport(message)
      if (typeof read === "string") return malformed(read)
      return { _tag: "Reported", reports: read.map((report) => ({ ...call, report })) }
    }
  }
}

/** The options with which messages are read and answered. */
export type MessageOptions = Pick<Options, "authentication" | "phoneNumberId" | "publicUrl">

const inboundCall = (
  options: MessageOptions,
  providerCallId: string,
  numbers: InboundNumbers
): Extract<ProviderQuestion, { readonly _tag: "InboundCall" }> => ({
  _tag: "InboundCall",
  providerCallId,
  numbers,
  bodyOf: (decision) =>
    jsonBody(decision._tag === "Refused" ? { error: decision.say } : assistantBody(options, decision))
})

/** Returns the numbers of an inbound call. Null for an outbound call, and when the dialled number is not known. */
const numbersOf = (
  options: MessageOptions,
  { call, customer, phoneNumber }: Schema.Struct.Type<typeof callFields>
): InboundNumbers | null => {
  if (call.type !== "inboundPhoneCall") return null
  const id = phoneNumber?.id ?? call.phoneNumber?.id ?? call.phoneNumberId ?? ""
  const to = phoneNumber?.number ?? call.phoneNumber?.number ?? phoneNumberOf(options, id)
  return inboundNumbers(call.customer?.number ?? customer?.number, to)
}

const reportsOfStatus = (message: typeof StatusUpdate.Type): ReadonlyArray<ProviderReport> | string => {
  const { call, endedReason, status, timestamp } = message
  if (status === "ringing") return [{ _tag: "Ringing" }]
  if (status === "ended") {
    // The call in a status update is as it was created. Only the end-of-call report has whether it was answered.
    return reportsOfEnd({ ...call, endedReason: endedReason ?? call.endedReason ?? null }, null)
  }
  if (status !== "in-progress") return []
  if (call.startedAt) return [{ _tag: "Answered", at: call.startedAt }]
  return timestamp ? [{ _tag: "Answered", at: timestamp }] : "the message has no timestamp"
}

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
    report.timestamp ?? null
  )
