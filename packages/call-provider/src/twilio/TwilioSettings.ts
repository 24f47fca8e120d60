import { matching, type TextReader } from "@frontdesk/core/values/TextReader"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Settings from "../request/Settings.ts"
import type { Options } from "./TwilioOptions.ts"

/** Reads the SID of an account. */
export const accountSid = matching("AC and 32 hexadecimal digits", /^AC[0-9a-f]{32}$/)

/** Reads the SID of an API key. */
export const keySid = matching("SK and 32 hexadecimal digits", /^SK[0-9a-f]{32}$/)

// A URL is not the id of an assistant: `wss://example.com/?a=https://example.com` is a mistake.
const assistantAndUrl = /^(?!\w+:\/\/)([^=]+?) *= *(.+)$/s

/** Reads the URL that answers inbound calls. That of a media stream must have no query, because Twilio supports none there. */
export const inboundUrl: TextReader<string> = (text) => {
  const url = URL.parse(text)
  const isRight =
    url !== null &&
    `${url.username}${url.password}` === "" &&
    !/[#\s]/.test(text) &&
    (/^https?:$/.test(url.protocol) || (url.protocol === "wss:" && !text.includes("?")))
  return isRight
    ? Result.succeed(text)
    : Result.fail("a URL that begins with https://, or with wss:// and has no query")
}

/**
 * Reads the URL that answers inbound calls: one for all agents, or several as `ASSISTANT=URL`, separated by commas. A comma
 * in a URL must be encoded as `%2C`.
 */
export const inboundUrls: TextReader<string | Readonly<Record<string, string>>> = (text) => {
  const one = inboundUrl(text)
  if (Result.isSuccess(one)) return one
  const pairs = text.split(",").map((part) => {
    const [, assistant = "", url = ""] = assistantAndUrl.exec(part.trim()) ?? []
    return [assistant, url] as const
  })
  const isRight = pairs.every(([, url]) => Result.isSuccess(inboundUrl(url)))
  return isRight && new Set(pairs.map(([assistant]) => assistant)).size === pairs.length
    ? Result.succeed(Object.fromEntries(pairs))
    : Result.fail(`${one.failure}, or ASSISTANT=URL separated by commas, each assistant once`)
}

/** Returns the option of a text or of texts that {@link inboundUrls} has read. */
export const inboundUrlOf = (given: string | Readonly<Record<string, string>>): Options["inboundUrl"] =>
  typeof given === "string"
    ? new URL(given)
    : Object.fromEntries(Object.entries(given).map(([assistant, url]) => [assistant, new URL(url)]))

/**
 * Reads the settings of Twilio.
 *
 * | setting | meaning |
 * |---|---|
 * | `FRONTDESK_TWILIO_ACCOUNT_SID` | the SID of the account, `AC…` |
 * | `FRONTDESK_TWILIO_AUTH_TOKEN` | the token of the account |
 * | `FRONTDESK_TWILIO_API_KEY`, `FRONTDESK_TWILIO_API_SECRET` | an API key for the requests; optional |
 * | `FRONTDESK_TWILIO_VOICE_URL` | the URL of the program that conducts the conversation |
 * | `FRONTDESK_TWILIO_INBOUND_URL` | the URL that conducts inbound calls: a URL, or `asst_ada=URL,asst_ben=URL`; default: the voice URL |
 * | `FRONTDESK_TWILIO_RECORD` | `true` to record calls |
 * | `FRONTDESK_TWILIO_MACHINE_DETECTION` | `true` to detect answering machines |
 * | `FRONTDESK_TWILIO_BASE_URL` | the URL of the API; default `https://api.twilio.com` |
 */
export const settings: Effect.Effect<Omit<Options, "publicUrl" | "timeout">, Config.ConfigError> = Effect.gen(
  function* () {
    const key = Settings.setting("FRONTDESK_TWILIO_API_KEY", keySid)
    const secret = Settings.setting("FRONTDESK_TWILIO_API_SECRET", Settings.secret)
    const hasKey =
      (yield* Settings.isGiven("FRONTDESK_TWILIO_API_KEY")) || (yield* Settings.isGiven("FRONTDESK_TWILIO_API_SECRET"))
    const inbound = yield* Settings.optional("FRONTDESK_TWILIO_INBOUND_URL", (name) =>
      Settings.setting(name, inboundUrls)
    )
    return {
      accountSid: yield* Settings.setting("FRONTDESK_TWILIO_ACCOUNT_SID", accountSid),
      authToken: yield* Settings.setting("FRONTDESK_TWILIO_AUTH_TOKEN", Settings.secret),
      apiKey: hasKey ? { sid: yield* key, secret: yield* secret } : undefined,
      voiceUrl: yield* Settings.setting("FRONTDESK_TWILIO_VOICE_URL", Settings.url),
      inboundUrl: inbound === undefined ? undefined : inboundUrlOf(inbound),
      baseUrl: yield* Settings.optional("FRONTDESK_TWILIO_BASE_URL", (name) => Settings.setting(name, Settings.url)),
      isRecording: yield* Settings.optional("FRONTDESK_TWILIO_RECORD", Config.Boolean),
      isDetectingMachines: yield* Settings.optional("FRONTDESK_TWILIO_MACHINE_DETECTION", Config.Boolean)
    }
  }
)
