import * as SimulatedCallProvider from "@frontdesk/call-provider/SimulatedCallProvider"
import type { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { SmtpMailer } from "@frontdesk/email"
import * as Layer from "effect/Layer"
import * as LazyLayer from "@frontdesk/core/values/LazyLayer"
import type { CallProviderChoice } from "./settings/CallProviderSettings.ts"
import type { MailChoice } from "./settings/MailSettings.ts"

/** Provides undici. `fetch` repeats a request after an answer of 421, which could place a call twice. */
const undici = LazyLayer.make(
  () => import("@effect/platform-node/NodeHttpClient"),
  ({ layerUndici }) => layerUndici
)

/** Provides the call provider of the settings. */
export const callProvider = (choice: CallProviderChoice): Layer.Layer<CallProvider> => {
  switch (choice._tag) {
    case "Simulated":
      return SimulatedCallProvider.layer({ pace: choice.pace })
    case "Twilio":
      return LazyLayer.make(
        () => import("@frontdesk/call-provider/TwilioCallProvider"),
        ({ layer }) => Layer.provide(layer(choice.options), undici)
      )
    case "Vapi":
      return LazyLayer.make(
        () => import("@frontdesk/call-provider/VapiCallProvider"),
        ({ layer }) => Layer.provide(layer(choice.options), undici)
      )
    case "Retell":
      return LazyLayer.make(
        () => import("@frontdesk/call-provider/RetellCallProvider"),
        ({ layer }) => Layer.provide(layer(choice.options), undici)
      )
  }
}

/** Provides the mailer of the settings; without a mail server it sends nothing. */
export const mailer = (choice: MailChoice): Layer.Layer<Mailer> =>
  choice === null ? Mailer.layerNone : Layer.orDie(SmtpMailer.layer(choice))
