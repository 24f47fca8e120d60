import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Tools } from "@frontdesk/agent-tools"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { eventWith } from "../runners.ts"
import { startServers } from "./mcpServer.ts"

let servers: Awaited<ReturnType<typeof startServers>>

beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.stop())
beforeEach(() => {
  servers.exchanges.length = 0
})

const info = { name: "test", version: "1.0.0" }

const legacy = async () => {
  const client = new Client(info)
  const transport = new StreamableHTTPClientTransport(servers.url, { fetch: servers.fetch })
  await client.connect(transport)
  return { transport, call: client.callTool.bind(client), list: client.listTools.bind(client), client }
}

const modern = async () => {
  const client = new ModernClient(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  const transport = new ModernTransport(servers.url, { fetch: servers.fetch })
  await client.connect(transport)
  return { transport, call: client.callTool.bind(client), list: client.listTools.bind(client), client }
}

describe.each([
  ["the official client, version 1", legacy],
  ["the official client, version 2, without a handshake", modern]
])("%s, over two servers in turn", (_, connect) => {
  it("lists the tools with their schemas", async () => {
    const { client, list } = await connect()
    const { tools } = await list()
    expect(tools.map(({ name }) => name)).toEqual(Tools.toolNames)
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual(
      Tools.toolNames.map((name) => Tools.byName[name].argumentsSchema)
    )
    expect(tools.find(({ name }) => name === "cancel")?.annotations).toMatchObject({ destructiveHint: true })
    await client.close()
  })

  it("calls a tool, and receives the text of say and the structured answer", async () => {
    const { call, client } = await connect()
    const result = await call({ name: "book", arguments: { slot_id: "s1" } })
    const answer = { say: "You are booked.", event: eventWith() }
    expect(result.structuredContent).toEqual(answer)
    expect(result.isError).toBe(false)
    expect(result.content).toEqual([
      { type: "text", text: "You are booked." },
      { type: "text", text: JSON.stringify(answer) }
    ])
    await client.close()
  })

  it("receives the structured answer of a refusal and of wrong arguments too", async () => {
    const { call, client } = await connect()
    expect(await call({ name: "book", arguments: { slot_id: "taken" } })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "That time has just been taken." }, { type: "text" }],
      structuredContent: { error: "slot_unavailable", slots: [{ slot_id: "s1" }] }
    })
    expect(await call({ name: "book", arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { error: "validation_error", details: [{ field: "slot_id" }] }
    })
    await client.close()
  })

  it("an unknown tool is an error of the protocol", async () => {
    const { call, client } = await connect()
    await expect(call({ name: "launch", arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it("no request has a session, and every server answers", async () => {
    const { call, client, transport } = await connect()
    await call({ name: "get_context" })
    await call({ name: "get_context" })
    expect(transport.sessionId).toBeUndefined()
    await client.close()
    const posts = servers.exchanges.filter(({ method }) => method === "POST")
    expect(new Set(posts.map(({ server }) => server))).toEqual(new Set([0, 1]))
    expect(posts.every(({ hasSession, status }) => !hasSession && (status === 200 || status === 202))).toBe(true)
    for (const { method, status } of servers.exchanges) if (method !== "POST") expect(status).toBe(405)
  })
})

it("the client of version 2 that tries both ways finds the version without a handshake", async () => {
  const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } })
  await client.connect(new ModernTransport(servers.url, { fetch: servers.fetch }))
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
  expect(client.getInstructions()).toBe("Call get_context first.")
  await client.close()
})

it("a client that connects again for each call needs no session", async () => {
  for (let count = 0; count < 20; count += 1) {
    const { call, client } = await legacy()
    expect(await call({ name: "opt_out" })).toMatchObject({ isError: false })
    await client.close()
  }
})
