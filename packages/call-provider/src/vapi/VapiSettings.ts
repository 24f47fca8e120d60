import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Settings from "../request/Settings.ts"
import type { Options } from "./VapiOptions.ts"

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const pair = `\\+[1-9]\\d{6,14}=${id}`
const numbers = new RegExp(`^(?:${id}|${pair}(?: *, *${pair})*)$`)

/**
 * The settings of Vapi.
 *
 * | variable | meaning |
 * |---|---|
 * | `FRONTDESK_VAPI_API_KEY` | the private key |
 * | `FRONTDESK_VAPI_PHONE_NUMBER_ID` | the id of the number all calls are made from, or `+12025550100=ID,+12025550101=ID` |
 * | `FRONTDESK_VAPI_WEBHOOK_SECRET` | proves that messages come from Vapi |
 * | `FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID` | a credential of Vapi that signs messages with that secret, by HMAC-SHA256; without it Vapi sends the secret |
 * | `FRONTDESK_VAPI_BASE_URL` | where the API is; `https://api.vapi.ai` |
 */
export const settings: Effect.Effect<Omit<Options, "publicUrl" | "timeout">, Config.ConfigError> = Effect.gen(
  function* () {
    const secret = yield* Settings.secret("FRONTDESK_VAPI_WEBHOOK_SECRET")
    const credentialId = yield* Settings.optional("FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID", (name) =>
      Settings.text(name, new RegExp(`^${id}$`), "an id like 01234567-89ab-cdef-0123-456789abcdef")
    )
    return {
      apiKey: yield* Settings.secret("FRONTDESK_VAPI_API_KEY"),
      phoneNumberId: yield* Config.map(
        Settings.text("FRONTDESK_VAPI_PHONE_NUMBER_ID", numbers, "an id, or NUMBER=ID separated by commas"),
        idsOf
      ),
      authentication: credentialId === undefined ? { _tag: "Secret", secret } : { _tag: "Hmac", secret, credentialId },
      baseUrl: yield* Settings.optional("FRONTDESK_VAPI_BASE_URL", Settings.url)
    }
  }
)

const idsOf = (text: string): Options["phoneNumberId"] =>
  text.includes("=") ? Object.fromEntries(text.split(",").map(pairOf)) : text

const pairOf = (text: string): readonly [number: string, id: string] => {
  const [number = "", id = ""] = text.trim().split("=")
  return [number, id]
}
