import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as Service from "@frontdesk/provider-fakes/Service"
import Retell, { APIError, verify } from "retell-sdk"
import { describe, expect, it } from "vitest"
import { openReceiver } from "./receiver.ts"

const { apiKey } = FakeRetell.defaults

/** Returns the official client, connected to the fake and without retries. */
const clientOf = (baseURL: string, key = apiKey) => new Retell({ baseURL, apiKey: key, maxRetries: 0 })

const asked = (to: string, webhookUrl: string | null = null): Retell.CallCreatePhoneCallParams => ({
  from_number: "+12025550100",
  to_number: to,
  override_agent_id: "agent_ada",
  metadata: { ref: "call_1" },
  retell_llm_dynamic_variables: { name: "Zoë" },
  agent_override: { agent: { webhook_url: webhookUrl, max_call_duration_ms: 600_000 } }
})

const byRef = (ref: string): Retell.CallListParams => ({
  filter_criteria: { metadata: [{ type: "string", op: "eq", key: "ref", value: ref }] }
})

/** Sends a request to a control path of the fake, and returns the parsed answer. */
const control = async (fake: { readonly url: string }, path: string, input: object): Promise<unknown> =>
  (await fetch(`${fake.url}/_sim/${path}`, { method: "POST", body: JSON.stringify(input) })).json()

describe("the fake of Retell with the official client", () => {
  it("a call of the client is returned and listed, is answered and ends with its webhooks", async () => {
    await using fake = await FakeRetell.open()
    await using receiver = await openReceiver()
    const client = clientOf(fake.url)
    const { call_id: id } = await client.call.createPhoneCall(asked("+12025550111", `${receiver.url}/webhook`))
    expect(await client.call.retrieve(id)).toMatchObject({ call_status: "registered", direction: "outbound" })
    await fake.advance(10_000)
    expect(await client.call.retrieve(id)).toMatchObject({ call_status: "ongoing", agent_id: "agent_ada" })
    await fake.advance(3_600_000)

    const call = await client.call.retrieve(id)
    expect(call).toMatchObject({ call_status: "ended", disconnection_reason: "user_hangup", duration_ms: 30_000 })
    expect((call.end_timestamp ?? 0) - (call.start_timestamp ?? 0)).toBe(30_000)
    expect(call).toMatchObject({ metadata: { ref: "call_1" }, retell_llm_dynamic_variables: { name: "Zoë" } })
    const { has_more: hasMore, items } = await client.call.list(byRef("call_1"))
    expect(items.map((one) => one.call_id)).toEqual([id])
    expect(items[0]).not.toHaveProperty("transcript")
    expect(hasMore).toBe(false)
    expect((await client.call.list(byRef("call_2"))).items).toEqual([])

    const bodies = receiver.requests.map(({ body }): unknown => JSON.parse(body))
    expect(bodies).toMatchObject([
      { event: "call_started", call: { call_id: id, call_status: "ongoing", start_timestamp: call.start_timestamp } },
      { event: "call_ended", call: { transcript: call.transcript, recording_url: call.recording_url } },
      { event: "call_analyzed", call: { call_analysis: { call_summary: "A call of 30 seconds." } } }
    ])
    expect(bodies[1]).not.toHaveProperty("call.call_analysis")
  })

  it("each webhook has a signature that the function of the official client verifies", async () => {
    await using fake = await FakeRetell.open({ startAt: Date.now() })
    await using receiver = await openReceiver()
    await clientOf(fake.url).call.createPhoneCall(asked("+12025550019", receiver.url))
    await fake.advance(60_000)
    const results = receiver.requests.map(({ body, headers }) =>
      verify(body, apiKey, headers["x-retell-signature"] ?? "")
    )
    // The script puts a forged webhook before each of the three.
    expect(await Promise.all(results)).toEqual([false, true, false, true, false, true])
  })

  it.each([
    ["+12025550001", "dial_busy"],
    ["+12025550002", "dial_no_answer"],
    ["+12025550006", "dial_failed"]
  ])("a call to %s ends with %s, without the webhook call_started", async (number, reason) => {
    await using fake = await FakeRetell.open()
    await using receiver = await openReceiver()
    const { call_id: id } = await clientOf(fake.url).call.createPhoneCall(asked(number, receiver.url))
    await fake.advance(60_000)
    expect(await clientOf(fake.url).call.retrieve(id)).toMatchObject({
      call_status: "not_connected",
      disconnection_reason: reason
    })
    const events = receiver.requests.map(({ body }): unknown => JSON.parse(body))
    expect(events).toMatchObject([{ event: "call_ended" }, { event: "call_analyzed" }])
  })

  it("with a pace, the times of a call that begins while another one runs are whole milliseconds", async () => {
    await using fake = await FakeRetell.open({ pace: 50.123 })
    await using receiver = await openReceiver()
    const client = clientOf(fake.url)
    await client.call.createPhoneCall(asked("+12025550111"))
    const { call_id: id } = await client.call.createPhoneCall(asked("+12025550111", receiver.url))
    await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBe(3)
    const call = await client.call.retrieve(id)
    for (const time of [call.start_timestamp, call.end_timestamp, call.duration_ms]) {
      expect(Number.isInteger(time)).toBe(true)
    }
    for (const { headers } of receiver.requests) expect(headers["x-retell-signature"]).toMatch(/^v=\d+,d=/)
  })

  it("a running call can be stopped once", async () => {
    await using fake = await FakeRetell.open()
    const client = clientOf(fake.url)
    const { call_id: id } = await client.call.createPhoneCall(asked("+12025550111"))
    await fake.advance(10_000)
    await client.call.stop(id)
    expect(await client.call.retrieve(id)).toMatchObject({ disconnection_reason: "manual_stopped", duration_ms: 7_000 })
    await expect(client.call.stop(id)).rejects.toMatchObject({ status: 400 })
  })

  it.each([
    ["+12025550003", 400],
    ["12025550111", 400],
    ["+12025550007", 429],
    ["+12025550008", 500]
  ])("a call to %s gets the status %i", async (number, status) => {
    await using fake = await FakeRetell.open()
    const error = await clientOf(fake.url)
      .call.createPhoneCall(asked(number))
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status })
  })

  it.each([
    [{ from_number: "1" }],
    [{ retell_llm_dynamic_variables: { seats: 5 } }],
    [{ agent_override: { agent: { max_call_duration_ms: 59_999 } } }],
    [{ override_agent_id: null }]
  ])("a call with %j gets the status 400", async (more) => {
    await using fake = await FakeRetell.open()
    const body = JSON.stringify({ ...asked("+12025550111"), ...more })
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${fake.url}/v2/create-phone-call`, { method: "POST", headers, body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: "error" })
  })

  it("another key gets 401, an unknown call gets 404, and a filter that the fake does not have gets 422", async () => {
    await using fake = await FakeRetell.open()
    const client = clientOf(fake.url)
    await expect(clientOf(fake.url, "another").concurrency.retrieve()).rejects.toMatchObject({ status: 401 })
    expect(await client.concurrency.retrieve()).toMatchObject({ concurrency_limit: 20 })
    await expect(client.call.retrieve("unknown")).rejects.toMatchObject({ status: 404 })
    const filter = { to_number: { type: "string", op: "eq", value: "+12025550111" } } as const
    await expect(client.call.list({ filter_criteria: filter })).rejects.toMatchObject({ status: 422 })
  })

  it("a webhook that fails is sent again three times", async () => {
    await using fake = await FakeRetell.open()
    await using receiver = await openReceiver(() => 503)
    await clientOf(fake.url).call.createPhoneCall(asked("+12025550006", receiver.url))
    await fake.advance(60_000)
    // The webhooks call_ended and call_analyzed, each with three retries.
    expect(receiver.requests).toHaveLength(8)
  })
})

describe("inbound calls of the fake of Retell", () => {
  const inbound = { from: "+12025550111", to: "+12025550100" }

  /** Opens a server that answers every request with a JSON body. */
  const openServer = (answer: unknown) => Service.open(0, async () => ({ status: 200, body: answer }))

  it("an inbound call has the agent, the metadata and the webhooks of the answer to call_inbound", async () => {
    await using fake = await FakeRetell.open()
    await using receiver = await openReceiver()
    const call_inbound = {
      override_agent_id: "agent_bea",
      metadata: { ref: "call_2" },
      dynamic_variables: { name: "Jo" },
      agent_override: { agent: { webhook_url: receiver.url } }
    }
    await using server = await openServer({ call_inbound })
    await control(fake, "inbound", { ...inbound, url: server.url })
    expect(server.requests.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      { event: "call_inbound", call_inbound: { from_number: inbound.from, to_number: inbound.to } }
    ])
    await fake.advance(60_000)
    const { items } = await clientOf(fake.url).call.list(byRef("call_2"))
    expect(items).toMatchObject([
      { agent_id: "agent_bea", direction: "inbound", from_number: inbound.from, to_number: inbound.to }
    ])
    expect(receiver.requests).toHaveLength(3)
  })

  it("an inbound call without an agent is rejected, and one whose number has an agent is answered by it", async () => {
    await using fake = await FakeRetell.open()
    await using server = await openServer({ call_inbound: {} })
    const rejected = await control(fake, "inbound", { ...inbound, url: server.url })
    expect(rejected).toMatchObject({ answer: { status: 200 }, callId: null })
    expect((await clientOf(fake.url).call.list()).items).toEqual([])
    await using failing = await openReceiver(() => 503)
    await control(fake, "inbound", { ...inbound, agentId: "agent_of_number", url: failing.url })
    expect(failing.requests).toHaveLength(4)
    expect((await clientOf(fake.url).call.list()).items).toMatchObject([{ agent_id: "agent_of_number" }])
  })

  it("a control path without its fields gets the status 400, and an unknown one 404", async () => {
    await using fake = await FakeRetell.open()
    const statusOf = async (path: string) => (await fetch(`${fake.url}/_sim/${path}`, { method: "POST" })).status
    expect([await statusOf("inbound"), await statusOf("function"), await statusOf("nothing")]).toEqual([400, 400, 404])
  })

  it("a custom function is called with the call and its arguments, signed, and its answer is returned", async () => {
    await using fake = await FakeRetell.open({ startAt: Date.now() })
    await using server = await openServer({ say: "Booked." })
    const { call_id: callId } = await clientOf(fake.url).call.createPhoneCall(asked("+12025550111"))
    const args = { slot_id: "s1" }
    expect(await control(fake, "function", { callId, name: "book", args, url: server.url })).toEqual({
      answer: { status: 200, contentType: "application/json", body: '{"say":"Booked."}' }
    })
    const [request] = server.requests
    const body = request?.body ?? ""
    expect(JSON.parse(body)).toMatchObject({ name: "book", args, call: { call_id: callId, direction: "outbound" } })
    expect(await verify(body, apiKey, request?.headers["x-retell-signature"] ?? "")).toBe(true)
  })
})
