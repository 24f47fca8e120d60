import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import { parseTwiml } from "@frontdesk/provider-fakes/twilio/Twiml"
import twilio from "twilio"
import { describe, expect, it } from "vitest"
import { openReceiver } from "./receiver.ts"

const { accountSid, authToken } = FakeTwilio.defaults

const [person, agent] = ["+12025550111", "+12025550100"]

const say = "<Response><Say>We are closed.</Say><Hangup/></Response>"

/** Lets a person call a number of the fake, whose server answers with TwiML. Returns the answer of the fake. */
const called = async (
  fake: { readonly url: string },
  answer: { readonly status?: number; readonly body: string; readonly contentType?: string },
  more: object = {}
) => {
  const { body, contentType = "text/xml", status = 200 } = answer
  const server = await openReceiver(
    () => status,
    () => ({ body, contentType })
  )
  try {
    const urls = { voiceUrl: `${server.url}/voice?tenant=1`, statusUrl: `${server.url}/status` }
    const given = JSON.stringify({ from: person, to: agent, ...urls, ...more })
    const response = await fetch(`${fake.url}/_sim/inbound`, { method: "POST", body: given })
    return { status: response.status, answer: response.status === 200 ? await response.json() : null, server }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

const clientOf = (url: string) => {
  const client = twilio(accountSid, authToken)
  client.api.baseUrl = url
  return client
}

const errorOf = (answer: unknown): unknown =>
  typeof answer === "object" && answer !== null && "error" in answer ? answer.error : undefined

const sidOf = (answer: unknown): string =>
  typeof answer === "object" && answer !== null && "sid" in answer && typeof answer.sid === "string" ? answer.sid : ""

describe("an inbound call of the fake of Twilio", () => {
  it("asks the voice URL with a valid signature, talks as the answer says, and reports its end", async () => {
    await using fake = await FakeTwilio.open()
    const twiml = new twilio.twiml.VoiceResponse()
    twiml.connect().stream({ url: "wss://agent.example/audio" }).parameter({ name: "ref", value: "call_1" })
    fake.script(person, { talkSeconds: 20 })
    const { answer, server } = await called(fake, { body: twiml.toString() })
    await using _ = server
    expect(answer).toEqual({ sid: sidOf(answer), twiml: twiml.toString(), error: null })
    const client = clientOf(fake.url)
    const shown = () => client.calls(sidOf(answer)).fetch()
    expect(await shown()).toMatchObject({ status: "ringing", direction: "inbound", from: person, to: agent })
    await fake.advance(1_000)
    expect(await shown()).toMatchObject({ status: "in-progress" })
    await fake.advance(60_000)
    expect(await shown()).toMatchObject({ status: "completed", duration: "20" })

    expect(server.requests.map(({ form }) => form)).toMatchObject([
      { CallSid: sidOf(answer), CallStatus: "ringing", Direction: "inbound", From: person, To: agent },
      {
        CallSid: sidOf(answer),
        CallStatus: "completed",
        Direction: "inbound",
        From: person,
        To: agent,
        CallDuration: "20",
        SequenceNumber: "0"
      }
    ])
    expect(server.requests[0]?.form).not.toHaveProperty("Timestamp")
    for (const { form, headers, url } of server.requests) {
      expect(twilio.validateRequest(authToken, headers["x-twilio-signature"] ?? "", url, form)).toBe(true)
    }
    expect(fake.sent.map(({ kind, status }) => [kind, status])).toEqual([
      ["voice", 200],
      ["ended", 200]
    ])
  })

  it.each([
    ["a sentence and a hang-up", say, "3"],
    ["a hang-up before a sentence", "<Response><Hangup/><Say>Hello</Say></Response>", "0"],
    ["a pause and no further verb", '<Response><Pause length="7"/></Response>', "7"]
  ])("ends after %s", async (_, body, duration) => {
    await using fake = await FakeTwilio.open()
    const { answer, server } = await called(fake, { body })
    await using _server = server
    expect(answer).toMatchObject({ error: null })
    await fake.advance(10_000)
    expect(await clientOf(fake.url).calls(sidOf(answer)).fetch()).toMatchObject({ status: "completed", duration })
  })

  it.each([
    ["11200", { body: say, status: 503 }],
    ["12300", { body: say, contentType: "application/json" }],
    ["12100", { body: "<Response><Say>a & b</Say></Response>" }],
    ["12100", { body: "<Say>Hello</Say>" }],
    ["11750", { body: `<Response><Say>${"x".repeat(64_000)}</Say></Response>` }],
    ["31922", { body: '<Response><Connect><Stream url="https://agent.example"/></Connect></Response>' }],
    ["31920", { body: '<Response><Connect><Stream url="wss://agent.example/?a=1"/></Connect></Response>' }],
    [
      "31103",
      {
        body: `<Response><Connect><Stream url="wss://agent.example"><Parameter name="a" value="${"x".repeat(499)}"/></Stream></Connect></Response>`
      }
    ],
    ["11100", { body: "<Response><Redirect>agent.example</Redirect></Response>" }]
  ])("ends with the error %s of Twilio after an answer that it cannot use: %j", async (code, given) => {
    await using fake = await FakeTwilio.open()
    const { answer, server } = await called(fake, given)
    await using _ = server
    expect(answer).toMatchObject({ twiml: given.body })
    expect(errorOf(answer)).toMatch(new RegExp(`^${code}: `))
    await fake.advance(10_000)
    expect(await clientOf(fake.url).calls(sidOf(answer)).fetch()).toMatchObject({ status: "completed", duration: "3" })
  })

  it("ends with an error when no server answers", async () => {
    await using fake = await FakeTwilio.open()
    const voiceUrl = "http://127.0.0.1:9/"
    const { answer, server } = await called(fake, { body: say }, { voiceUrl })
    await using _ = server
    expect(answer).toMatchObject({ twiml: null })
    expect(errorOf(answer)).toMatch(/^11205: /)
  })

  it("is hung up by the client, also while it rings", async () => {
    await using fake = await FakeTwilio.open()
    const { answer, server } = await called(fake, {
      body: "<Response><Redirect>https://agent.example</Redirect></Response>"
    })
    await using _ = server
    const call = clientOf(fake.url).calls(sidOf(answer))
    expect((await call.update({ status: "completed" })).status).toBe("canceled")
    await fake.advance(60_000)
    expect(server.requests.map(({ form }) => form["CallStatus"])).toEqual(["ringing", "canceled"])
  })

  it.each([{ from: 1 }, { to: null }, { voiceUrl: "nowhere" }, { statusUrl: "ftp://127.0.0.1" }])(
    "is refused with 400 when the request has %j",
    async (wrong) => {
      await using fake = await FakeTwilio.open()
      const { server, status } = await called(fake, { body: say }, wrong)
      await using _ = server
      expect(status).toBe(400)
      expect(server.requests).toEqual([])
    }
  )
})

describe("the reader of TwiML", () => {
  it("reads what Twilio's package writes", () => {
    const response = new twilio.twiml.VoiceResponse()
    const text = `"a" <b> & 'c' ]]> é 🙂`
    response.say({ language: "de-DE" }, text)
    response.connect().stream({ url: "wss://agent.example/audio" }).parameter({ name: text, value: text })
    response.redirect({ method: "POST" }, "https://agent.example/?a=1&b=2")
    const leaf = { children: [], text: "" }
    const parameter = { name: "Parameter", attributes: { name: text, value: text }, ...leaf }
    expect(parseTwiml(response.toString())).toEqual([
      { name: "Say", attributes: { language: "de-DE" }, children: [], text },
      {
        name: "Connect",
        attributes: {},
        children: [
          { name: "Stream", attributes: { url: "wss://agent.example/audio" }, children: [parameter], text: "" }
        ],
        text: ""
      },
      { name: "Redirect", attributes: { method: "POST" }, children: [], text: "https://agent.example/?a=1&b=2" }
    ])
  })
})
