import type { StartCall } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/PublicUrl"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { refParameter } from "./TwilioCallback.ts"
import { variablesUrl } from "./TwilioVariables.ts"

/** How Twilio is used. */
export interface Options {
  /** `AC` and 32 hexadecimal digits. */
  readonly accountSid: string
  /** The account's token: its callbacks are signed with it, also when requests are made with an API key. */
  readonly authToken: Redacted.Redacted<string>
  /** Makes the requests in place of the account's token, so that it can be revoked by itself. */
  readonly apiKey?: { readonly sid: string; readonly secret: Redacted.Redacted<string> } | undefined
  /**
   * The program that talks: Twilio asks it for TwiML when a call is answered. It is told of the call by the parameters
   * `ref`, `assistant_id` and `var_…` of this URL's query, and Twilio signs its requests to it. Variables that do not fit
   * into {@link maxUrlLength} are all left out, and `variables_url` is the link under which the program reads them.
   */
  readonly voiceUrl: URL
  /** The address under which Twilio reaches this server. */
  readonly publicUrl: URL
  /** Where Twilio's API is; `https://api.twilio.com` unless given. */
  readonly baseUrl?: URL | undefined
  /** Whether calls are recorded, both sides on channels of their own; no unless given. */
  readonly isRecording?: boolean | undefined
  /** Whether Twilio finds out that a machine has answered; it charges for that. No unless given. */
  readonly isDetectingMachines?: boolean | undefined
  /** How long one answer may take; 10 seconds unless given. A start waits twice as long. */
  readonly timeout?: Duration.Input | undefined
}

/** The longest URL that is handed to Twilio, in characters: as long as the TwiML it takes in its place. */
export const maxUrlLength = 4_000

/**
 * The URL that Twilio calls back about a call; it tries again when the server is down (twilio.com/docs/usage/webhooks).
 */
const callbackUrl = ({ publicUrl }: Options, ref: string): string =>
  `${baseOf(publicUrl)}/providers/twilio/callbacks?${refParameter}=${encodeURIComponent(ref)}#rc=3&rp=5xx,ct,rt`

/**
 * Returns the URL of the program that talks, with what it is told of the call: every variable as `var_` and its name, or,
 * when the URL would be longer than {@link maxUrlLength}, `variables_url` in the place of them all.
 */
export const voiceUrlOf = (options: Options, { assistantId, ref, variables }: StartCall): string => {
  const url = new URL(options.voiceUrl)
  url.searchParams.set(refParameter, ref)
  url.searchParams.set("assistant_id", assistantId)
  const withAll = new URL(url)
  let length = 0
  for (const [name, value] of Object.entries(variables)) {
    // The rest of so many is not even written.
    if (length > maxUrlLength) break
    length += String(value).length
    withAll.searchParams.set(`var_${name}`, String(value))
  }
  if (withAll.href.length <= maxUrlLength) return withAll.href
  url.searchParams.set("variables_url", variablesUrl(options.publicUrl, Redacted.value(options.authToken), ref))
  return url.href
}

/** The form that asks for a call (twilio.com/docs/voice/api/call-resource#create-a-call-resource). */
export const startForm = (options: Options, command: StartCall, voiceUrl: string): ReadonlyArray<[string, string]> => {
  const callback = callbackUrl(options, command.ref)
  const form: Array<[string, string]> = [
    ["To", command.to],
    ["From", command.from],
    ["Url", voiceUrl],
    ["TimeLimit", String(command.maxDurationSeconds)],
    ["StatusCallback", callback]
  ]
  // Only the end is reported otherwise.
  for (const event of ["initiated", "ringing", "answered", "completed"]) form.push(["StatusCallbackEvent", event])
  if (options.isRecording === true) {
    form.push(["Record", "true"], ["RecordingChannels", "dual"], ["RecordingStatusCallback", callback])
  }
  if (options.isDetectingMachines === true) {
    // The conversation does not wait for what is found.
    form.push(["MachineDetection", "Enable"], ["AsyncAmd", "true"], ["AsyncAmdStatusCallback", callback])
  }
  return form
}
