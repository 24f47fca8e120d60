import type { Callback, CallbackHead, Ingested, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { RecordingUrl } from "../request/CallFields.ts"
import { endOf, isTerminal, parseDate, parseSeconds } from "./TwilioEnd.ts"
import { inboundNumbers } from "../request/InboundNumbers.ts"
import { isInboundUrl, questionOf } from "./TwilioInbound.ts"
import { type Options, refParameter } from "./TwilioOptions.ts"
import { isSigned, parseForm } from "./TwilioSignature.ts"

/** The maximum size of a callback in bytes. Twilio's have a few thousand. */
export const maxCallbackBytes = 65_536

/**
 * The maximum number of parameters of a callback. Twilio's have a few dozen. The check of a signature sorts all parameters,
 * so an attacker must not be able to send many.
 */
const maxParameters = 1_000

/** Returns whether a request has a signature and the content type of a form. */
export const mayBeAuthentic = ({ headers }: CallbackHead): boolean =>
  Boolean(headers["x-twilio-signature"]) && isForm.test(headers["content-type"] ?? "")

/**
 * Reads a callback of Twilio: about the status of a call, a recording, or the detection of an answering machine
 * (twilio.com/docs/voice/api/call-resource#statuscallback, …/voice/api/recording#recordingstatuscallback). Or reads the
 * question what to do with an inbound call.
 *
 * All of them are forms. Nothing is read before the signature is verified. A callback without information that a call
 * needs yields no report. The reports of an inbound call have its numbers.
 */
export const ingest = (options: Options, callback: Callback): Ingested => {
  if (!mayBeAuthentic(callback)) return { _tag: "BadSignature" }
  const { body, headers, url } = callback
  // The time to parse a form grows with the square of its size.
  if (body.length > maxCallbackBytes) return malformed(`more than ${maxCallbackBytes} bytes`)
  const text = new TextDecoder().decode(body)
  // Not `Malformed`, because each of those is logged, and anyone can send such a request.
  if (text.split("&", maxParameters + 1).length > maxParameters) return { _tag: "BadSignature" }
  const form = parseForm(text)
  const signature = headers["x-twilio-signature"] ?? ""
  if (!isSigned(Redacted.value(options.authToken), { url, signature, form })) return { _tag: "BadSignature" }

  const value = (name: string): string | undefined => form.get(name)?.[0]
  const providerCallId = value("CallSid")
  if (providerCallId === undefined || !/^CA[0-9a-fA-F]{32}$/.test(providerCallId)) return malformed("no CallSid")
  if (isInboundUrl(url)) return questionOf(options, providerCallId, value)
  const read = reportsOf(value)
  if (typeof read === "string") return malformed(read)
  const ref = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "").get(refParameter)
  const numbers = value("Direction") === "inbound" ? inboundNumbers(value("From"), value("To")) : null
  const call = { providerCallId, ref: ref === "" ? null : ref, ...(numbers === null ? {} : { inbound: numbers }) }
  return { _tag: "Reported", reports: read.map((report) => ({ ...call, report })) }
}

const isRecordingUrl = Schema.is(RecordingUrl)

const isForm = /^application\/x-www-form-urlencoded\b/i

const malformed = (reason: string): Ingested => ({ _tag: "Malformed", reason })

/** Returns the reports of a callback, or the reason why it cannot be read. */
const reportsOf = (value: (name: string) => string | undefined): ReadonlyArray<ProviderReport> | string => {
  const status = value("CallStatus")
  const recordingOrProblem = recordingOf(value)
  if (status === undefined) return recordingOrProblem
  // A recording that cannot be read must not prevent the report of the status.
  const recording = typeof recordingOrProblem === "string" ? [] : recordingOrProblem
  if (status === "ringing") return [{ _tag: "Ringing" }]
  if (status !== "in-progress" && !isTerminal(status)) return recording

  const at = parseDate(value("Timestamp") ?? "")
  if (Option.isNone(at)) return "no Timestamp"
  if (status === "in-progress") return [{ _tag: "Answered", at: at.value }, ...recording]
  const duration = value("CallDuration")
  const durationSeconds = parseSeconds(duration)
  if (durationSeconds === null && duration !== undefined && duration !== "") return "CallDuration is not a number"
  const end = endOf({ status, endedAt: at.value, durationSeconds, answeredBy: value("AnsweredBy") ?? null })
  return [{ _tag: "Ended", ...end }, ...recording]
}

/**
 * Returns the report of a completed recording, or the reason why it cannot be read. On the last callback of a call the
 * recording has no status of its own.
 */
const recordingOf = (value: (name: string) => string | undefined): ReadonlyArray<ProviderReport> | string => {
  const url = value("RecordingUrl")
  if ((value("RecordingStatus") ?? "completed") !== "completed" || !url) return []
  return isRecordingUrl(url) ? [{ _tag: "Recording", url }] : "RecordingUrl is not a URL"
}
