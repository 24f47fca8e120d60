import type { Callback, CallbackHead, Ingested, ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { RecordingUrl } from "../request/CallFields.ts"
import { endOf, isTerminal, parseDate, parseSeconds } from "./TwilioEnd.ts"
import { isSigned, parseForm } from "./TwilioSignature.ts"

/** The parameter of the callbacks' URL that carries our reference. Believed, because the signature is over the URL. */
export const refParameter = "ref"

/** The most bytes that a callback may have: Twilio's have a few thousand. */
export const maxCallbackBytes = 65_536

/** The most parameters that a callback may have: Twilio's have a few dozen, and each has to be sorted to be verified. */
const maxParameters = 1_000

/** Whether a request bears a signature and says that it is a form. */
export const mayBeAuthentic = ({ headers }: CallbackHead): boolean =>
  Boolean(headers["x-twilio-signature"]) && isForm.test(headers["content-type"] ?? "")

/**
 * Reads what Twilio calls us back with: status callbacks, those of recordings, and those of the detection of answering
 * machines (twilio.com/docs/voice/api/call-resource#statuscallback, …/voice/api/recording#recordingstatuscallback).
 *
 * All of them are forms. No report is read before the signature is found good. What says nothing of use to a call makes
 * no report.
 */
export const ingest = (authToken: string, callback: Callback): Ingested => {
  if (!mayBeAuthentic(callback)) return { _tag: "BadSignature" }
  const { body, headers, url } = callback
  // The time it takes to read a form grows with the square of its size.
  if (body.length > maxCallbackBytes) return malformed(`more than ${maxCallbackBytes} bytes`)
  const text = new TextDecoder().decode(body)
  // Anybody can send it, and what is malformed is logged each time.
  if (text.split("&", maxParameters + 1).length > maxParameters) return { _tag: "BadSignature" }
  const form = parseForm(text)
  const signature = headers["x-twilio-signature"] ?? ""
  if (!isSigned(authToken, { url, signature, form })) return { _tag: "BadSignature" }

  const value = (name: string): string | undefined => form.get(name)?.[0]
  const providerCallId = value("CallSid")
  if (providerCallId === undefined || !/^CA[0-9a-fA-F]{32}$/.test(providerCallId)) return malformed("no CallSid")
  const read = reportsOf(value)
  if (typeof read === "string") return malformed(read)
  const ref = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "").get(refParameter)
  return {
    _tag: "Reported",
    reports: read.map((report) => ({ providerCallId, ref: ref === "" ? null : ref, report }))
  }
}

const isRecordingUrl = Schema.is(RecordingUrl)

const isForm = /^application\/x-www-form-urlencoded\b/i

const malformed = (reason: string): Ingested => ({ _tag: "Malformed", reason })

/** The reports of a callback, or why it cannot be read. */
const reportsOf = (value: (name: string) => string | undefined): ReadonlyArray<ProviderReport> | string => {
  const status = value("CallStatus")
  const told = recordingOf(value)
  if (status === undefined) return told
  // How the call stands counts, also where its recording cannot be read.
  const recording = typeof told === "string" ? [] : told
  if (status === "ringing") return [{ _tag: "Ringing" }]
  if (status !== "in-progress" && !isTerminal(status)) return recording

  const at = parseDate(value("Timestamp") ?? "")
  if (Option.isNone(at)) return "no Timestamp"
  if (status === "in-progress") return [{ _tag: "Answered", at: at.value }, ...recording]
  const duration = value("CallDuration")
  const durationSeconds = parseSeconds(duration)
  if (durationSeconds === null && duration !== undefined && duration !== "") return "a CallDuration that is no number"
  const end = endOf({ status, endedAt: at.value, durationSeconds, answeredBy: value("AnsweredBy") ?? null })
  return [{ _tag: "Ended", ...end }, ...recording]
}

/** A recording that is whole; on a call's last callback it has no status of its own. */
const recordingOf = (value: (name: string) => string | undefined): ReadonlyArray<ProviderReport> | string => {
  const url = value("RecordingUrl")
  if ((value("RecordingStatus") ?? "completed") !== "completed" || !url) return []
  return isRecordingUrl(url) ? [{ _tag: "Recording", url }] : "a RecordingUrl that is no URL"
}
