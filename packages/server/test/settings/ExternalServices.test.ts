import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { settings as definitions } from "frontdesk/settings/SettingDefinitions"
import { names } from "frontdesk/settings/ExternalServices"
import { type Flags, load, loadCalendars } from "frontdesk/settings/Settings"

const given = (environment: Readonly<Record<string, string>>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const read = (environment: Readonly<Record<string, string>>, flags: Flags = {}) => given(environment)(load(flags))

/** Loads invalid settings and returns the problems, as `NAME: message`. */
const problems = (environment: Readonly<Record<string, string>>, flags: Flags = {}) =>
  Effect.map(Effect.flip(read(environment, flags)), (error) =>
    error.problems.map(({ message, name }) => `${name}: ${message}`)
  )

const twilio = {
  FRONTDESK_CALL_PROVIDER: "twilio",
  FRONTDESK_PUBLIC_URL: "https://api.example.com/desk",
  FRONTDESK_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  FRONTDESK_TWILIO_AUTH_TOKEN: "hunter2",
  FRONTDESK_TWILIO_VOICE_URL: "https://agent.example.com/voice?v=1"
}

const id = "01234567-89ab-cdef-0123-456789abcdef"

const vapi = {
  FRONTDESK_CALL_PROVIDER: "vapi",
  FRONTDESK_PUBLIC_URL: "https://api.example.com",
  FRONTDESK_VAPI_API_KEY: "hunter2",
  FRONTDESK_VAPI_PHONE_NUMBER_ID: id,
  FRONTDESK_VAPI_WEBHOOK_SECRET: "hunter3-hunter3-hunter3"
}

const retell = {
  FRONTDESK_CALL_PROVIDER: "retell",
  FRONTDESK_PUBLIC_URL: "https://api.example.com",
  FRONTDESK_RETELL_API_KEY: "hunter2"
}

const mail = {
  FRONTDESK_MAIL_URL: "smtps://desk:hunter2@smtp.example.com",
  FRONTDESK_MAIL_FROM: "Front desk <desk@example.com>"
}

const google = { FRONTDESK_GOOGLE_CLIENT_ID: "abc", FRONTDESK_GOOGLE_CLIENT_SECRET: "hunter2" }

const outlook = { FRONTDESK_OUTLOOK_CLIENT_ID: "def", FRONTDESK_OUTLOOK_CLIENT_SECRET: "hunter2" }

describe("settings of external services", () => {
  it.effect("become the options of Twilio, with an API key if one is given", () =>
    Effect.gen(function* () {
      const { callProvider } = yield* read(twilio)
      expect(callProvider).toEqual({
        _tag: "Twilio",
        options: {
          accountSid: twilio.FRONTDESK_TWILIO_ACCOUNT_SID,
          authToken: Redacted.make("hunter2"),
          apiKey: undefined,
          voiceUrl: new URL("https://agent.example.com/voice?v=1"),
          inboundUrl: undefined,
          publicUrl: new URL("https://api.example.com/desk"),
          baseUrl: undefined,
          isRecording: false,
          isDetectingMachines: false
        }
      })
      const more = yield* read({
        ...twilio,
        FRONTDESK_TWILIO_API_KEY: `SK${"1".repeat(32)}`,
        FRONTDESK_TWILIO_API_SECRET: "hunter3",
        FRONTDESK_TWILIO_INBOUND_URL: "asst_ada=wss://agent.example.com/audio, asst_ben=https://agent.example.com/?a=b",
        FRONTDESK_TWILIO_RECORD: "true",
        FRONTDESK_TWILIO_BASE_URL: "http://127.0.0.1:8791"
      })
      expect(more.callProvider).toMatchObject({
        options: {
          apiKey: { sid: `SK${"1".repeat(32)}`, secret: Redacted.make("hunter3") },
          inboundUrl: {
            asst_ada: new URL("wss://agent.example.com/audio"),
            asst_ben: new URL("https://agent.example.com/?a=b")
          },
          isRecording: true,
          baseUrl: new URL("http://127.0.0.1:8791")
        }
      })
    })
  )

  it.effect("become the options of Vapi, with one or several numbers, and a secret or a signing credential", () =>
    Effect.gen(function* () {
      expect((yield* read(vapi)).callProvider).toMatchObject({
        _tag: "Vapi",
        options: {
          phoneNumberId: id,
          authentication: { _tag: "Secret", secret: Redacted.make("hunter3-hunter3-hunter3") },
          publicUrl: new URL("https://api.example.com")
        }
      })
      const more = yield* read({
        ...vapi,
        FRONTDESK_VAPI_PHONE_NUMBER_ID: `+12025550100=${id}, +12025550101=${id.replace("0", "f")}`,
        FRONTDESK_VAPI_WEBHOOK_CREDENTIAL_ID: id
      })
      expect(more.callProvider).toMatchObject({
        options: {
          phoneNumberId: { "+12025550100": id, "+12025550101": id.replace("0", "f") },
          authentication: { _tag: "Hmac", credentialId: id }
        }
      })
    })
  )

  it.effect("become the options of Retell, with a separate key for signatures if one is given", () =>
    Effect.gen(function* () {
      const options = {
        apiKey: Redacted.make("hunter2"),
        webhookKey: undefined,
        publicUrl: new URL("https://api.example.com"),
        baseUrl: undefined
      }
      expect((yield* read(retell)).callProvider).toEqual({ _tag: "Retell", options })
      const more = yield* read({
        ...retell,
        FRONTDESK_RETELL_WEBHOOK_KEY: "hunter3",
        FRONTDESK_RETELL_BASE_URL: "http://127.0.0.1:8793"
      })
      expect(more.callProvider).toEqual({
        _tag: "Retell",
        options: { ...options, webhookKey: Redacted.make("hunter3"), baseUrl: new URL("http://127.0.0.1:8793") }
      })
    })
  )

  it.effect("become the options of the mail server and the OAuth clients of calendars", () =>
    Effect.gen(function* () {
      const { calendars, mail: server } = yield* read({ ...mail, ...google, ...outlook })
      expect(server).toEqual({
        url: Redacted.make("smtps://desk:hunter2@smtp.example.com"),
        from: "Front desk <desk@example.com>",
        allowInsecure: false
      })
      const secret = Redacted.make("hunter2")
      expect(calendars).toEqual({
        google: { clientId: "abc", clientSecret: secret, baseUrl: null },
        outlook: { clientId: "def", clientSecret: secret, baseUrl: null, tenant: "common" },
        caldavPrivateHosts: []
      })
      expect(yield* given(google)(loadCalendars({}))).toEqual({
        google: calendars.google,
        outlook: null,
        caldavPrivateHosts: []
      })
    })
  )

  it.effect("cause a problem for each missing one, which names the setting that requires it", () =>
    Effect.gen(function* () {
      const because = "Expected a value, because FRONTDESK_CALL_PROVIDER is"
      expect(yield* problems({}, { "call-provider": "twilio" })).toEqual([
        `FRONTDESK_PUBLIC_URL: ${because} twilio`,
        `FRONTDESK_TWILIO_ACCOUNT_SID: ${because} twilio`,
        `FRONTDESK_TWILIO_AUTH_TOKEN: ${because} twilio`,
        `FRONTDESK_TWILIO_VOICE_URL: ${because} twilio`
      ])
      expect(yield* problems({ FRONTDESK_CALL_PROVIDER: "vapi" })).toEqual([
        `FRONTDESK_PUBLIC_URL: ${because} vapi`,
        `FRONTDESK_VAPI_API_KEY: ${because} vapi`,
        `FRONTDESK_VAPI_PHONE_NUMBER_ID: ${because} vapi`,
        `FRONTDESK_VAPI_WEBHOOK_SECRET: ${because} vapi`
      ])
      expect(yield* problems({ FRONTDESK_CALL_PROVIDER: "retell" })).toEqual([
        `FRONTDESK_PUBLIC_URL: ${because} retell`,
        `FRONTDESK_RETELL_API_KEY: ${because} retell`
      ])
    })
  )

  it.effect("reject a public URL with a query, a fragment or a space, and name everything it must not have", () =>
    Effect.gen(function* () {
      for (const end of ["?a=hunter2", "#a", "\u0020"]) {
        expect(yield* problems({ FRONTDESK_PUBLIC_URL: `https://api.example.com/${end}` })).toEqual([
          "FRONTDESK_PUBLIC_URL: Expected an address that begins with http:// or https://, without credentials, query or fragment"
        ])
      }
    })
  )

  it.effect("cause one problem for each missing and each invalid one", () =>
    Effect.gen(function* () {
      const found = yield* problems({
        FRONTDESK_CALL_PROVIDER: "twilio",
        FRONTDESK_TWILIO_ACCOUNT_SID: "AC1",
        FRONTDESK_MAIL_URL: "https://smtp.example.com",
        FRONTDESK_GOOGLE_CLIENT_SECRET: "x",
        FRONTDESK_PORT: "many"
      })
      expect(found.map((text) => text.slice(0, text.indexOf(":"))).toSorted()).toEqual([
        "FRONTDESK_GOOGLE_CLIENT_ID",
        "FRONTDESK_MAIL_FROM",
        "FRONTDESK_MAIL_URL",
        "FRONTDESK_PORT",
        "FRONTDESK_PUBLIC_URL",
        "FRONTDESK_TWILIO_ACCOUNT_SID",
        "FRONTDESK_TWILIO_AUTH_TOKEN",
        "FRONTDESK_TWILIO_VOICE_URL"
      ])
      const clients = { FRONTDESK_GOOGLE_CLIENT_ID: "a b", FRONTDESK_OUTLOOK_CLIENT_ID: "def" }
      const lacking = yield* Effect.flip(given(clients)(loadCalendars({})))
      expect(lacking.problems.map(({ name }) => name)).toEqual([
        "FRONTDESK_GOOGLE_CLIENT_ID",
        "FRONTDESK_GOOGLE_CLIENT_SECRET",
        "FRONTDESK_OUTLOOK_CLIENT_SECRET"
      ])
    })
  )

  it.effect("have examples that are valid values", () =>
    Effect.gen(function* () {
      const all = names.map((name) => definitions[name])
      const examples = Object.fromEntries(all.map(({ example, variable }) => [variable, example]))
      yield* read({ ...examples, FRONTDESK_PUBLIC_URL: "https://api.example.com" })
    })
  )

  it.effect.each([
    ["FRONTDESK_TWILIO_API_SECRET", { ...twilio, FRONTDESK_TWILIO_API_KEY: `SK${"1".repeat(32)}` }],
    ["FRONTDESK_TWILIO_API_KEY", { ...twilio, FRONTDESK_TWILIO_API_SECRET: "x" }],
    ["FRONTDESK_MAIL_URL", { FRONTDESK_MAIL_FROM: mail.FRONTDESK_MAIL_FROM }],
    ["FRONTDESK_MAIL_FROM", { FRONTDESK_MAIL_URL: mail.FRONTDESK_MAIL_URL }],
    ["FRONTDESK_GOOGLE_CLIENT_ID", { FRONTDESK_GOOGLE_CLIENT_SECRET: "x" }],
    ["FRONTDESK_GOOGLE_CLIENT_SECRET", { FRONTDESK_GOOGLE_CLIENT_ID: "x" }],
    ["FRONTDESK_OUTLOOK_CLIENT_ID", { FRONTDESK_OUTLOOK_CLIENT_SECRET: "x" }],
    ["FRONTDESK_OUTLOOK_CLIENT_SECRET", { FRONTDESK_OUTLOOK_CLIENT_ID: "x" }]
  ] as const)("report a missing %s when the setting that needs it is given", ([variable, environment]) =>
    Effect.gen(function* () {
      const found = yield* problems(environment)
      expect(found).toHaveLength(1)
      expect(found[0]).toBe(`${variable}: Expected a value, because ${Object.keys(environment).at(-1)} is given`)
    })
  )

  it.effect.each([
    ["FRONTDESK_TWILIO_ACCOUNT_SID", "AC1"],
    ["FRONTDESK_TWILIO_VOICE_URL", "agent.example.com"],
    ["FRONTDESK_TWILIO_VOICE_URL", "https://user:hunter2@agent.example.com/"],
    ["FRONTDESK_TWILIO_INBOUND_URL", "wss://agent.example.com/?key=hunter2"],
    ["FRONTDESK_TWILIO_INBOUND_URL", "asst_ada=agent.example.com/hunter2"],
    ["FRONTDESK_TWILIO_AUTH_TOKEN", " hunter2"],
    ["FRONTDESK_TWILIO_BASE_URL", "https://api.example.com/?key=hunter2"],
    ["FRONTDESK_VAPI_BASE_URL", "https://api.example.com?key=hunter2"],
    ["FRONTDESK_VAPI_WEBHOOK_SECRET", "hunter2 und weiter, früher"],
    ["FRONTDESK_VAPI_PHONE_NUMBER_ID", "+12025550100"],
    ["FRONTDESK_VAPI_PHONE_NUMBER_ID", "none"],
    ["FRONTDESK_VAPI_WEBHOOK_SECRET", "hunter2hunter2!"],
    ["FRONTDESK_VAPI_WEBHOOK_SECRET", " hunter2hunter2hunter2"],
    ["FRONTDESK_VAPI_PHONE_NUMBER_ID", `${id},${id}`],
    ["FRONTDESK_RETELL_API_KEY", " hunter2"],
    ["FRONTDESK_RETELL_BASE_URL", "https://api.example.com?key=hunter2"],
    ["FRONTDESK_MAIL_URL", "https://hunter2@smtp.example.com"],
    ["FRONTDESK_MAIL_URL", "smtp://user@smtp.example.com"],
    ["FRONTDESK_MAIL_FROM", "Front desk"],
    ["FRONTDESK_GOOGLE_CLIENT_ID", "a b"],
    ["FRONTDESK_OUTLOOK_TENANT", "a/b"],
    ["FRONTDESK_OUTLOOK_BASE_URL", "127.0.0.1"]
  ] as const)("reject %s=%s without showing the value", ([variable, text]) =>
    Effect.gen(function* () {
      const found = yield* Effect.flip(read({ [variable]: text }))
      // Leaves out the problems of other settings that this one requires.
      const wrong = found.problems.filter(({ message }) => !message.includes("because"))
      expect(wrong.map(({ name }) => name)).toEqual([variable])
      expect(JSON.stringify(found.problems)).not.toContain("hunter2")
    })
  )

  it.effect("show no secret when they are converted to JSON, as in the log", () =>
    Effect.gen(function* () {
      for (const environment of [twilio, vapi, retell, mail, google, outlook]) {
        expect(JSON.stringify(yield* read(environment))).not.toContain("hunter")
      }
    })
  )

  it("are marked as secrets if they are credentials, so that they have no flag (D-SEC-2)", () => {
    const secrets = names.filter((name) => definitions[name].isSecret === true)
    expect(secrets).toEqual([
      "twilioAuthToken",
      "twilioApiSecret",
      "vapiApiKey",
      "vapiWebhookSecret",
      "retellApiKey",
      "retellWebhookKey",
      "mailUrl",
      "googleClientSecret",
      "outlookClientSecret"
    ])
  })
})
