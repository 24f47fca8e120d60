import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Settings from "../request/Settings.ts"
import type { Options } from "./RetellOptions.ts"

/**
 * Reads the settings of Retell.
 *
 * | setting | meaning |
 * |---|---|
 * | `FRONTDESK_RETELL_API_KEY` | an API key |
 * | `FRONTDESK_RETELL_WEBHOOK_KEY` | the API key with which Retell signs its requests, if it is another one; optional |
 * | `FRONTDESK_RETELL_BASE_URL` | the URL of the API; default `https://api.retellai.com` |
 */
export const settings: Effect.Effect<Omit<Options, "publicUrl" | "timeout">, Config.ConfigError> = Effect.gen(
  function* () {
    return {
      apiKey: yield* Settings.setting("FRONTDESK_RETELL_API_KEY", Settings.secret),
      webhookKey: yield* Settings.optional("FRONTDESK_RETELL_WEBHOOK_KEY", (name) =>
        Settings.setting(name, Settings.secret)
      ),
      baseUrl: yield* Settings.optional("FRONTDESK_RETELL_BASE_URL", (name) => Settings.setting(name, Settings.url))
    }
  }
)
