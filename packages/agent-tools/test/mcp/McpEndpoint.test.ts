import { McpEndpoint, McpVersion, type Toolbox, Tools } from "@frontdesk/agent-tools"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { parse } from "../json.ts"
import { toolboxWith } from "../runners.ts"

const handle = McpEndpoint.handle({ name: "frontdesk", version: "1.2.3" })

type Sent = Partial<McpEndpoint.McpRequest> & { readonly json?: unknown; readonly toolbox?: Toolbox.Toolbox }

/** Sends a request, and returns the status and the parsed body. */
const send = ({ body, headers = {}, json, method = "POST", toolbox = toolboxWith() }: Sent) =>
  Effect.map(handle({ method, headers, body: body ?? JSON.stringify(json) }, Effect.succeed(toolbox)), (response) => ({
    ...response,
    json: response.body === "" ? null : parse(response.body)
  }))

const request = (method: string, params?: object, id: number | string = 1) => ({ jsonrpc: "2.0", id, method, params })

const initialize = (protocolVersion: string) =>
  request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } })

describe("initialize", () => {
  it.effect.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "the offered version %s is agreed on",
    (version) =>
      Effect.gen(function* () {
        const { headers, json, status } = yield* send({ json: initialize(version) })
        expect(status).toBe(200)
        expect(Object.keys(headers)).not.toContain("mcp-session-id")
        expect(json).toEqual({
          jsonrpc: "2.0",
          id: 1,
          result: {
            protocolVersion: version,
            capabilities: { tools: { listChanged: false } },
            serverInfo: { name: "frontdesk", version: "1.2.3" }
          }
        })
      })
  )

  it.effect.each(["2026-07-28", "2099-01-01", "", "1.0"])(
    "the offered version %j is answered with the newest one",
    (version) =>
      Effect.gen(function* () {
        const { json } = yield* send({ headers: { "mcp-protocol-version": version }, json: initialize(version) })
        expect(json).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
      })
  )

  it.effect("a missing version is an error, and so is initialize in a batch", () =>
    Effect.gen(function* () {
      expect((yield* send({ json: request("initialize", {}) })).json).toMatchObject({ error: { code: -32602 } })
      expect(yield* send({ json: [initialize("2025-03-26")] })).toMatchObject({ status: 400 })
    })
  )
})

describe("requests of the versions with a handshake", () => {
  it.effect("ping, notifications and answers of the client need no initialize before", () =>
    Effect.gen(function* () {
      expect((yield* send({ json: request("ping") })).json).toEqual({ jsonrpc: "2.0", id: 1, result: {} })
      const notification = { jsonrpc: "2.0", method: "notifications/initialized" }
      for (const json of [notification, { jsonrpc: "2.0", id: 3, result: {} }, [notification, notification]]) {
        expect(yield* send({ json })).toEqual({ status: 202, headers: {}, body: "", json: null })
      }
    })
  )

  it.effect("an id is repeated in its own type", () =>
    Effect.gen(function* () {
      for (const id of ["a", "1", 1, 0, ""]) {
        expect((yield* send({ json: request("ping", undefined, id) })).json).toMatchObject({ id })
      }
    })
  )

  it.effect("tools/list has the tools of the toolbox, and no cursor", () =>
    Effect.gen(function* () {
      const { json } = yield* send({ json: request("tools/list") })
      const tools = Tools.toolNames.map((name) => ({ name, inputSchema: Tools.byName[name].argumentsSchema }))
      expect(json).toMatchObject({ result: { tools } })
      expect(json).not.toHaveProperty("result.nextCursor")
      const withCursor = yield* send({ json: request("tools/list", { cursor: "x" }) })
      expect(withCursor.json).toMatchObject({ error: { code: -32602 } })
    })
  )

  it.effect("another method is not found, with the status 200", () =>
    Effect.gen(function* () {
      for (const method of ["resources/list", "server/discover", "constructor"]) {
        expect(yield* send({ json: request(method) })).toMatchObject({ status: 200, json: { error: { code: -32601 } } })
      }
    })
  )

  it.effect("an unsupported version in the header is rejected with the supported ones", () =>
    Effect.gen(function* () {
      for (const json of [request("ping"), { jsonrpc: "2.0", method: "notifications/initialized" }]) {
        const response = yield* send({ headers: { "mcp-protocol-version": "2023-01-01" }, json })
        expect(response).toMatchObject({ status: 400, json: { error: { data: { supported: McpVersion.all } } } })
      }
    })
  )
})

describe("batches", () => {
  const ping = request("ping")

  it.effect("the version 2025-03-26 has them, and so has a request without a version", () =>
    Effect.gen(function* () {
      const json = [
        ping,
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { id: 7 },
        request("tools/list", {}, 2)
      ]
      for (const headers of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
        const response = yield* send({ headers, json })
        expect(response).toMatchObject({
          status: 200,
          json: [
            { id: 1, result: {} },
            { id: 7, error: { code: -32600 } },
            { id: 2, result: {} }
          ]
        })
      }
    })
  )

  it.effect("the calls of a batch run side by side", () =>
    Effect.gen(function* () {
      const second = yield* Deferred.make<void>()
      const toolbox = toolboxWith({
        get_contact: () => Effect.as(Deferred.await(second), { say: "first", contact: null }),
        opt_out: () => Effect.as(Deferred.succeed(second, undefined), { say: "second" })
      })
      const calls = ["get_contact", "opt_out"].map((name, id) => request("tools/call", { name }, id))
      const { json } = yield* send({ json: calls, toolbox })
      expect(json).toMatchObject([
        { id: 0, result: { isError: false } },
        { id: 1, result: { isError: false } }
      ])
    })
  )

  it.effect("other versions have none, and a batch has 1 to 20 messages", () =>
    Effect.gen(function* () {
      for (const version of ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"]) {
        const response = yield* send({ headers: { "mcp-protocol-version": version }, json: [ping] })
        expect(response).toMatchObject({ status: 400, json: { id: null, error: { code: -32600 } } })
      }
      for (const json of [[], Array.from({ length: 21 }, () => ping)]) {
        expect(yield* send({ json })).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
      }
    })
  )
})

describe("the version without a handshake", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  const modern = (method: string, params: object = {}, headers: McpVersion.Headers = {}) =>
    send({
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
      json: request(method, { _meta: meta, ...params })
    })

  it.effect("server/discover names all versions", () =>
    Effect.gen(function* () {
      expect(yield* modern("server/discover")).toMatchObject({
        status: 200,
        json: {
          result: {
            supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
            resultType: "complete",
            ttlMs: 0,
            cacheScope: "private",
            _meta: { "io.modelcontextprotocol/serverInfo": { name: "frontdesk" } }
          }
        }
      })
    })
  )

  it.effect("a tool is called with its name in a header, which may be in base64", () =>
    Effect.gen(function* () {
      for (const name of ["opt_out", "=?base64?b3B0X291dA==?="]) {
        expect(yield* modern("tools/call", { name: "opt_out" }, { "mcp-name": name })).toMatchObject({
          status: 200,
          json: { result: { isError: false, resultType: "complete" } }
        })
      }
    })
  )

  it.effect("headers that differ from the body are rejected", () =>
    Effect.gen(function* () {
      const list = { "mcp-method": "tools/list" }
      for (const [method, params, headers] of [
        ["tools/list", {}, { "mcp-method": "tools/call" }],
        ["tools/list", {}, { "mcp-method": undefined }],
        ["tools/list", {}, { "mcp-protocol-version": undefined }],
        ["tools/list", {}, { "mcp-protocol-version": "2025-11-25" }],
        ["tools/call", { name: "opt_out" }, {}],
        ["tools/call", { name: "opt_out" }, { "mcp-name": "book" }],
        ["tools/call", { name: "opt_out" }, { "mcp-name": "=?base64?!?=" }]
      ] as const) {
        expect(yield* modern(method, params, headers)).toMatchObject({ status: 400, json: { error: { code: -32020 } } })
      }
      expect(yield* modern("tools/list", {}, list)).toMatchObject({ status: 200 })
    })
  )

  it.effect("a request without its metadata is rejected", () =>
    Effect.gen(function* () {
      const versionAlone = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
      for (const _meta of [undefined, {}, versionAlone, { ...meta, "io.modelcontextprotocol/protocolVersion": 1 }]) {
        expect(yield* modern("tools/list", { _meta })).toMatchObject({ status: 400, json: { error: { code: -32602 } } })
      }
    })
  )

  it.effect("a later version is rejected with the supported ones", () =>
    Effect.gen(function* () {
      const _meta = { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" }
      expect(yield* modern("tools/list", { _meta }, { "mcp-protocol-version": "2027-01-01" })).toMatchObject({
        status: 400,
        json: { error: { code: -32022, data: { requested: "2027-01-01", supported: McpVersion.all } } }
      })
    })
  )

  it.effect("the methods that it has dropped are not found, with the status 404", () =>
    Effect.gen(function* () {
      for (const method of ["ping", "initialize", "subscriptions/listen"]) {
        expect(yield* modern(method)).toMatchObject({ status: 404, json: { error: { code: -32601 } } })
      }
    })
  )
})

describe("requests without a message", () => {
  it.effect.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s is answered 405", (method) =>
    Effect.gen(function* () {
      expect(yield* send({ method, body: "" })).toEqual({
        status: 405,
        headers: { allow: "POST" },
        body: "",
        json: null
      })
    })
  )

  it.effect("a body that is not JSON, or not a message, is answered 400", () =>
    Effect.gen(function* () {
      expect(yield* send({ body: "{" })).toMatchObject({ status: 400, json: { id: null, error: { code: -32700 } } })
      for (const json of [
        null,
        1,
        {},
        { jsonrpc: "1.0", id: 1, method: "ping" },
        { jsonrpc: "2.0", id: null, method: "x" }
      ]) {
        expect(yield* send({ json })).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
      }
      expect((yield* send({ json: { id: 5, method: 1 } })).json).toMatchObject({ id: 5 })
    })
  )

  it.effect("a body of more than the maximum is answered 413, counted in bytes", () =>
    Effect.gen(function* () {
      const small = McpEndpoint.handle({ name: "a", version: "1", maxBytes: 100 })
      const sizeOf = (text: string) => {
        const body = JSON.stringify(request("ping", { text }))
        return Effect.map(
          small({ method: "POST", headers: {}, body }, Effect.succeed(toolboxWith())),
          ({ status }) => status
        )
      }
      expect(yield* sizeOf("")).toBe(200)
      expect(yield* sizeOf("a".repeat(100))).toBe(413)
      const empty = JSON.stringify(request("ping", { text: "" })).length
      expect(yield* sizeOf("a".repeat(100 - empty))).toBe(200)
      expect(yield* sizeOf("ü".repeat(100 - empty))).toBe(413)
    })
  )

  it.effect("a web page of another origin is answered 403, and another content type 415", () =>
    Effect.gen(function* () {
      const json = request("ping")
      const origin = "https://app.example.com"
      expect(yield* send({ headers: { origin }, json })).toMatchObject({ status: 403 })
      const open = McpEndpoint.handle({ name: "a", version: "1", allowedOrigins: [origin] })
      const allowed = open(
        { method: "POST", headers: { origin }, body: JSON.stringify(json) },
        Effect.succeed(toolboxWith())
      )
      expect(yield* allowed).toMatchObject({ status: 200 })
      for (const [type, status] of [
        ["text/plain", 415],
        ["application/json; charset=utf-8", 200]
      ] as const) {
        expect(yield* send({ headers: { "content-type": type }, json })).toMatchObject({ status })
      }
    })
  )

  it("no body and no headers cause a defect", async () => {
    const json = fc.oneof(
      fc.json(),
      fc
        .record({
          jsonrpc: fc.constantFrom("2.0", 2),
          id: fc.anything({ maxDepth: 1 }),
          method: fc.constantFrom("initialize", "tools/call", "tools/list", "server/discover", "ping"),
          params: fc.object({
            key: fc.constantFrom("name", "arguments", "_meta", "protocolVersion", "cursor"),
            maxDepth: 2
          })
        })
        .map((message) =>
          JSON.stringify(message, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
        )
    )
    const version = fc.option(fc.constantFrom(...McpVersion.all, "x"), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(json, version, async (body, version) => {
        const response = await Effect.runPromise(send({ headers: { "mcp-protocol-version": version }, body }))
        expect([200, 202, 400, 404]).toContain(response.status)
      })
    )
  })
})

describe("slow and broken look-ups of the caller", () => {
  const answerOf = (method: string, toolbox: Effect.Effect<Toolbox.Toolbox>) =>
    Effect.gen(function* () {
      const body = JSON.stringify(request(method, { name: "opt_out" }))
      const fiber = yield* Effect.forkChild(handle({ method: "POST", headers: {}, body }, toolbox))
      yield* TestClock.adjust("2 seconds")
      return parse((yield* Fiber.join(fiber)).body)
    })

  it.effect("a tool is answered with a sentence, and a list with an error", () =>
    Effect.gen(function* () {
      const hanging = Effect.uninterruptible(Effect.never)
      expect(yield* answerOf("tools/call", hanging)).toMatchObject({
        result: { isError: true, structuredContent: { error: "timeout" } }
      })
      expect(yield* answerOf("tools/list", hanging)).toMatchObject({ error: { code: -32603 } })
      expect(yield* answerOf("tools/call", Effect.die("broken"))).toMatchObject({
        result: { isError: true, structuredContent: { error: "server_error" } }
      })
      expect(yield* answerOf("tools/list", Effect.die("broken"))).toMatchObject({ error: { code: -32603 } })
    })
  )

  it.effect("initialize, ping and a notification do not look up the caller", () =>
    Effect.gen(function* () {
      const messages = [
        initialize("2025-11-25"),
        request("ping"),
        { jsonrpc: "2.0", method: "notifications/initialized" }
      ]
      for (const json of messages) {
        const never = Effect.die(new Error("the caller was looked up"))
        const { status } = yield* handle({ method: "POST", headers: {}, body: JSON.stringify(json) }, never)
        expect(status).toBeLessThan(300)
      }
    })
  )
})
