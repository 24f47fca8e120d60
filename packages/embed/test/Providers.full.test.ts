import { type CallProviderOptions, Frontdesk, type FrontdeskOptions } from "@frontdesk/embed"
import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import { openGoogle } from "@frontdesk/provider-fakes/google/Google"
import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import express, { type RequestHandler } from "express"
import { describe, expect, it } from "vitest"
import { document, silent, storages, withFrontdesk } from "./opened.ts"
import { listen } from "./withServer.ts"

/** Starts an Express program, opens Frontdesk with the URL of the program's mount, and mounts it behind other handlers. */
const withMount = async (
  callProvider: (publicUrl: string) => CallProviderOptions,
  before: ReadonlyArray<RequestHandler>,
  test: (frontdesk: Frontdesk, publicUrl: string) => Promise<void>
): Promise<void> => {
  const app = express()
  const served = await listen(app)
  const publicUrl = `${served.url}/voice`
  const frontdesk = await Frontdesk.open({
    storage: { memory: true },
    callProvider: callProvider(publicUrl),
    logger: silent
  })
  try {
    await frontdesk.provision(document)
    for (const handler of before) app.use(handler)
    app.use("/voice", frontdesk.express({ basePath: "/voice", authenticate: () => null }))
    await test(frontdesk, publicUrl)
  } finally {
    await frontdesk.close()
    await served.close()
  }
}

const twilio = (fake: { readonly url: string }, publicUrl: string): CallProviderOptions => ({
  twilio: { ...FakeTwilio.defaults, voiceUrl: "https://agent.example.com/twiml", publicUrl, baseUrl: fake.url }
})

const vapi = (fake: { readonly url: string }, publicUrl: string): CallProviderOptions => ({
  vapi: {
    apiKey: FakeVapi.defaults.apiKey,
    phoneNumberId: { "+12025550100": FakeVapi.defaults.phoneNumberIds[0] ?? "" },
    webhookSecret: "between-vapi-and-us",
    publicUrl,
    baseUrl: fake.url
  }
})

const endOf = async (frontdesk: Frontdesk, phoneNumber: string) => {
  const { calls } = frontdesk.as("acme")
  const { call } = await calls.start({ phoneNumber, agentId: "asst_ada" })
  await expect.poll(async () => (await calls.get(call.id)).status, { timeout: 25_000 }).toBe("completed")
  return calls.get(call.id)
}

describe("a call provider of the options", () => {
  it.each([
    ["without a body parser", []],
    ["behind body parsers", [express.urlencoded({ extended: false }), express.json()]]
  ] as const)("Twilio places a call and reports its end to a mount %s", async (_, before) => {
    await using fake = await FakeTwilio.open({ pace: 20 })
    await withMount(
      (publicUrl) => twilio(fake, publicUrl),
      before,
      async (frontdesk) => {
        const ended = await endOf(frontdesk, "+12025550111")
        expect(ended.providerCallId).toMatch(/^CA/)
        expect(ended.billing.status).toBe("charged")
      }
    )
  })

  it("Vapi places a call and reports its end to a mount, with transcript and recording", async () => {
    await using fake = await FakeVapi.open({ pace: 20 })
    await withMount(
      (publicUrl) => vapi(fake, publicUrl),
      [express.json()],
      async (frontdesk) => {
        const ended = await endOf(frontdesk, "+12025550111")
        expect([typeof ended.transcript, typeof ended.recordingUrl]).toEqual(["string", "string"])
      }
    )
  })

  it("Retell places a call and reports its end to a mount, with transcript and recording", async () => {
    await using fake = await FakeRetell.open({ pace: 20 })
    await withMount(
      (publicUrl) => ({ retell: { apiKey: FakeRetell.defaults.apiKey, publicUrl, baseUrl: fake.url } }),
      [],
      async (frontdesk) => {
        const ended = await endOf(frontdesk, "+12025550111")
        expect(ended.providerCallId).toMatch(/^call_/)
        expect([typeof ended.transcript, typeof ended.recordingUrl]).toEqual(["string", "string"])
      }
    )
  })

  it("a forged callback is refused by a mount", async () => {
    await using fake = await FakeTwilio.open()
    await withMount(
      (publicUrl) => twilio(fake, publicUrl),
      [],
      async (_, publicUrl) => {
        const forged = await fetch(`${publicUrl}/providers/twilio/callbacks?ref=1`, {
          method: "POST",
          body: new URLSearchParams({ CallStatus: "completed" }),
          headers: { "x-twilio-signature": "Zm9yZ2Vk" }
        })
        expect(forged.status).toBe(403)
        expect(await forged.json()).toMatchObject({ error: "invalid_signature" })
      }
    )
  })

  it("a mount has no callbacks when calls are simulated", () =>
    withFrontdesk(async (frontdesk) => {
      const response = await frontdesk.fetch()(
        new Request("http://localhost/providers/twilio/callbacks", { method: "POST" })
      )
      expect(response.status).toBe(404)
    }))
})

it("mail is sent through the mail server of the options", async () => {
  await using server = await MailServer.open({ authOptional: true, disabledCommands: ["STARTTLS"] })
  const mail = {
    url: `smtp://127.0.0.1:${server.port}`,
    from: "Front desk <desk@example.com>",
    allowInsecure: true
  }
  await withFrontdesk(
    async (frontdesk) => {
      await frontdesk.as("acme").calendar.create({
        title: "Visit",
        startTime: "2099-03-02T10:00Z",
        endTime: "2099-03-02T10:30Z",
        customerName: "Jo",
        customerEmail: "jo@example.com"
      })
      await expect
        .poll(() => server.arrivals.map(({ from, to }) => ({ from, to })))
        .toEqual([{ from: "desk@example.com", to: ["jo@example.com"] }])
    },
    { mail, workers: ["outbox"] }
  )
})

describe("an external calendar", () => {
  it("of Google is connected under its own id, and its credentials are not returned", async () => {
    const google = await openGoogle()
    try {
      await withFrontdesk(
        async (frontdesk) => {
          const { connection, says } = await frontdesk.connectCalendar({
            account: "acme",
            provider: "google",
            refreshToken: "first"
          })
          expect(connection).toMatchObject({ provider: "google", calendar: "jo@example.com" })
          expect(says).toContain("Jo's calendar")
          const { items } = await frontdesk.calendarConnections.list(connection.accountId)
          expect(items).toEqual([connection])
        },
        { calendars: { google: { clientId: "id", clientSecret: "hidden", baseUrl: google.url } } }
      )
    } finally {
      await google.close()
    }
  })

  it.skipIf(!CaldavServer.isInstalled(CaldavServer.radicale))(
    "of a CalDAV server is listed and connected, and a calendar event is copied to it",
    async () => {
      await using server = await CaldavServer.open(CaldavServer.radicale)
      const { calendar, password, url, username } = server
      await withFrontdesk(
        async (frontdesk) => {
          expect(await frontdesk.caldavCalendars({ username, password, url })).toMatchObject([
            { url: calendar, isWritable: true }
          ])
          await frontdesk.connectCalendar({ account: "acme", provider: "apple", username, password, calendar })
          const event = await frontdesk.as("acme").calendar.create({
            title: "Visit",
            startTime: "2099-03-02T10:00Z",
            endTime: "2099-03-02T10:30Z"
          })
          const copies = async () => (await frontdesk.as("acme").calendar.get(event.id)).externalCalendars
          await expect.poll(async () => Object.keys(await copies())).toEqual(["apple"])
        },
        {
          workers: ["outbox"],
          webhooks: { allowInsecure: true },
          calendars: { caldav: { privateHosts: ["127.0.0.1"] } }
        }
      )
    }
  )

  it("of Google is connected through a browser, at the mount that the options name", async () => {
    const google = await openGoogle()
    const app = express()
    const served = await listen(app)
    const publicUrl = `${served.url}/voice`
    const frontdesk = await Frontdesk.open({
      storage: { memory: true },
      calendars: {
        google: { clientId: "id", clientSecret: "hidden", baseUrl: google.url },
        publicUrl,
        returnOrigins: ["https://app.example.com"]
      },
      logger: silent
    })
    try {
      await frontdesk.provision(document)
      app.use("/voice", frontdesk.express({ basePath: "/voice", authenticate: () => null }))
      const { externalCalendars } = frontdesk.as("acme")
      expect(await externalCalendars.providers()).toEqual(["apple", "google"])
      await expect(
        externalCalendars.beginAuthorization({ provider: "google", returnUrl: "https://evil.example/" })
      ).rejects.toMatchObject({ code: "validation_error", details: [{ field: "returnUrl" }] })
      const returnUrl = "https://app.example.com/settings"
      const { authorizationUrl } = await externalCalendars.beginAuthorization({ provider: "google", returnUrl })
      const consent = await fetch(authorizationUrl, { redirect: "manual" })
      const callback = consent.headers.get("location") ?? ""
      expect(callback).toMatch(`${publicUrl}/calendar/oauth/callback?`)
      const returned = await fetch(callback, { redirect: "manual" })
      expect([returned.status, returned.headers.get("location")]).toEqual([303, `${returnUrl}?connected=google`])
      expect((await externalCalendars.list()).items).toMatchObject([
        { provider: "google", calendar: "jo@example.com", status: "connected", conflicts: 0 }
      ])
      expect(await externalCalendars.check("google")).toMatchObject({ isUsable: true })
      await externalCalendars.disconnect("google")
      await expect(externalCalendars.check("google")).rejects.toMatchObject({ code: "not_found" })
    } finally {
      await frontdesk.close()
      await served.close()
      await google.close()
    }
  })

  it("of a CalDAV server with a private address is not reached unless the options allow its host", async () => {
    await withFrontdesk(async (frontdesk) => {
      const access = { username: "jo", password: "hunter2", url: "http://127.0.0.1:8008/" }
      const { externalCalendars } = frontdesk.as("acme")
      await expect(externalCalendars.caldavCalendars(access)).rejects.toMatchObject({ code: "validation_error" })
      await expect(externalCalendars.connectCaldav({ ...access, calendar: access.url })).rejects.toMatchObject({
        code: "validation_error"
      })
      await expect(frontdesk.caldavCalendars(access)).rejects.toThrow(/ADDRESS_REFUSED/)
    })
  })

  it("that cannot be used is refused with the reason, and nothing is stored", async () => {
    const google = await openGoogle()
    try {
      await withFrontdesk(
        async (frontdesk) => {
          const connecting = (given: object) =>
            frontdesk.connectCalendar({ account: "acme", provider: "google", refreshToken: "first", ...given })
          await expect(connecting({ refreshToken: "wrong-secret" })).rejects.toThrow(
            /nothing was changed: unauthorized/
          )
          await expect(connecting({ provider: "outlook" })).rejects.toThrow(/provider: .*calendars\.outlook/)
          await expect(connecting({ provider: "apple" })).rejects.toMatchObject({ code: "validation_error" })
          await expect(frontdesk.caldavCalendars({ username: "a:b", password: "p" })).rejects.toThrow(
            "username: Expected a user name without : and without control characters"
          )
          // @ts-expect-error A program in JavaScript can give anything.
          await expect(frontdesk.connectCalendar(null)).rejects.toThrow(/an object/)
          await expect(connecting({ provider: "other" })).rejects.toMatchObject({ details: [{ field: "provider" }] })
          await expect(connecting({ account: "nowhere" })).rejects.toMatchObject({ code: "not_found" })
          expect((await frontdesk.calendarConnections.list(null)).items).toEqual([])
        },
        { calendars: { google: { clientId: "id", clientSecret: "hidden", baseUrl: google.url } } }
      )
    } finally {
      await google.close()
    }
  })
})

describe("secretKeys", () => {
  const key = (letter: string) => Buffer.from(letter.repeat(32)).toString("base64")
  const webhook = { name: "w", url: "https://example.com/", subscribedEvents: ["call.ended" as const] }

  it("encrypt stored secrets, which open again with the same keys only", async () => {
    await storages.SQLite(async (storage) => {
      const opened = (options: Partial<FrontdeskOptions>) =>
        Frontdesk.open({ storage, workers: false, logger: silent, ...options })
      const first = await opened({ secretKeys: `a:${key("x")}` })
      await first.provision(document)
      await first.as("acme").webhooks.create(webhook)
      await first.close()
      const again = await opened({ secretKeys: `b:${key("y")},a:${key("x")}` })
      expect((await again.as("acme").webhooks.list()).items).toHaveLength(1)
      await again.close()
      await expect(opened({})).rejects.toMatchObject({ details: [{ field: "secretKeys" }] })
      await expect(opened({ secretKeys: `a:${key("y")}` })).rejects.toMatchObject({
        details: [{ field: "secretKeys" }]
      })
    })
  })
})

describe("wrong options of providers", () => {
  const publicUrl = "https://app.example.com/voice"
  it.each<readonly [string, object]>([
    ["callProvider", { callProvider: {} }],
    ["callProvider", { callProvider: { simulated: {}, vapi: undefined, twilio: undefined, other: 1 } }],
    [
      "callProvider.twilio.accountSid",
      { callProvider: { twilio: { accountSid: "hidden", authToken: "hidden", voiceUrl: publicUrl, publicUrl } } }
    ],
    [
      "callProvider.twilio.inboundUrl",
      {
        callProvider: { twilio: { accountSid: "AC", authToken: "hidden", inboundUrl: "wss://hidden/?a=1", publicUrl } }
      }
    ],
    [
      "callProvider.twilio.inboundUrl.asst_ada",
      { callProvider: { twilio: { authToken: "hidden", inboundUrl: { asst_ada: "hidden" }, voiceUrl: publicUrl } } }
    ],
    [
      "callProvider.vapi.webhookSecret",
      { callProvider: { vapi: { apiKey: "hidden", phoneNumberId: "", webhookSecret: "hidden", publicUrl } } }
    ],
    ["callProvider.retell.apiKey", { callProvider: { retell: { apiKey: "", webhookKey: "hidden", publicUrl } } }],
    ["callProvider.retell.publicUrl", { callProvider: { retell: { apiKey: "hidden", publicUrl: "app" } } }],
    ["mail.url", { mail: { url: "https://user:hidden@example.com", from: "desk@example.com" } }],
    ["mail.from", { mail: { url: "smtp://user:hidden@example.com", from: "not an address" } }],
    ["calendars.google.clientSecret", { calendars: { google: { clientId: "id" } } }],
    ["secretKeys", { secretKeys: "hidden" }],
    ["secretKeys: Expected a string", { secretKeys: ["hidden"] }]
  ])("the error names %s and shows no secret", async (field, options) => {
    const wrong: FrontdeskOptions = { storage: { memory: true }, ...options }
    const error: unknown = await Frontdesk.open(wrong).catch((failure: unknown) => failure)
    if (!Frontdesk.isError(error, "validation_error")) throw new Error("Expected a validation_error")
    const problems = error.details.map((detail) => `${detail.field}: ${detail.message}`)
    expect(problems.some((problem) => problem.startsWith(field))).toBe(true)
    expect(JSON.stringify([error, error.message, error.details])).not.toContain("hidden")
  })
})
