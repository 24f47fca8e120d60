import { matching } from "@frontdesk/core/values/TextReader"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Settings from "../request/Settings.ts"
import type { Options } from "./TwilioOptions.ts"

/** Reads the SID of an account. */
export const accountSid = matching("AC and 32 hexadecimal digits", /^AC[0-9a-f]{32}$/)

/** Reads the SID of an API key. */
export const keySid = matching("SK and 32 hexadecimal digits", /^SK[0-9a-f]{32}$/)

/**
 * Reads the settings of Twilio.
 *
 * | setting | meaning |
 * |---|---|
 * | `FRONTDESK_TWILIO_ACCOUNT_SID` | the SID of the account, `AC…` |
 * | `FRONTDESK_TWILIO_AUTH_TOKEN` | the token of the account |
 * | `FRONTDESK_TWILIO_API_KEY`, `FRONTDESK_TWILIO_API_SECRET` | an API key for the requests; optional |
 * | `FRONTDESK_TWILIO_VOICE_URL` | the URL of the program that conducts the conversation |
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
    return {
      accountSid: yield* Settings.setting("FRONTDESK_TWILIO_ACCOUNT_SID", accountSid),
      authToken: yield* Settings.setting("FRONTDESK_TWILIO_AUTH_TOKEN", Settings.secret),
      apiKey: hasKey ? { sid: yield* key, secret: yield* secret } : undefined,
      voiceUrl: yield* Settings.setting("FRONTDESK_TWILIO_VOICE_URL", Settings.url),
      baseUrl: yield* Settings.optional("FRONTDESK_TWILIO_BASE_URL", (name) => Settings.setting(name, Settings.url)),
      isRecording: yield* Settings.optional("FRONTDESK_TWILIO_RECORD", Config.Boolean),
      isDetectingMachines: yield* Settings.optional("FRONTDESK_TWILIO_MACHINE_DETECTION", Config.Boolean)
    }
  }
)
