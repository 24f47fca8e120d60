import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Schema from "effect/Schema"
import { beforeAll, describe, expect, it } from "vitest"
import { acme, acmeKey, ask } from "../support/acme.ts"
import { provision, serve, type Server } from "../support/inProcess.ts"
import { containing } from "../support/matching.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const readerKey = "fd_test_acme_read_0123456789abcdefghijklmnop"

const document = {
  ...acme,
  accounts: acme.accounts.map((account) => ({
    ...account,
    api_keys: [
      ...account.api_keys,
      { ref: "acme-read", name: "Reads", permissions: ["can_read_calendar"], key: readerKey }
    ]
  }))
}

const Found = Schema.decodeUnknownSync(
  Schema.Struct({ say: Schema.String, slots: Schema.NonEmptyArray(Schema.Struct({ slot_id: Schema.String })) })
)
const Booked = Schema.decodeUnknownSync(
  Schema.Struct({ event: Schema.Struct({ id: Schema.Int, uuid: Schema.String }) })
)
const Agents = Schema.decodeUnknownSync(
  Schema.Struct({ agents: Schema.NonEmptyArray(Schema.Struct({ id: Schema.Int })) })
)
const Started = Schema.decodeUnknownSync(Schema.Struct({ call_id: Schema.String }))

/** Connects the official client, which sends its requests to the servers in turn. */
const connect = async (servers: ReadonlyArray<Server>, key: string, headers: Record<string, string> = {}) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  let next = 0
  const fetchInTurn = (_: string | URL, init?: RequestInit): Promise<Response> =>
    fetch(`${servers[next++ % servers.length]?.url}/mcp`, init)
  const transport = new StreamableHTTPClientTransport(new URL(`${servers[0]?.url}/mcp`), {
    fetch: fetchInTurn,
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } }
  })
  await client.connect(transport)
  return {
    close: () => client.close(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
  }
}

describe("POST /mcp on two servers, with the official client", () => {
  let servers: ReadonlyArray<Server> = []
  beforeAll(async () => {
    const folder = temporaryFolder()
    await provision(folder, document)
    servers = await Promise.all([serve(folder), serve(folder)])
  })

  const days = (from: number, to: number) => {
    const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    return { from_date: date(from), to_date: date(to), duration_minutes: 30 }
  }

  it("a client without a call finds, holds and books a slot, and a repeat returns the first answer", async () => {
    const { call, close, tools } = await connect(servers, acmeKey)
    expect(await tools()).toEqual(["get_context", "find_slots", "hold_slot", "book", "request_callback"])
    expect((await call("get_context", {})).structuredContent).toMatchObject({
      time_zone: "America/New_York",
      contact: null
    })
    const found = await call("find_slots", days(2, 15))
    const { say, slots } = Found(found.structuredContent)
    expect(found.content).toMatchObject([{ type: "text", text: say }, {}])
    const [{ slot_id }] = slots
    const held = await call("hold_slot", { slot_id })
    expect(held.content).toMatchObject([{ text: containing("I am holding ") }, {}])
    const args = { slot_id, title: "Check-up", customer_name: "Jo", customer_email: "jo@example.com" }
    const first = await call("book", args)
    const { event } = Booked(first.structuredContent)
    expect(await call("book", args)).toEqual(first)
    const shown = await ask(servers[0]?.url ?? "", `/api/v1/calendar/events/${event.id}`)
    expect(await shown.json()).toMatchObject({
      title: "Check-up",
      created_by_ai_agent: true,
      customer: { name: "Jo", email: "jo@example.com" }
    })
    const again = await call("book", { ...args, customer_name: "Al" })
    expect(again).toMatchObject({
      isError: true,
      structuredContent: { error: "already_booked", slots: [{}, {}, {}] }
    })
    await close()
  })

  it("a client in a call acts for the person on the telephone, and its tool calls are stored with the call", async () => {
    const url = servers[0]?.url ?? ""
    const body = { phone_number: "+12025550123", agent_id: "asst_ada" }
    const started = Started(await (await ask(url, "/api/v1/calls", body)).json())
    const { call, close, tools } = await connect(servers, acmeKey, { "X-Call-Id": started.call_id })
    expect(await tools()).toHaveLength(12)
    const [{ slot_id }] = Found((await call("find_slots", days(2, 15))).structuredContent).slots
    const { event } = Booked((await call("book", { slot_id, customer_phone: "+12025550199" })).structuredContent)
    const shown = await (await ask(url, `/api/v1/calendar/events/${event.id}`)).json()
    expect(shown).toMatchObject({ customer: { phone: "+12025550123" }, ai_agent: { assistant_id: "asst_ada" } })
    expect((await call("my_appointments", {})).structuredContent).toMatchObject({ events: [{ id: event.id }] })
    const cancelled = await call("cancel", { event_id: event.uuid })
    expect(cancelled.structuredContent).toMatchObject({ event: { id: event.id, status: "cancelled" } })
    await close()
    await expect
      .poll(async () => (await ask(url, `/api/v1/calls/${started.call_id}`)).json())
      .toMatchObject({ tool_calls: ["find_slots", "book", "my_appointments", "cancel"].map((name) => ({ name })) })
  })

  it("a client in a call has only the tools that the agent may use at present (D-AGENT-9)", async () => {
    const url = servers[0]?.url ?? ""
    const allow = async (allowed: ReadonlyArray<string> | null) => {
      const { agents } = Agents(await (await ask(url, "/api/v1/agents")).json())
      const { status } = await fetch(`${url}/api/v1/agents/${agents[0].id}/update`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${acmeKey}`, "content-type": "application/json" },
        body: JSON.stringify({ allowed_tools: allowed })
      })
      expect(status).toBe(200)
    }
    const body = { phone_number: "+12025550124", agent_id: "asst_ada" }
    const started = Started(await (await ask(url, "/api/v1/calls", body)).json())
    const { call, close, tools } = await connect(servers, acmeKey, { "X-Call-Id": started.call_id })
    await allow(["opt_out", "find_slots"])
    expect(await tools()).toEqual(["find_slots", "opt_out"])
    await expect(call("my_appointments", {})).rejects.toThrow("Unknown tool: my_appointments")
    await allow([])
    expect(await tools()).toEqual([])
    await allow(null)
    expect(await tools()).toHaveLength(12)
    await close()
  })

  it("a client that names an unknown call has no tools", async () => {
    const { call, close, tools } = await connect(servers, acmeKey, { "X-Call-Id": "call_unknown" })
    expect(await tools()).toEqual([])
    expect((await call("opt_out", {})).structuredContent).toMatchObject({ error: "unknown_call" })
    await close()
  })

  it("clients with one key that name their conversations share neither holds nor repeats", async () => {
    const [ann, bob, annAgain] = [
      await connect(servers, acmeKey, { "x-conversation-id": "Ann Smith" }),
      await connect(servers, acmeKey, { "x-conversation-id": "x".repeat(100) }),
      await connect(servers, acmeKey, { "x-conversation-id": "Ann Smith" })
    ]
    const found = Found((await ann.call("find_slots", days(20, 33))).structuredContent).slots
    const [first, second] = found.map(({ slot_id }) => ({ slot_id }))
    if (first === undefined || second === undefined) throw new Error("there is no second slot")
    const errorOf = async (client: typeof ann, name: string, args: Record<string, unknown>) =>
      (await client.call(name, args)).structuredContent
    for (const slot of [first, second]) expect(await errorOf(ann, "hold_slot", slot)).not.toHaveProperty("error")
    expect(await errorOf(bob, "hold_slot", first)).toMatchObject({ error: "slot_unavailable" })
    const booked = await annAgain.call("book", first)
    expect(Booked(booked.structuredContent).event.id).toBeGreaterThan(0)
    expect(await ann.call("book", first)).toEqual(booked)
    expect(await errorOf(bob, "book", first)).toMatchObject({ error: "slot_unavailable" })
    for (const { close } of [ann, bob, annAgain]) await close()
  })

  it.each(["", "x".repeat(101), "Zoë"])("the conversation %j gets 400 with an error of JSON-RPC", async (name) => {
    const response = await fetch(`${servers[0]?.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${acmeKey}`, "content-type": "application/json", "x-conversation-id": name },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "The header X-Conversation-Id must have 1 to 100 printable ASCII characters" }
    })
  })

  it("the tools follow the permissions of the key", async () => {
    const { call, close, tools } = await connect(servers, readerKey)
    expect(await tools()).toEqual(["get_context", "find_slots"])
    const [{ slot_id }] = Found((await call("find_slots", days(2, 15))).structuredContent).slots
    await expect(call("book", { slot_id })).rejects.toThrow("Unknown tool: book")
    await close()
  })

  it("a request without a valid key gets 401, and another method than POST 405", async () => {
    const url = `${servers[0]?.url}/mcp`
    const missing = await fetch(url, { method: "POST", body: "{}" })
    expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    await expect(connect(servers, "fd_test_unknown")).rejects.toThrow(/invalid_key|401|Unauthorized/i)
    const read = await fetch(url, { headers: { authorization: `Bearer ${acmeKey}` } })
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })

  it("a body that is not JSON, or is too large, gets an error of the protocol or of the API", async () => {
    const post = (body: string) => ask(servers[0]?.url ?? "", "/mcp", body)
    expect((await post("{")).status).toBe(400)
    expect(await (await post("x".repeat(2_000_000))).json()).toMatchObject({ error: "payload_too_large" })
  })
})
