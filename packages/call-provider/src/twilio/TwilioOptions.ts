import type { StartCall } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/BasePath"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { variablesUrl } from "./TwilioVariables.ts"

/** Options of Twilio. */
export interface Options {
  /** The SID of the account: `AC` and 32 hexadecimal digits. */
  readonly accountSid: string
  /** The token of the account. Twilio signs callbacks with it, also when requests use an API key. */
  readonly authToken: Redacted.Redacted<string>
  /** An API key for the requests. Unlike the account's token, it can be revoked separately. */
  readonly apiKey?: { readonly sid: string; readonly secret: Redacted.Redacted<string> } | undefined
  /**
   * The URL of the program that conducts the conversation. Twilio requests TwiML from it when a call is answered, and signs
   * the request. The query has the parameters `ref`, `assistant_id` and `var_…`. When the variables do not fit into
   * {@link maxUrlLength}, `variables_url` replaces all of them: the link under which the program reads them.
   */
  readonly voiceUrl: URL
  /**
   * The URL that conducts inbound calls: one for all agents, or one for each `assistantId`. With `https:` it is a program
   * as {@link voiceUrl} is. With `wss:` it receives the audio of the call as a media stream, and must have no query. Default,
   * also for an agent without a URL: {@link voiceUrl}.
   */
  readonly inboundUrl?: URL | Readonly<Record<string, URL>> | undefined
  /** The URL under which Twilio reaches this server. */
  readonly publicUrl: URL
  /** The URL of Twilio's API. Default: `https://api.twilio.com`. */
  readonly baseUrl?: URL | undefined
  /** Whether calls are recorded, with one channel for each side. Default: false. */
  readonly isRecording?: boolean | undefined
  /** Whether Twilio detects answering machines, which it charges for. Default: false. */
  readonly isDetectingMachines?: boolean | undefined
  /** The timeout of one request. Default: 10 seconds. A start has twice this time. */
  readonly timeout?: Duration.Input | undefined
}

/** The parameter of our URLs with our reference. It can be trusted in a callback, because the signature covers the URL. */
export const refParameter = "ref"

/** The maximum length of a URL for Twilio, in characters. Twilio has the same limit for TwiML in place of the URL. */
export const maxUrlLength = 4_000

/**
 * Returns the URL for callbacks about a call. Its fragment makes Twilio repeat a callback up to three times while the server
 * does not answer or answers with 5xx (twilio.com/docs/usage/webhooks).
 */
const callbackUrl = ({ publicUrl }: Options, ref: string): string =>
  `${baseOf(publicUrl)}/providers/twilio/callbacks?${refParameter}=${encodeURIComponent(ref)}#rc=3&rp=5xx,ct,rt`

/** What the program that conducts the conversation must know about a call. */
export interface VoiceCall extends Pick<StartCall, "assistantId" | "variables"> {
  /** Null when the provider has not named the call yet. */
  readonly ref: string | null
}

/**
 * Returns the URL of the program that conducts the conversation, with the data of the call. Each variable is a parameter
 * `var_` with its name. When the URL would be longer than {@link maxUrlLength}, `variables_url` replaces all variables.
 */
export const voiceUrlOf = (
  options: Options,
  { assistantId, ref, variables }: VoiceCall,
  program: URL = options.voiceUrl
): string => {
  const url = new URL(program)
  if (ref !== null) url.searchParams.set(refParameter, ref)
  url.searchParams.set("assistant_id", assistantId)
  const withAll = new URL(url)
  let length = 0
  for (const [name, value] of Object.entries(variables)) {
    // The URL is too long already, and encoding the remaining variables would be wasted work.
    if (length > maxUrlLength) break
    length += String(value).length
    withAll.searchParams.set(`var_${name}`, String(value))
  }
  if (withAll.href.length <= maxUrlLength) return withAll.href
  if (ref !== null) {
    url.searchParams.set("variables_url", variablesUrl(options.publicUrl, Redacted.value(options.authToken), ref))
  }
  return url.href
}

/** Returns the form that creates a call (twilio.com/docs/voice/api/call-resource#create-a-call-resource). */
export const startForm = (options: Options, command: StartCall, voiceUrl: string): ReadonlyArray<[string, string]> => {
  const callback = callbackUrl(options, command.ref)
  const form: Array<[string, string]> = [
    ["To", command.to],
    ["From", command.from],
    ["Url", voiceUrl],
    ["TimeLimit", String(command.maxDurationSeconds)],
    ["StatusCallback", callback]
  ]
  // Without this list Twilio reports only the end.
  for (const event of ["initiated", "ringing", "answered", "completed"]) form.push(["StatusCallbackEvent", event])
  if (options.isRecording === true) {
    form.push(["Record", "true"], ["RecordingChannels", "dual"], ["RecordingStatusCallback", callback])
  }
  if (options.isDetectingMachines === true) {
    // Asynchronous detection: the conversation begins before the result is known.
    form.push(["MachineDetection", "Enable"], ["AsyncAmd", "true"], ["AsyncAmdStatusCallback", callback])
  }
  return form
}
