import { RetellCallProvider, TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import * as TwilioSettings from "@frontdesk/call-provider/TwilioSettings"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const publicUrl = new URL("https://api.example.com")

const twilio = {
  FRONTDESK_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  FRONTDESK_TWILIO_AUTH_TOKEN: "the token",
  FRONTDESK_TWILIO_VOICE_URL: "https://voice.example/talk"
}

const vapi = {
  FRONTDESK_VAPI_API_KEY: "the key",
  FRONTDESK_VAPI_PHONE_NUMBER_ID: "11111111-2222-4333-8444-555555555555",
  FRONTDESK_VAPI_WEBHOOK_SECRET: "the secret of the messages"
}

const retell = { FRONTDESK_RETELL_API_KEY: "the key" }

type Settings = Readonly<Record<string, string>>

const providers = {
  Twilio: { layer: TwilioCallProvider.layerConfig({ publicUrl }), settings: twilio },
  Vapi: { layer: VapiCallProvider.layerConfig({ publicUrl }), settings: vapi },
  Retell: { layer: RetellCallProvider.layerConfig({ publicUrl }), settings: retell }
}

/** Returns the name of the provider that is made from settings. */
const providerFrom = (name: keyof typeof providers, settings: Settings) =>
  Effect.map(CallProvider, ({ name }) => name).pipe(
    Effect.provide(providers[name].layer.pipe(Layer.provide(FetchHttpClient.layer))),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings))
  )

describe.each(["Twilio", "Vapi", "Retell"] as const)("the settings of %s", (name) => {
  const { settings } = providers[name]

  it.effect("the required settings are enough", () =>
    Effect.gen(function* () {
      expect(yield* providerFrom(name, settings)).toBe(name.toLowerCase())
    })
  )

  it.effect.each(Object.keys(settings))("an absent or empty %s is an error that names it", (missing) =>
    Effect.gen(function* () {
      const { [missing]: _, ...rest } = settings as Settings
      expect((yield* Effect.flip(providerFrom(name, rest))).message).toContain(missing)
      expect((yield* Effect.flip(providerFrom(name, { ...settings, [missing]: "" }))).message).toContain(missing)
    })
  )
})

const sid = `SK${"1".repeat(32)}`
const id = "11111111-2222-4333-8444-555555555555"

describe("optional and invalid settings", () => {
  it.effect.each([
    ["Twilio", { FRONTDESK_TWILIO_ACCOUNT_SID: "the token" }],
    ["Twilio", { FRONTDESK_TWILIO_VOICE_URL: "ftp://the.token" }],
    ["Twilio", { FRONTDESK_TWILIO_VOICE_URL: "https://user:the-token@voice.example" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "the token" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "ws://voice.example" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "wss://voice.example?a=1" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "wss://user:the-token@voice.example" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "https://voice.example#a" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "asst_ada=" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "=https://voice.example" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "asst_ada=https://voice.example," }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "asst_ada=https://a.example,asst_ada=https://b.example" }],
    ["Twilio", { FRONTDESK_TWILIO_INBOUND_URL: "wss://voice.example?a=https://voice.example" }],
    ["Twilio", { FRONTDESK_TWILIO_BASE_URL: "the token" }],
    ["Twilio", { FRONTDESK_TWILIO_API_KEY: "the token", FRONTDESK_TWILIO_API_SECRET: "x" }],
    ["Twilio", { FRONTDESK_TWILIO_RECORD: "the token" }],
    ["Vapi", { FRONTDESK_VAPI_PHONE_NUMBER_ID: "the token" }],
    ["Vapi", { FRONTDESK_VAPI_PHONE_NUMBER_ID: `+12025550100=${id},12025550101=${id}` }],
    ["Vapi", { FRONTDESK_VAPI_PHONE_NUMBER_ID: "none" }],
    ["Vapi", { FRONTDESK_VAPI_WEBHOOK_SECRET: "123456789012345" }],
    ["Vapi", { FRONTDESK_VAPI_WEBHOOK_SECRET: " 123456789012345" }],
    ["Vapi", { FRONTDESK_VAPI_WEBHOOK_SECRET: "123456789012345ß" }],
    ["Vapi", { FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID: "the token" }],
    ["Vapi", { FRONTDESK_VAPI_BASE_URL: "the token" }],
    ["Retell", { FRONTDESK_RETELL_BASE_URL: "the token" }]
  ] as const)("an invalid setting of %s is an error that names it: %j", ([name, wrong]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(providerFrom(name, { ...providers[name].settings, ...wrong }))
      // The first setting of a row is the invalid one.
      expect(message).toContain(Object.keys(wrong)[0])
    })
  )

  it.effect("the error of an invalid setting does not quote its value, which may be a secret", () =>
    Effect.gen(function* () {
      const wrong = { ...twilio, FRONTDESK_TWILIO_ACCOUNT_SID: "a-token-in-the-wrong-place" }
      const error = yield* Effect.flip(providerFrom("Twilio", wrong))
      expect(String(error) + JSON.stringify(error)).not.toContain("a-token-in-the-wrong-place")
    })
  )

  it.effect("an API key requires its secret, and the secret requires the key", () =>
    Effect.gen(function* () {
      const key = { ...twilio, FRONTDESK_TWILIO_API_KEY: sid }
      expect((yield* Effect.flip(providerFrom("Twilio", key))).message).toContain("FRONTDESK_TWILIO_API_SECRET")
      const secret = { ...twilio, FRONTDESK_TWILIO_API_SECRET: "secret" }
      expect((yield* Effect.flip(providerFrom("Twilio", secret))).message).toContain("FRONTDESK_TWILIO_API_KEY")
      expect(yield* providerFrom("Twilio", { ...key, ...secret })).toBe("twilio")
    })
  )

  it.effect.each([
    ["", undefined],
    ["https://voice.example/?a=b,c=d", new URL("https://voice.example/?a=b,c=d")],
    ["wss://voice.example/audio", new URL("wss://voice.example/audio")],
    [
      "asst_ada=wss://voice.example, asst ben = https://voice.example/?a=b",
      { asst_ada: new URL("wss://voice.example"), "asst ben": new URL("https://voice.example/?a=b") }
    ]
  ] as const)("inbound calls are answered at one URL or at a URL for each assistant: %s", ([text, inboundUrl]) =>
    Effect.gen(function* () {
      expect(yield* TwilioSettings.settings).toMatchObject({ inboundUrl })
    }).pipe(
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ ...twilio, FRONTDESK_TWILIO_INBOUND_URL: text })
      )
    )
  )

  it.effect("optional settings may be empty, and each phone number may have its own id", () =>
    Effect.gen(function* () {
      const empty = { FRONTDESK_TWILIO_API_KEY: "", FRONTDESK_TWILIO_BASE_URL: "", FRONTDESK_TWILIO_RECORD: "" }
      expect(yield* providerFrom("Twilio", { ...twilio, ...empty })).toBe("twilio")
      const numbers = `+12025550100=${id}, +12025550101 = ${id}`
      expect(yield* providerFrom("Vapi", { ...vapi, FRONTDESK_VAPI_PHONE_NUMBER_ID: numbers })).toBe("vapi")
      const none = { FRONTDESK_RETELL_WEBHOOK_KEY: "", FRONTDESK_RETELL_BASE_URL: "" }
      expect(yield* providerFrom("Retell", { ...retell, ...none })).toBe("retell")
    })
  )
})
