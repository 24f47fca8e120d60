import { matching, type TextReader } from "@frontdesk/core/values/TextReader"
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Settings from "../request/Settings.ts"
import { minSecretLength } from "./VapiAuthentication.ts"
import type { Options } from "./VapiOptions.ts"

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const numberAndId = /^(\+[1-9]\d{6,14}) *= *(.+)$/

/** Reads the id of a credential at Vapi. */
export const credentialId = matching("an id like 01234567-89ab-cdef-0123-456789abcdef", id)

/** Reads the id of a phone number at Vapi: one for all calls, or several as `NUMBER=ID`, separated by commas. */
export const phoneNumberId: TextReader<Options["phoneNumberId"]> = (text) => {
  if (id.test(text)) return Result.succeed(text)
  const pairs = text.split(",").map((part) => {
    const [, number = "", id = ""] = numberAndId.exec(part.trim()) ?? []
    return [number, id] as const
  })
  return pairs.every(([, each]) => id.test(each))
    ? Result.succeed(Object.fromEntries(pairs))
    : Result.fail("the id of a phone number, or NUMBER=ID separated by commas")
}

/** Reads the secret of the messages. It must be ASCII, because a header has no standard encoding of other characters. */
export const webhookSecret: TextReader<Redacted.Redacted<string>> = (text) =>
  text.length < minSecretLength || text.trim() !== text || !/^[ -~]*$/.test(text)
    ? Result.fail(`${minSecretLength} or more ASCII characters, without spaces at the beginning or end`)
    : Result.succeed(Redacted.make(text))

/**
 * Reads the settings of Vapi.
 *
 * | setting | meaning |
 * |---|---|
 * | `FRONTDESK_VAPI_API_KEY` | the private key |
 * | `FRONTDESK_VAPI_PHONE_NUMBER_ID` | the id of the number for all calls, or `+12025550100=ID,+12025550101=ID` |
 * | `FRONTDESK_VAPI_WEBHOOK_SECRET` | proves that messages come from Vapi; 16 characters or more |
 * | `FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID` | a credential of Vapi that signs messages with the secret, by HMAC-SHA256; without it Vapi sends the secret itself |
 * | `FRONTDESK_VAPI_BASE_URL` | the URL of the API; default `https://api.vapi.ai` |
 */
export const settings: Effect.Effect<Omit<Options, "publicUrl" | "timeout">, Config.ConfigError> = Effect.gen(
  function* () {
    const secret = yield* Settings.setting("FRONTDESK_VAPI_WEBHOOK_SECRET", webhookSecret)
    const credential = yield* Settings.optional("FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID", (name) =>
      Settings.setting(name, credentialId)
    )
    return {
      apiKey: yield* Settings.setting("FRONTDESK_VAPI_API_KEY", Settings.secret),
      phoneNumberId: yield* Settings.setting("FRONTDESK_VAPI_PHONE_NUMBER_ID", phoneNumberId),
      authentication:
        credential === undefined ? { _tag: "Secret", secret } : { _tag: "Hmac", secret, credentialId: credential },
      baseUrl: yield* Settings.optional("FRONTDESK_VAPI_BASE_URL", (name) => Settings.setting(name, Settings.url))
    }
  }
)
