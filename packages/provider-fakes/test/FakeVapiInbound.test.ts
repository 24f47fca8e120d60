import { createHmac } from "node:crypto"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import * as Questions from "@frontdesk/provider-fakes/vapi/Questions"
import { begin } from "@frontdesk/provider-fakes/CallCourse"
import * as Clock from "@frontdesk/provider-fakes/Clock"
import { at, isObject, parseObject } from "@frontdesk/provider-fakes/Fake"
import * as Service from "@frontdesk/provider-fakes/Service"
import type { FakeCall } from "@frontdesk/provider-fakes/vapi/Resources"
import { type Vapi, VapiClient } from "@vapi-ai/server-sdk"
import { describe, expect, it } from "vitest"
import { openReceiver, type Received } from "./receiver.ts"

const { apiKey, phoneNumberIds } = FakeVapi.defaults
const [numberId = ""] = phoneNumberIds
const number = "+12025550100"
const caller = "+12025550111"

type Fields = Readonly<Record<string, unknown>>

const clientOf = (baseUrl: string) => new VapiClient({ baseUrl, token: apiKey, maxRetries: 0 })

/** Sends a request to a control path, and returns the status and the body of its answer. */
const control = async (fake: { readonly url: string }, path: string, body: object) => {
  const response = await fetch(`${fake.url}/_sim/${path}`, { method: "POST", body: JSON.stringify(body) })
  return { status: response.status, body: parseObject(await response.text()) }
}

/** Returns the message in a request, or an empty object when there is no request. */
const messageOf = (request: Received | undefined): Fields => {
  const message = at(parseObject(request?.body ?? ""), "message")
  return isObject(message) ? message : {}
}

const json = (value: unknown) => ({ contentType: "application/json", body: JSON.stringify(value) })

/** Opens a server under test that answers each message by its type. */
const openServer = (answers: {
  readonly assistant?: Vapi.ServerMessageResponseAssistantRequest
  readonly tools?: Vapi.ServerMessageResponseToolCalls
}) =>
  openReceiver(
    () => 200,
    (request) => {
      const { type } = messageOf(request)
      return json(type === "assistant-request" ? answers.assistant : type === "tool-calls" ? answers.tools : {})
    }
  )

const setNumber = (fake: { readonly url: string }, url: string, more: object = {}) =>
  control(fake, "phone-numbers", { number, server: { url, secret: "secret of the number" }, ...more })

/** Lets the caller dial the number. Returns the answer of the fake, with the id of the call. */
const dial = async (fake: { readonly url: string }) => {
  const { body } = await control(fake, "inbound", { from: caller, to: number })
  return { ...body, callId: String(body["callId"]), status: body["status"] }
}

/** Returns the calls in a list of a message without their ids. */
const withoutIds = (list: unknown): ReadonlyArray<unknown> =>
  Array.isArray(list) ? list.map((call: unknown) => (isObject(call) ? { ...call, id: "" } : call)) : []

/** Returns the ids of the tool calls that a message lists. */
const idsOf = (message: Fields): ReadonlyArray<unknown> => {
  const list = message["toolWithToolCallList"]
  return Array.isArray(list) ? list.map((call: unknown) => at(call, "toolCall", "id")) : []
}

describe("an inbound call of the fake of Vapi", () => {
  it("the server of the number names the assistant, and its overrides decide about the later messages", async () => {
    await using fake = await FakeVapi.open()
    await using later = await openServer({})
    await using server = await openServer({
      assistant: {
        assistantId: "asst_ben",
        assistantOverrides: {
          variableValues: { name: "Jo" },
          metadata: { ref: "call_1" },
          maxDurationSeconds: 90,
          serverMessages: ["status-update", "end-of-call-report"],
          server: { url: later.url, headers: { "X-Vapi-Secret": "secret of the call" } }
        }
      }
    })
    const set = await setNumber(fake, server.url)
    expect(set).toMatchObject({ status: 201, body: { id: numberId, number, server: { url: server.url } } })
    expect(await clientOf(fake.url).phoneNumbers.get({ id: numberId })).toEqual(set.body)

    const { callId: id, ...dialled } = await dial(fake)
    expect(dialled).toMatchObject({
      status: "in-progress",
      assistantRequest: { status: 200, body: { assistantId: "asst_ben" } }
    })
    const expected: Vapi.ServerMessageAssistantRequest = {
      type: "assistant-request",
      call: {
        id,
        orgId: "00000000-0000-4000-8000-000000000000",
        createdAt: new Date(fake.now()).toISOString(),
        updatedAt: new Date(fake.now()).toISOString(),
        type: "inboundPhoneCall",
        status: "ringing",
        phoneNumberId: numberId,
        customer: { number: caller }
      },
      customer: { number: caller },
      phoneNumber: { provider: "twilio", number, twilioAccountSid: `AC${"0".repeat(32)}` }
    }
    expect(server.requests.map(messageOf)).toMatchObject([expected])
    expect(messageOf(server.requests[0])["phoneNumber"]).toMatchObject({ id: numberId })
    expect(server.requests[0]?.headers["x-vapi-secret"]).toBe("secret of the number")
    expect(server.requests[0]?.body).not.toContain("secret of the number")

    await fake.advance(600_000)
    const call = await clientOf(fake.url).calls.get({ id })
    expect(call).toMatchObject({
      type: "inboundPhoneCall",
      assistantId: "asst_ben",
      endedReason: "exceeded-max-duration"
    })
    expect(Date.parse(call.endedAt ?? "") - Date.parse(call.startedAt ?? "")).toBe(90_000)
    expect(later.requests.map(messageOf)).toMatchObject([
      { type: "status-update", status: "in-progress", phoneNumber: { number } },
      { type: "status-update", status: "ended", customer: { number: caller } },
      { type: "end-of-call-report", call: { id, assistantOverrides: { metadata: { ref: "call_1" } } } }
    ])
    for (const { headers } of later.requests) expect(headers["x-vapi-secret"]).toBe("secret of the call")
    expect(server.requests).toHaveLength(1)
    expect(fake.sent.map(({ kind, status }) => [kind, status])).toEqual([
      ["assistant-request", 200],
      ["answered", 200],
      ["ended", 200],
      ["data", 200]
    ])
  })

  it("a call lasts until it is hung up, if it does not reach its maximum duration before", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ assistant: { assistantId: "asst_ben" } })
    await setNumber(fake, server.url)
    const { callId: id } = await dial(fake)
    await fake.advance(500_000)
    const { monitor, status } = await clientOf(fake.url).calls.get({ id })
    expect(status).toBe("in-progress")
    await fetch(monitor?.controlUrl ?? "", { method: "POST", body: JSON.stringify({ type: "end-call" }) })
    expect(await clientOf(fake.url).calls.get({ id })).toMatchObject({ endedReason: "manually-canceled" })
  })

  it.each([
    ["an error", 200, { error: "Please call again tomorrow." }, "assistant-request-returned-error"],
    ["no assistant", 200, {}, "assistant-request-returned-no-assistant"],
    ["text that is not JSON", 200, "<html>", "assistant-request-returned-no-assistant"],
    ["the status 500", 500, { assistantId: "asst_ben" }, "assistant-request-failed"],
    [
      "a maximum duration of less than 10 seconds",
      200,
      { assistantId: "asst_ben", assistantOverrides: { maxDurationSeconds: 9 } },
      "assistant-request-returned-invalid-assistant"
    ]
  ])("%s ends the call, and the server of the number receives the end", async (_, status, answer, endedReason) => {
    await using fake = await FakeVapi.open()
    await using server = await openReceiver(
      () => status,
      () => (typeof answer === "string" ? { contentType: "text/html", body: answer } : json(answer))
    )
    await setNumber(fake, server.url)
    const dialled = await dial(fake)
    expect(dialled).toMatchObject({ status: "ended", endedReason, assistantRequest: { status, body: answer } })
    await fake.advance(60_000)
    expect(server.requests.map(messageOf)).toMatchObject([
      { type: "assistant-request" },
      { type: "status-update", status: "ended", endedReason },
      { type: "end-of-call-report", endedReason, call: { id: dialled["callId"], type: "inboundPhoneCall" } }
    ])
    expect(messageOf(server.requests[2])["startedAt"]).toBeUndefined()
  })

  it("a server that does not answer in time ends the call", async () => {
    await using fake = await FakeVapi.open({ assistantRequestTimeout: 50 })
    // The messages about the end are answered, because each would wait for 7.5 seconds.
    const isFirst = () => server.requests.length === 1
    await using server = await Service.open(0, async () => (isFirst() ? "hang" : { status: 200, body: {} }))
    await setNumber(fake, server.url)
    const dialled = await dial(fake)
    expect(dialled).toMatchObject({ status: "ended", endedReason: "assistant-request-failed", assistantRequest: null })
  })

  it("the assistant of a number answers without a request, and the server of the number receives the messages", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({})
    await setNumber(fake, server.url, { assistantId: "asst_fixed" })
    const { callId: id, status } = await dial(fake)
    expect(status).toBe("in-progress")
    expect(await clientOf(fake.url).calls.get({ id })).toMatchObject({ assistantId: "asst_fixed" })
    expect(server.requests.map(messageOf)).toMatchObject([
      { type: "status-update", status: "in-progress", call: { id } },
      { type: "speech-update" }
    ])
  })

  it("a caller who withholds the number is a customer without one", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ assistant: { assistantId: "asst_ben" } })
    await setNumber(fake, server.url)
    expect(await control(fake, "inbound", { to: number })).toMatchObject({
      status: 201,
      body: { status: "in-progress" }
    })
    expect(messageOf(server.requests[0])["customer"]).toEqual({})
  })

  it("an assistant-request is signed with the credential of the number's server", async () => {
    await using fake = await FakeVapi.open({ credentials: { signing: { secretKey: "key" } } })
    await using receiver = await openServer({ assistant: { assistantId: "asst_ben" } })
    await setNumber(fake, receiver.url, { server: { url: receiver.url, credentialId: "signing" } })
    await dial(fake)
    for (const { body, headers } of receiver.requests) {
      const signed = createHmac("sha256", "key").update(`${headers["x-timestamp"] ?? ""}.${body}`)
      expect(headers["x-signature"]).toBe(signed.digest("hex"))
    }
    expect(receiver.requests).toHaveLength(3)
  })

  it.each([
    ["phone-numbers", { number: "5550100", assistantId: "a" }, "number must"],
    ["phone-numbers", { number }, "server or assistantId is missing"],
    ["phone-numbers", { number, server: {} }, "server.url must"],
    ["phone-numbers", { number, server: { url: "http://localhost", secret: 1 } }, "server.secret must"],
    ["phone-numbers", { number, id: 1, assistantId: "a" }, "id must"],
    ["inbound", { from: caller, to: "+12025550199" }, "to must"],
    ["inbound", { from: 1, to: number }, "from must"]
  ])("POST /_sim/%s with %j gets 400 with what is wrong", async (path, body, message) => {
    await using fake = await FakeVapi.open()
    await setNumber(fake, "http://127.0.0.1:9")
    const answer = await control(fake, path, body)
    expect(answer.status).toBe(400)
    expect(answer.body["message"]).toContain(message)
  })
})

describe("tool calls of the fake of Vapi", () => {
  const calls = [
    { name: "find_slots", arguments: { duration_minutes: 30 } },
    { name: "get_context", arguments: {} }
  ]
  const tools = { results: [{ toolCallId: "1", name: "find_slots", result: `{"say":"…"}` }] }

  it.each([
    ["text", [{ id: "1", type: "function", function: { name: "find_slots", arguments: `{"duration_minutes":30}` } }]],
    ["object", [{ id: "1", type: "function", function: { name: "find_slots", arguments: { duration_minutes: 30 } } }]],
    ["flat", [{ id: "1", name: "find_slots", parameters: { duration_minutes: 30 } }]],
    ["nested", undefined]
  ] as const)("the shape %s lists the calls, and the answer of the server is returned", async (shape, toolCallList) => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ assistant: { assistantId: "asst_ben" }, tools })
    await setNumber(fake, server.url)
    const { callId } = await dial(fake)
    const answer = await control(fake, "tool-calls", { callId, calls, shape })
    expect(answer).toEqual({ status: 200, body: { status: 200, body: tools } })
    const request = server.requests.at(-1)
    const message = messageOf(request)
    expect(message).toMatchObject({
      type: "tool-calls",
      call: { id: callId, type: "inboundPhoneCall" },
      phoneNumber: { number }
    })
    expect(withoutIds(message["toolCallList"]).slice(0, 1)).toEqual(withoutIds(toolCallList))
    expect(new Set(idsOf(message)).size).toBe(2)
    expect(request?.headers["x-vapi-secret"]).toBe("secret of the number")
  })

  it("repeated calls have new ids", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ assistant: { assistantId: "asst_ben" }, tools })
    await setNumber(fake, server.url)
    const { callId } = await dial(fake)
    for (let i = 0; i < 2; i++) await control(fake, "tool-calls", { callId, calls })
    const ids = server.requests.flatMap((request) => idsOf(messageOf(request)))
    expect(new Set(ids).size).toBe(4)
  })

  it("are not sent without tool-calls in the server messages, after the end of the call, or with wrong input", async () => {
    await using fake = await FakeVapi.open()
    const assistantOverrides: Vapi.AssistantOverrides = { serverMessages: ["status-update"] }
    await using silent = await openServer({ assistant: { assistantId: "asst_ben", assistantOverrides } })
    await setNumber(fake, silent.url)
    const { callId } = await dial(fake)
    const use = async (body: object) => {
      const answer = await control(fake, "tool-calls", { callId, calls, ...body })
      return `${answer.status}: ${String(answer.body["message"])}`
    }
    expect(await use({})).toContain("409: Vapi sends no tool calls, because assistantOverrides.serverMessages")
    expect(await use({ callId: "unknown" })).toContain("404: There is no call with the id unknown")
    expect(await use({ callId: 1 })).toContain("400: callId must")
    expect(await use({ shape: "round" })).toContain("400: shape must be one of text, object, flat, nested")
    expect(await use({ calls: [] })).toContain("400: calls must")
    expect(await use({ calls: [{}] })).toContain("400: calls[0].name must")
    expect(await use({ calls: [{ name: "a", arguments: "b" }] })).toContain("400: calls[0].arguments must")
    await fake.advance(3_600_000)
    expect(await use({})).toContain("409: The call is ended")
    expect(silent.requests.map((request) => messageOf(request)["type"])).not.toContain("tool-calls")
  })

  it("a server that is down gets 504", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ assistant: { assistantId: "asst_ben" } })
    await setNumber(fake, server.url)
    const { callId } = await dial(fake)
    await server.down()
    expect(await control(fake, "tool-calls", { callId, calls })).toMatchObject({ status: 504 })
  })

  it("an outbound call uses tools too", async () => {
    await using fake = await FakeVapi.open()
    await using server = await openServer({ tools })
    const created = await clientOf(fake.url).calls.create({
      assistantId: "asst_ada",
      phoneNumberId: numberId,
      customer: { number: caller },
      assistantOverrides: { server: { url: server.url }, serverMessages: ["tool-calls"] }
    })
    const callId = "id" in created ? created.id : ""
    expect(await control(fake, "tool-calls", { callId, calls })).toMatchObject({ status: 409 })
    await fake.advance(10_000)
    expect(await control(fake, "tool-calls", { callId, calls })).toMatchObject({ body: { status: 200, body: tools } })
  })
})

it("the types of the official SDK describe the messages", () => {
  const clock = Clock.make(0)
  const call: FakeCall = {
    id: "call_1",
    type: "inboundPhoneCall",
    number: { id: numberId, number, assistantId: "asst_ben" },
    request: { phoneNumberId: numberId, customer: { number: caller } },
    course: begin(clock, {}),
    controlUrl: "http://127.0.0.1/call_1/control"
  }
  const assistantRequest: Vapi.ServerMessageAssistantRequest = Questions.assistantRequest(call, 1)
  const called = [{ id: "1", name: "find_slots", arguments: { duration_minutes: 30 } }]
  const toolCalls: Vapi.ServerMessageToolCalls = Questions.toolCalls(call, 1, Questions.toolCallLists.text(called))
  expect(assistantRequest.call?.type).toBe("inboundPhoneCall")
  expect(toolCalls.toolCallList[0]?.function.arguments).toBe(`{"duration_minutes":30}`)
  expect(toolCalls.phoneNumber).toEqual(assistantRequest.phoneNumber)
})
