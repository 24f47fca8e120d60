import type { Callback, Ingested, ProviderReport } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { inboundNumbers } from "../request/InboundNumbers.ts"
import { differing, jsonBody, malformed, parseBody } from "../request/JsonBody.ts"
import { providerCallOf, reportsOfEnd, RetellCall } from "./RetellCall.ts"
import { inboundBody, type Options, webhookKeyOf } from "./RetellOptions.ts"
import { isAuthentic, signedAt } from "./RetellSignature.ts"

const allErrors = { errors: "all" } as const

const decodeEvent = Schema.decodeUnknownOption(Schema.Struct({ event: Schema.String }))

const decodeCallEvent = Schema.decodeUnknownResult(Schema.Struct({ call: RetellCall }), allErrors)

const decodeInbound = Schema.decodeUnknownResult(
  Schema.Struct({
    call_inbound: Schema.Struct({ from_number: Schema.optionalKey(Schema.Unknown), to_number: Schema.Unknown })
  }),
  allErrors
)

const decodeFunction = Schema.decodeUnknownResult(
  Schema.Struct({ name: Schema.NonEmptyString, call: RetellCall }),
  allErrors
)

/**
 * Reads a request of Retell: a webhook about a call, the webhook `call_inbound`, or the call of a custom function. Nothing is
 * read before its signature is verified. Any other webhook yields no report.
 *
 * Custom functions are read only below `…/functions`, and webhooks only elsewhere. With the option "args only" of a function,
 * Retell signs whatever the model wrote as the whole body. Such a body could pretend to be a webhook about another call.
 */
export const ingest = (options: Options, callback: Callback, now: DateTime.Utc): Ingested => {
  const time = isAuthentic(webhookKeyOf(options), callback, now) ? signedAt(callback, now) : null
  if (time === null) return { _tag: "BadSignature" }
  const json = parseBody(callback.body)
  if (Option.isNone(json)) return malformed("the body is not JSON")
  if (isFunctionUrl(callback.url)) return readFunction(json.value)
  const kind = decodeEvent(json.value)
  if (Option.isNone(kind)) {
    return malformed(
      "the body is not a webhook; the URL of a custom function must end with /providers/retell/functions"
    )
  }
  switch (kind.value.event) {
    case "call_inbound":
      return readInbound(options, json.value)
    case "call_started":
      return readReports(json.value, (call) => [{ _tag: "Answered", at: call.start_timestamp ?? time }])
    case "call_ended":
    case "call_analyzed":
      return readReports(json.value, (call) => reportsOfEnd(call, time))
    default:
      return { _tag: "Reported", reports: [] }
  }
}

const isFunctionUrl = (url: string): boolean => /\/functions\/?$/.test(URL.parse(url)?.pathname ?? "")

const readFunction = (body: unknown): Ingested => {
  const decoded = decodeFunction(body)
  if (Result.isFailure(decoded)) {
    return malformed("the body needs name, args and call with call_id; turn off args only at Retell")
  }
  return {
    _tag: "Asked",
    question: { _tag: "ToolCalls", call: providerCallOf(decoded.success.call), message: body }
  }
}

const readInbound = (options: Options, body: unknown): Ingested => {
  const decoded = decodeInbound(body)
  if (Result.isFailure(decoded)) return differing(decoded.failure)
  const { from_number: from, to_number: to } = decoded.success.call_inbound
  const numbers = inboundNumbers(from, to)
  if (numbers === null) return malformed("call_inbound.to_number is not a phone number in E.164 form")
  return {
    _tag: "Asked",
    question: {
      _tag: "InboundCall",
      // Retell creates the call only after the answer.
      providerCallId: null,
      numbers,
      bodyOf: (decision) => jsonBody(inboundBody(options, decision))
    }
  }
}

const readReports = (body: unknown, reportsOf: (call: RetellCall) => ReadonlyArray<ProviderReport>): Ingested => {
  const decoded = decodeCallEvent(body)
  if (Result.isFailure(decoded)) return differing(decoded.failure)
  const { call } = decoded.success
  const identified = providerCallOf(call)
  return { _tag: "Reported", reports: reportsOf(call).map((report) => ({ ...identified, report })) }
}
