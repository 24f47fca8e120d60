import type { RetellCallProvider, TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import * as TwilioSettings from "@frontdesk/call-provider/TwilioSettings"
import * as VapiSettings from "@frontdesk/call-provider/VapiSettings"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "./SettingCodecs.ts"
import { define, type Missing, missing, type Read, requireAll } from "./Setting.ts"

const Secret = Schema.NullOr(Schema.Redacted(Schema.String))

const Text = Schema.NullOr(Schema.String)

const secret = SettingCodecs.read(Secret, SettingCodecs.orNull(SettingCodecs.secret))

const url = SettingCodecs.read(Text, SettingCodecs.orNull(SettingCodecs.webUrl))

const apiUrl = SettingCodecs.read(Text, SettingCodecs.orNull(SettingCodecs.baseUrl))

/** One text for all, or a text for each phone number or assistant. */
const TextOrTexts = Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)])

/** The setting for the public URL of the server. */
export const publicUrl = define({
  variable: "FRONTDESK_PUBLIC_URL",
  meaning:
    "The address at which others reach this server; call providers send callbacks to it, and Google and Outlook send browsers to it",
  fallback: "",
  fallbackInWords: "from host and port",
  example: "https://api.example.com",
  codec: SettingCodecs.read(Schema.NullOr(Schema.String), SettingCodecs.orNull(SettingCodecs.baseUrl))
})

const CallProviderName = Schema.Literals(["simulated", "twilio", "vapi", "retell"])

/** The settings that choose the call provider, and the settings of each provider. */
export const callSettings = {
  callProvider: define({
    variable: "FRONTDESK_CALL_PROVIDER",
    meaning: "Who places the calls: simulated, twilio, vapi or retell",
    fallback: "simulated",
    example: "simulated",
    codec: SettingCodecs.read(CallProviderName, SettingCodecs.oneOf(CallProviderName.literals))
  }),
  simulatedCallPace: define({
    variable: "FRONTDESK_SIMULATED_CALL_PACE",
    meaning: "Seconds of a simulated call that pass in one second; 0: the whole call at once",
    fallback: "10",
    example: "10",
    codec: SettingCodecs.read(
      Schema.Finite,
      SettingCodecs.number("a number that is not negative", () => true)
    )
  }),
  twilioAccountSid: define({
    variable: "FRONTDESK_TWILIO_ACCOUNT_SID",
    meaning: "The account with Twilio",
    fallback: "",
    fallbackInWords: "none",
    example: "AC00000000000000000000000000000000",
    codec: SettingCodecs.read(Text, SettingCodecs.orNull(TwilioSettings.accountSid))
  }),
  twilioAuthToken: define({
    variable: "FRONTDESK_TWILIO_AUTH_TOKEN",
    meaning: "The token of the account with Twilio, which also signs Twilio's callbacks",
    fallback: "",
    fallbackInWords: "none",
    example: "the token that Twilio's console shows",
    isSecret: true,
    codec: secret
  }),
  twilioApiKey: define({
    variable: "FRONTDESK_TWILIO_API_KEY",
    meaning: "An API key of the account for requests, in place of the token, which is still needed for callbacks",
    fallback: "",
    fallbackInWords: "none",
    example: "SK00000000000000000000000000000000",
    codec: SettingCodecs.read(Text, SettingCodecs.orNull(TwilioSettings.keySid))
  }),
  twilioApiSecret: define({
    variable: "FRONTDESK_TWILIO_API_SECRET",
    meaning: "The secret of the API key with Twilio",
    fallback: "",
    fallbackInWords: "none",
    example: "the secret that Twilio's console showed once",
    isSecret: true,
    codec: secret
  }),
  twilioVoiceUrl: define({
    variable: "FRONTDESK_TWILIO_VOICE_URL",
    meaning: "The program that talks: Twilio requests TwiML from it when a call is answered",
    fallback: "",
    fallbackInWords: "none",
    example: "https://agent.example.com/voice",
    codec: url
  }),
  twilioInboundUrl: define({
    variable: "FRONTDESK_TWILIO_INBOUND_URL",
    meaning:
      "The URL that conducts inbound calls: a program (https:), a media stream (wss:), or ASSISTANT=URL separated by commas",
    fallback: "",
    fallbackInWords: "the voice URL",
    example: "wss://agent.example.com/audio",
    codec: SettingCodecs.read(Schema.NullOr(TextOrTexts), SettingCodecs.orNull(TwilioSettings.inboundUrls))
  }),
  twilioRecord: define({
    variable: "FRONTDESK_TWILIO_RECORD",
    meaning: "Whether Twilio records the calls",
    fallback: "false",
    example: "true",
    isSwitch: true,
    codec: SettingCodecs.read(Schema.Boolean, SettingCodecs.boolean)
  }),
  twilioMachineDetection: define({
    variable: "FRONTDESK_TWILIO_MACHINE_DETECTION",
    meaning: "Whether Twilio detects answering machines, for which it charges",
    fallback: "false",
    example: "true",
    isSwitch: true,
    codec: SettingCodecs.read(Schema.Boolean, SettingCodecs.boolean)
  }),
  twilioBaseUrl: define({
    variable: "FRONTDESK_TWILIO_BASE_URL",
    meaning: "Where Twilio's API is",
    fallback: "",
    fallbackInWords: "https://api.twilio.com",
    example: "https://api.dublin.ie1.twilio.com",
    codec: apiUrl
  }),
  vapiApiKey: define({
    variable: "FRONTDESK_VAPI_API_KEY",
    meaning: "The private key of the organization with Vapi",
    fallback: "",
    fallbackInWords: "none",
    example: "the private key that Vapi's dashboard shows",
    isSecret: true,
    codec: secret
  }),
  vapiPhoneNumberId: define({
    variable: "FRONTDESK_VAPI_PHONE_NUMBER_ID",
    meaning: "Vapi's id of the number that all calls are made from, or NUMBER=ID separated by commas",
    fallback: "",
    fallbackInWords: "none",
    example: "01234567-89ab-cdef-0123-456789abcdef",
    codec: SettingCodecs.read(Schema.NullOr(TextOrTexts), SettingCodecs.orNull(VapiSettings.phoneNumberId))
  }),
  vapiWebhookSecret: define({
    variable: "FRONTDESK_VAPI_WEBHOOK_SECRET",
    meaning: "A secret of your choice, at least 16 characters, which proves that a message is from Vapi",
    fallback: "",
    fallbackInWords: "none",
    example: "$(openssl rand -hex 32)",
    isSecret: true,
    codec: SettingCodecs.read(Secret, SettingCodecs.orNull(VapiSettings.webhookSecret))
  }),
  vapiWebhookCredentialId: define({
    variable: "FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID",
    meaning: "A custom credential of Vapi that signs messages with the webhook secret, by HMAC-SHA256",
    fallback: "",
    fallbackInWords: "none: Vapi sends the secret itself",
    example: "01234567-89ab-cdef-0123-456789abcdef",
    codec: SettingCodecs.read(Text, SettingCodecs.orNull(VapiSettings.credentialId))
  }),
  vapiBaseUrl: define({
    variable: "FRONTDESK_VAPI_BASE_URL",
    meaning: "Where Vapi's API is",
    fallback: "",
    fallbackInWords: "https://api.vapi.ai",
    example: "https://api.vapi.ai",
    codec: apiUrl
  }),
  retellApiKey: define({
    variable: "FRONTDESK_RETELL_API_KEY",
    meaning: "An API key of the workspace with Retell",
    fallback: "",
    fallbackInWords: "none",
    example: "the key that Retell's dashboard shows",
    isSecret: true,
    codec: secret
  }),
  retellWebhookKey: define({
    variable: "FRONTDESK_RETELL_WEBHOOK_KEY",
    meaning: "The API key with which Retell signs its requests: the one with the webhook badge",
    fallback: "",
    fallbackInWords: "the API key",
    example: "the key with the webhook badge",
    isSecret: true,
    codec: secret
  }),
  retellBaseUrl: define({
    variable: "FRONTDESK_RETELL_BASE_URL",
    meaning: "Where Retell's API is",
    fallback: "",
    fallbackInWords: "https://api.retellai.com",
    example: "https://api.retellai.com",
    codec: apiUrl
  })
}

/** The chosen call provider with its options. */
export type CallProviderChoice =
  | { readonly _tag: "Simulated"; readonly pace: number }
  | { readonly _tag: "Twilio"; readonly options: TwilioCallProvider.Options }
  | { readonly _tag: "Vapi"; readonly options: VapiCallProvider.Options }
  | { readonly _tag: "Retell"; readonly options: RetellCallProvider.Options }

const choiceSettings = { ...callSettings, publicUrl }

/** Returns the chosen call provider with its options, or the settings that it needs and that are missing. */
export const choose = (
  read: Read<typeof choiceSettings>
): Result.Result<CallProviderChoice, ReadonlyArray<Missing>> => {
  switch (read.callProvider) {
    case "simulated":
      return Result.succeed({ _tag: "Simulated", pace: read.simulatedCallPace })
    case "twilio":
      return twilio(read)
    case "vapi":
      return vapi(read)
    case "retell":
      return retell(read)
  }
}

const twilio = (read: Read<typeof choiceSettings>): Result.Result<CallProviderChoice, ReadonlyArray<Missing>> => {
  const { twilioApiKey: sid, twilioApiSecret: secret } = read
  const needed = ["publicUrl", "twilioAccountSid", "twilioAuthToken", "twilioVoiceUrl"] as const
  const choice = Result.map(
    requireAll(choiceSettings, read, needed, `because ${choiceSettings.callProvider.variable} is twilio`),
    (given): CallProviderChoice => ({
      _tag: "Twilio",
      options: {
        accountSid: given.twilioAccountSid,
        authToken: given.twilioAuthToken,
        apiKey: sid === null || secret === null ? undefined : { sid, secret },
        voiceUrl: new URL(given.twilioVoiceUrl),
        inboundUrl: read.twilioInboundUrl === null ? undefined : TwilioSettings.inboundUrlOf(read.twilioInboundUrl),
        publicUrl: new URL(given.publicUrl),
        baseUrl: urlOf(read.twilioBaseUrl),
        isRecording: read.twilioRecord,
        isDetectingMachines: read.twilioMachineDetection
      }
    })
  )
  if ((sid === null) === (secret === null)) return choice
  // The API key and its secret work only together.
  const { twilioApiKey, twilioApiSecret } = choiceSettings
  const [absent, given] = sid === null ? [twilioApiKey, twilioApiSecret] : [twilioApiSecret, twilioApiKey]
  return Result.fail([...missing(choice), { setting: absent, because: `because ${given.variable} is given` }])
}

const vapi = (read: Read<typeof choiceSettings>): Result.Result<CallProviderChoice, ReadonlyArray<Missing>> => {
  const { vapiWebhookCredentialId: credentialId } = read
  const needed = ["publicUrl", "vapiApiKey", "vapiPhoneNumberId", "vapiWebhookSecret"] as const
  return Result.map(
    requireAll(choiceSettings, read, needed, `because ${choiceSettings.callProvider.variable} is vapi`),
    ({ publicUrl, vapiApiKey, vapiPhoneNumberId, vapiWebhookSecret: secret }) => ({
      _tag: "Vapi",
      options: {
        apiKey: vapiApiKey,
        phoneNumberId: vapiPhoneNumberId,
        authentication: credentialId === null ? { _tag: "Secret", secret } : { _tag: "Hmac", secret, credentialId },
        publicUrl: new URL(publicUrl),
        baseUrl: urlOf(read.vapiBaseUrl)
      }
    })
  )
}

const retell = (read: Read<typeof choiceSettings>): Result.Result<CallProviderChoice, ReadonlyArray<Missing>> =>
  Result.map(
    requireAll(
      choiceSettings,
      read,
      ["publicUrl", "retellApiKey"],
      `because ${choiceSettings.callProvider.variable} is retell`
    ),
    ({ publicUrl, retellApiKey }) => ({
      _tag: "Retell",
      options: {
        apiKey: retellApiKey,
        webhookKey: read.retellWebhookKey ?? undefined,
        publicUrl: new URL(publicUrl),
        baseUrl: urlOf(read.retellBaseUrl)
      }
    })
  )

const urlOf = (text: string | null): URL | undefined => (text === null ? undefined : new URL(text))
