import { TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
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

type Settings = Readonly<Record<string, string>>

const providers = {
  Twilio: { layer: TwilioCallProvider.layerConfig({ publicUrl }), settings: twilio },
  Vapi: { layer: VapiCallProvider.layerConfig({ publicUrl }), settings: vapi }
}

const opened = (name: "Twilio" | "Vapi", settings: Settings) =>
  Effect.map(CallProvider, ({ name }) => name).pipe(
    Effect.provide(providers[name].layer.pipe(Layer.provide(FetchHttpClient.layer))),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings))
  )

describe.each(["Twilio", "Vapi"] as const)("the settings of %s", (name) => {
  const { settings } = providers[name]

  it.effect("are enough", () =>
    Effect.gen(function* () {
      expect(yield* opened(name, settings)).toBe(name.toLowerCase())
    })
  )

  it.effect.each(Object.keys(settings))("%s is missed by its name, and an empty one is wrong", (missing) =>
    Effect.gen(function* () {
      const { [missing]: _, ...rest } = settings as Settings
      expect((yield* Effect.flip(opened(name, rest))).message).toContain(missing)
      expect((yield* Effect.flip(opened(name, { ...settings, [missing]: "" }))).message).toContain(missing)
    })
  )
})

const sid = `SK${"1".repeat(32)}`
const id = "11111111-2222-4333-8444-555555555555"

describe("a setting that is wrong", () => {
  it.effect.each([
    ["Twilio", { FRONTDESK_TWILIO_ACCOUNT_SID: "the token" }],
    ["Twilio", { FRONTDESK_TWILIO_VOICE_URL: "ftp://the.token" }],
    ["Twilio", { FRONTDESK_TWILIO_VOICE_URL: "https://user:the-token@voice.example" }],
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
    ["Vapi", { FRONTDESK_VAPI_BASE_URL: "the token" }]
  ] as const)("of %s is named: %j", ([name, wrong]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(opened(name, { ...providers[name].settings, ...wrong }))
      for (const variable of Object.keys(wrong).slice(0, 1)) expect(message).toContain(variable)
    })
  )

  it.effect("is not repeated when it may be a secret", () =>
    Effect.gen(function* () {
      const wrong = { ...twilio, FRONTDESK_TWILIO_ACCOUNT_SID: "a-token-in-the-wrong-place" }
      const error = yield* Effect.flip(opened("Twilio", wrong))
      expect(String(error) + JSON.stringify(error)).not.toContain("a-token-in-the-wrong-place")
    })
  )

  it.effect("one half of an API key makes the other necessary", () =>
    Effect.gen(function* () {
      const key = { ...twilio, FRONTDESK_TWILIO_API_KEY: sid }
      expect((yield* Effect.flip(opened("Twilio", key))).message).toContain("FRONTDESK_TWILIO_API_SECRET")
      const secret = { ...twilio, FRONTDESK_TWILIO_API_SECRET: "secret" }
      expect((yield* Effect.flip(opened("Twilio", secret))).message).toContain("FRONTDESK_TWILIO_API_KEY")
      expect(yield* opened("Twilio", { ...key, ...secret })).toBe("twilio")
    })
  )

  it.effect("what is optional may be empty, and numbers may have ids of their own", () =>
    Effect.gen(function* () {
      const empty = { FRONTDESK_TWILIO_API_KEY: "", FRONTDESK_TWILIO_BASE_URL: "", FRONTDESK_TWILIO_RECORD: "" }
      expect(yield* opened("Twilio", { ...twilio, ...empty })).toBe("twilio")
      const numbers = `+12025550100=${id}, +12025550101 = ${id}`
      expect(yield* opened("Vapi", { ...vapi, FRONTDESK_VAPI_PHONE_NUMBER_ID: numbers })).toBe("vapi")
    })
  )
})
