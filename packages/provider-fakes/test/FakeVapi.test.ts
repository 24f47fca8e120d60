import { createHmac } from "node:crypto"
import { at, parseObject } from "@frontdesk/provider-fakes/Fake"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { type Vapi, VapiClient, VapiError } from "@vapi-ai/server-sdk"
import { describe, expect, it } from "vitest"
import { openReceiver } from "./receiver.ts"

const { apiKey, phoneNumberIds } = FakeVapi.defaults

/** Returns the official client, connected to the fake and without retries. */
const clientOf = (baseUrl: string, token = apiKey) => new VapiClient({ baseUrl, token, maxRetries: 0 })

const asked = (number: string, server: Vapi.Server): Vapi.CreateCallDto => ({
  assistantId: "asst_ada",
  phoneNumberId: phoneNumberIds[0] ?? "",
  customer: { number, externalId: "call_1" },
  assistantOverrides: { server, metadata: { ref: "call_1" }, variableValues: { name: "Zoë" } }
})

const idOf = (created: Vapi.CreateCallsResponse): string => ("id" in created ? created.id : "")

describe("the fake of Vapi with the official client", () => {
  it("a call of the client is returned and listed, rings, is answered and ends with its report", async () => {
    await using fake = await FakeVapi.open()
    await using receiver = await openReceiver()
    const client = clientOf(fake.url)
    const server = { url: `${receiver.url}/messages`, headers: { "X-Vapi-Secret": "secret" } }
    const id = idOf(await client.calls.create(asked("+12025550111", server)))
    const createdAtGe = new Date(fake.now() - 1000).toISOString()
    await fake.advance(10_000)
    expect(await client.calls.get({ id })).toMatchObject({ status: "in-progress", assistantId: "asst_ada" })
    await fake.advance(3_600_000)

    const call = await client.calls.get({ id })
    expect(call).toMatchObject({ id, status: "ended", endedReason: "customer-ended-call" })
    expect(Date.parse(call.endedAt ?? "") - Date.parse(call.startedAt ?? "")).toBe(30_000)
    expect(call.artifact?.transcript).not.toBe("")
    expect(call.assistantOverrides?.metadata).toEqual({ ref: "call_1" })
    expect(JSON.stringify(call)).not.toContain("secret")
    expect((await client.calls.list({ createdAtGe })).map((one) => one.id)).toEqual([id])
    expect(await client.calls.list({ createdAtGe: new Date(fake.now()).toISOString() })).toEqual([])

    const messages = receiver.requests.map(({ body }): unknown => JSON.parse(body))
    expect(messages).toMatchObject([
      { message: { type: "status-update", status: "ringing", call: { id } } },
      { message: { type: "status-update", status: "in-progress" } },
      { message: { type: "speech-update" } },
      { message: { type: "status-update", status: "ended", endedReason: "customer-ended-call" } },
      { message: { type: "end-of-call-report", startedAt: call.startedAt, endedAt: call.endedAt, cost: call.cost } }
    ])
    for (const { headers } of receiver.requests) expect(headers["x-vapi-secret"]).toBe("secret")
  })

  it("the control URL ends a running call, and returns 404 for a call that has ended", async () => {
    await using fake = await FakeVapi.open()
    const client = clientOf(fake.url)
    const id = idOf(await client.calls.create(asked("+12025550111", {})))
    await fake.advance(10_000)
    const { monitor } = await client.calls.get({ id })
    const end = () => fetch(monitor?.controlUrl ?? "", { method: "POST", body: JSON.stringify({ type: "end-call" }) })
    expect((await end()).status).toBe(200)
    expect(await client.calls.get({ id })).toMatchObject({ status: "ended", endedReason: "manually-canceled" })
    expect((await end()).status).toBe(404)
  })

  it("messages are signed with the credential that the call names", async () => {
    await using fake = await FakeVapi.open({ credentials: { signing: { secretKey: "key" } } })
    await using receiver = await openReceiver()
    await clientOf(fake.url).calls.create(asked("+12025550001", { url: receiver.url, credentialId: "signing" }))
    await fake.advance(60_000)
    expect(receiver.requests).not.toEqual([])
    for (const { body, headers } of receiver.requests) {
      const signed = createHmac("sha256", "key").update(`${headers["x-timestamp"] ?? ""}.${body}`)
      expect(headers["x-signature"]).toBe(signed.digest("hex"))
    }
  })

  it.each([
    ["+12025550003", 400],
    ["12025550111", 400],
    ["+12025550007", 429],
    ["+12025550008", 500]
  ])("a call to %s gets the status %i", async (number, statusCode) => {
    await using fake = await FakeVapi.open()
    const error = await clientOf(fake.url)
      .calls.create(asked(number, {}))
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(VapiError)
    expect(error).toMatchObject({ statusCode })
  })

  it("another key gets 401, and an unknown call gets 404", async () => {
    await using fake = await FakeVapi.open()
    await expect(clientOf(fake.url, "another").assistants.list()).rejects.toMatchObject({ statusCode: 401 })
    expect(await clientOf(fake.url).assistants.list({ limit: 1 })).toEqual([])
    expect(await clientOf(fake.url).phoneNumbers.get({ id: phoneNumberIds[0] ?? "" })).toMatchObject({})
    await expect(clientOf(fake.url).calls.get({ id: "unknown" })).rejects.toMatchObject({ statusCode: 404 })
  })

  it("a message that fails is sent again as many times as the plan of the server states", async () => {
    await using fake = await FakeVapi.open()
    await using receiver = await openReceiver(() => 503)
    const backoffPlan = { type: {}, maxRetries: 2, baseDelaySeconds: 1 }
    await clientOf(fake.url).calls.create(asked("+12025550006", { url: receiver.url, backoffPlan }))
    await fake.advance(60_000)
    // The status update of the end and the end-of-call report, each with two retries.
    expect(receiver.requests).toHaveLength(6)
  })

  it("with a pace the timestamps are whole milliseconds, also of a call that begins while another one runs", async () => {
    await using fake = await FakeVapi.open({ pace: 997 })
    await using receiver = await openReceiver()
    const client = clientOf(fake.url)
    fake.script("+12025550333", { talkSeconds: 1_000_000 })
    const first = idOf(
      await client.calls.create({
        ...asked("+12025550333", {}),
        assistantOverrides: { maxDurationSeconds: 1_000_000 }
      })
    )
    await expect
      .poll(async () => (await client.calls.get({ id: first })).status, { timeout: 10_000 })
      .toBe("in-progress")
    await client.calls.create(asked("+12025550111", { url: receiver.url }))
    await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBe(5)
    const timestamps = receiver.requests.map(({ body }) => at(parseObject(body), "message", "timestamp"))
    expect(timestamps.filter((timestamp) => !Number.isInteger(timestamp))).toEqual([])
  })

  it("with a pace the time of a call runs ahead, and real time returns when no steps are planned", async () => {
    await using fake = await FakeVapi.open({ pace: 1_000 })
    const early = Date.now() - 1_000
    const id = idOf(await clientOf(fake.url).calls.create(asked("+12025550111", {})))
    const shown = () => clientOf(fake.url).calls.get({ id })
    await expect.poll(async () => (await shown()).status, { timeout: 10_000 }).toBe("ended")
    const call = await shown()
    expect(Date.parse(call.endedAt ?? "") - Date.parse(call.startedAt ?? "")).toBe(30_000)
    await expect.poll(() => fake.now() - Date.now(), { timeout: 10_000 }).toBeLessThan(1_000)
    const next = idOf(await clientOf(fake.url).calls.create(asked("+12025550111", {})))
    const { createdAt } = await clientOf(fake.url).calls.get({ id: next })
    expect(Date.parse(createdAt)).toBeGreaterThan(early)
    expect(Date.parse(createdAt)).toBeLessThan(Date.now() + 1_000)
  })
})
