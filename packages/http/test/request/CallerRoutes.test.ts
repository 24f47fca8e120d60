import { Principal } from "@frontdesk/core/access/Principal"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import type { CallerRoute } from "@frontdesk/http/HttpOptions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, refusal, type TestApi } from "../testApi.ts"

/** Returns what arrived, and for which account. */
const echo: CallerRoute = {
  method: "POST",
  path: "/echo",
  operation: "echo",
  handler: ({ body, headers, method }) => ({
    cost: body.length > 50 ? 3 : 0,
    response: Effect.map(Principal, ({ account }) =>
      HttpServerResponse.jsonUnsafe(
        { method, text: new TextDecoder().decode(body), name: headers["x-name"], account: account.id },
        { status: 202 }
      )
    )
  })
}

const origin = "https://app.example.com"

describe("a further route for callers", () => {
  let api: TestApi
  beforeAll(async () => {
    const limiter = RateLimiter.layerTokenBucket({ requests: 4, window: Duration.hours(1) })
    api = await makeTestApi("memory", { callerRoutes: [echo], maxBodySize: 100, corsOrigins: [origin] }, limiter)
  })
  afterAll(() => api.close())

  it("receives the body, the headers and the caller, and its response gets the headers of the API", async () => {
    const caller = await api.caller()
    const answer = await caller.ask("/echo", { method: "POST", body: "<a>", headers: { "x-name": "Jo" } })
    expect(answer.status).toBe(202)
    expect(answer.json).toEqual({ method: "POST", text: "<a>", name: "Jo", account: caller.account.id })
    expect(answer.headers.get("x-request-id")).not.toBeNull()
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=3;/)
  })

  it("needs a key, as any operation", async () => {
    const without = await api.ask("/echo", { method: "POST", body: "{}" })
    expect([without.status, without.json]).toEqual([401, refusal("authentication_required")])
    const wrong = await api.ask("/echo", { method: "POST", body: "{}", headers: { authorization: "Bearer unknown" } })
    expect([wrong.status, wrong.json]).toEqual([401, refusal("invalid_key")])
  })

  it("consumes from the rate limit of the key, and then gets 429", async () => {
    const caller = await api.caller()
    const statuses: Array<number> = []
    for (let n = 0; n < 5; n++) statuses.push((await caller.ask("/echo", { method: "POST", body: "{}" })).status)
    expect(statuses).toEqual([202, 202, 202, 202, 429])
  })

  it("consumes what its body costs before it runs", async () => {
    const caller = await api.caller()
    const long = { method: "POST", body: "x".repeat(51) }
    expect((await caller.ask("/echo", long)).headers.get("ratelimit")).toMatch(/^"default";r=0;/)
    const refused = await caller.ask("/echo", long)
    expect([refused.status, refused.json]).toEqual([429, refusal("rate_limited")])
  })

  it("can be used from a page of a listed origin with the headers of MCP clients", async () => {
    const answer = await api.ask("/echo", { method: "OPTIONS", headers: { origin } })
    const allowed = answer.headers.get("access-control-allow-headers")?.split(", ")
    expect(allowed).toEqual(
      expect.arrayContaining(["authorization", "mcp-protocol-version", "mcp-method", "mcp-name", "x-conversation-id"])
    )
  })

  it("refuses a body that is too large, and other methods", async () => {
    const caller = await api.caller()
    const large = await caller.ask("/echo", { method: "POST", body: "x".repeat(101) })
    expect([large.status, large.json]).toEqual([413, refusal("payload_too_large")])
    const read = await caller.get("/echo")
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })
})
