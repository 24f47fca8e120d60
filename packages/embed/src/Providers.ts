import type { RetellCallProvider, TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import * as SimulatedCallProvider from "@frontdesk/call-provider/SimulatedCallProvider"
import { inboundUrlOf } from "@frontdesk/call-provider/TwilioSettings"
import type { CallProvider } from "@frontdesk/core/call/CallProvider"
import { CaldavHttpClient } from "@frontdesk/calendar-sync/CaldavHttpClient"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as LazyLayer from "@frontdesk/core/values/LazyLayer"
import { SmtpMailer } from "@frontdesk/email"
import { PublicHttpClient } from "@frontdesk/webhook-sender"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import type { Options } from "./Options.ts"

type CallProviderOptions = NonNullable<Options["callProvider"]>

/** The pace of simulated calls when the options name none: a call of 30 seconds takes 3. */
const defaultPace = 10

const urlOf = (text: string | undefined): URL | undefined => (text === undefined ? undefined : new URL(text))

const twilioOf = (options: NonNullable<CallProviderOptions["twilio"]>): TwilioCallProvider.Options => ({
  ...options,
  voiceUrl: new URL(options.voiceUrl),
  inboundUrl: options.inboundUrl === undefined ? undefined : inboundUrlOf(options.inboundUrl),
  publicUrl: new URL(options.publicUrl),
  baseUrl: urlOf(options.baseUrl)
})

const vapiOf = ({
  apiKey,
  baseUrl,
  phoneNumberId,
  publicUrl,
  webhookCredentialId: credentialId,
  webhookSecret: secret
}: NonNullable<CallProviderOptions["vapi"]>): VapiCallProvider.Options => ({
  apiKey,
  phoneNumberId,
  authentication: credentialId === undefined ? { _tag: "Secret", secret } : { _tag: "Hmac", secret, credentialId },
  publicUrl: new URL(publicUrl),
  baseUrl: urlOf(baseUrl)
})

const retellOf = (options: NonNullable<CallProviderOptions["retell"]>): RetellCallProvider.Options => ({
  ...options,
  publicUrl: new URL(options.publicUrl),
  baseUrl: urlOf(options.baseUrl)
})

/** Provides the call provider of the options. Without one calls are simulated. */
export const callProvider = ({
  retell,
  simulated,
  twilio,
  vapi
}: Partial<CallProviderOptions> = {}): Layer.Layer<CallProvider> => {
  if (twilio !== undefined) {
    return LazyLayer.make(
      () => import("@frontdesk/call-provider/TwilioCallProvider"),
      ({ layer }) => Layer.provide(layer(twilioOf(twilio)), FetchHttpClient.layer)
    )
  }
  if (vapi !== undefined) {
    return LazyLayer.make(
      () => import("@frontdesk/call-provider/VapiCallProvider"),
      ({ layer }) => Layer.provide(layer(vapiOf(vapi)), FetchHttpClient.layer)
    )
  }
  if (retell !== undefined) {
    return LazyLayer.make(
      () => import("@frontdesk/call-provider/RetellCallProvider"),
      ({ layer }) => Layer.provide(layer(retellOf(retell)), FetchHttpClient.layer)
    )
  }
  return SimulatedCallProvider.layer({ pace: simulated?.pace ?? defaultPace })
}

/** Returns the URL at which the call provider reaches a mount. Undefined when calls are simulated. */
export const publicUrlOf = ({ retell, twilio, vapi }: Partial<CallProviderOptions> = {}): URL | undefined =>
  urlOf(twilio?.publicUrl ?? vapi?.publicUrl ?? retell?.publicUrl)

/** Provides the client for CalDAV servers. It reaches public addresses and the private hosts of the options. */
export const caldav = ({ caldav = {} }: NonNullable<Options["calendars"]> = {}): Layer.Layer<CaldavHttpClient> =>
  CaldavHttpClient.layer(PublicHttpClient.layer({ privateHosts: caldav.privateHosts }))

/** Provides the mailer of the options. Without one no mail is sent. */
export const mailer = (mail: Options["mail"]): Layer.Layer<Mailer> =>
  // The options were decoded, so they are valid.
  mail === undefined ? Mailer.layerNone : Layer.orDie(SmtpMailer.layer(mail))
