import type { CallbackBody, InboundDecision, Ingested } from "@frontdesk/core/call/CallProvider"
import * as Redacted from "effect/Redacted"
import { inboundNumbers } from "../request/InboundNumbers.ts"
import { maxUrlLength, type Options, refParameter, voiceUrlOf } from "./TwilioOptions.ts"
import { variablesUrl } from "./TwilioVariables.ts"
import * as Twiml from "./Twiml.ts"

type Accepted = Extract<InboundDecision, { readonly _tag: "Accepted" }>

/** The length that the name and the value of a stream's parameter together must be below. */
const maxParameterLength = 500

/** The maximum size of TwiML in bytes (twilio.com/docs/api/errors/11750). */
const maxTwimlBytes = 64_000

/** Returns whether a URL is the one at which Twilio asks about inbound calls. */
export const isInboundUrl = (url: string): boolean => /^[^?#]*\/providers\/twilio\/inbound\/?(?:[?#]|$)/.test(url)

/**
 * Reads Twilio's question about an inbound call (twilio.com/docs/voice/twiml#request-parameters). The signature of the form
 * must be verified already.
 */
export const questionOf = (
  options: Options,
  providerCallId: string,
  value: (name: string) => string | undefined
): Ingested => {
  // The voice URL of an outbound call must be the program that talks.
  if (value("Direction") !== "inbound") return { _tag: "Malformed", reason: "the call is not inbound" }
  const numbers = inboundNumbers(value("From"), value("To"))
  if (numbers === null) return { _tag: "Malformed", reason: "To is not a phone number in E.164 form" }
  const bodyOf = (decision: InboundDecision): CallbackBody => ({
    contentType: "text/xml; charset=utf-8",
    text: decision._tag === "Accepted" ? accepted(options, decision) : refused(decision.say)
  })
  return { _tag: "Asked", question: { _tag: "InboundCall", providerCallId, numbers, bodyOf } }
}

const refused = (sentence: string): string =>
  Twiml.response(
    // Twilio logs a warning about a sentence without words.
    ...(sentence.trim() === "" ? [] : [Twiml.element("Say", {}, Twiml.escape(sentence))]),
    Twiml.element("Hangup")
  )

const accepted = (options: Options, decision: Accepted): string => {
  const target = targetOf(options, decision.assistantId)
  return (
    (target.protocol === "wss:" ? stream(options, target, decision) : redirect(options, target, decision)) ??
    // Twilio would read a message about an error of the application, which tells the person even less.
    refused("The call cannot be connected. Goodbye.")
  )
}

const targetOf = ({ inboundUrl, voiceUrl }: Options, assistantId: string): URL => {
  if (inboundUrl === undefined || inboundUrl instanceof URL) return inboundUrl ?? voiceUrl
  return (Object.hasOwn(inboundUrl, assistantId) ? inboundUrl[assistantId] : undefined) ?? voiceUrl
}

/** Returns the TwiML that hands a call to a program, or null when the URL is too long even without variables. */
const redirect = (options: Options, target: URL, decision: Accepted): string | null => {
  const url = voiceUrlOf(options, decision, target)
  return url.length > maxUrlLength ? null : Twiml.response(Twiml.element("Redirect", {}, Twiml.escape(url)))
}

/**
 * Returns the TwiML that streams the audio of a call. Parameters replace the query of a URL, which a stream cannot have.
 * When a variable is too long, `variables_url` replaces all of them. Returns null when the assistant's id is too long.
 */
const stream = (options: Options, target: URL, { assistantId, ref, variables }: Accepted): string | null => {
  const call: ReadonlyArray<readonly [string, string]> = [
    ...(ref === null ? [] : [[refParameter, ref] as const]),
    ["assistant_id", assistantId]
  ]
  const all = Object.entries(variables).map(([name, value]) => [`var_${name}`, String(value)] as const)
  const link = (ref: string) => variablesUrl(options.publicUrl, Redacted.value(options.authToken), ref)
  return (
    streamWith(target, [...call, ...all]) ??
    streamWith(target, [...call, ...(ref === null ? [] : [["variables_url", link(ref)] as const])])
  )
}

/** Returns the TwiML of a stream with parameters, or null when it exceeds a limit of Twilio. */
const streamWith = (target: URL, parameters: ReadonlyArray<readonly [string, string]>): string | null => {
  if (parameters.some(([name, value]) => name.length + value.length >= maxParameterLength)) return null
  const elements = parameters.map(([name, value]) => Twiml.element("Parameter", { name, value }))
  const twiml = Twiml.response(
    Twiml.element("Connect", {}, Twiml.element("Stream", { url: target.href }, elements.join("")))
  )
  return new TextEncoder().encode(twiml).length <= maxTwimlBytes ? twiml : null
}
