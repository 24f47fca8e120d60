import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"
import * as ClientAddress from "@frontdesk/http/request/ClientAddress"
import * as RateLimitBuckets from "@frontdesk/http/request/RateLimitBuckets"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, makeTestApi, refusal, type TestApi } from "../testApi.ts"

describe("the rate limit (D-RATE-1)", () => {
  let api: TestApi
  let full: Caller
  beforeAll(async () => {
    api = await makeTestApi("memory", {}, RateLimiter.layerTokenBucket({ requests: 3, window: Duration.hours(1) }))
    full = await api.caller()
  })
  afterAll(() => api.close())

  it("every answer has RateLimit-Policy and RateLimit, and 429 rate_limited has Retry-After", async () => {
    const first = await full.get("/api/v1/agents")
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=3;w=3600')
    expect(first.headers.get("ratelimit")).toMatch(/^"default";r=2;t=\d+$/)
    await full.get("/api/v1/agents")
    // A request that fails for another reason also counts.
    expect((await full.get("/api/v1/contacts/abc")).headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/)
    const refused = await full.get("/api/v1/agents")
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual(refusal("rate_limited"))
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1_000)
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/)
  })

  it("each key has its own limit", async () => {
    const other = await api.caller({ account: full.account })
    expect((await other.get("/api/v1/agents")).status).toBe(200)
  })

  it("a request without the permission counts, and gets permission_denied (D-RATE-3)", async () => {
    const none = await api.caller({ permissions: [] })
    const answers = [await none.get("/api/v1/agents"), await none.get("/api/v1/agents")]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(answers.map(({ headers }) => headers.get("ratelimit")?.split(";")[1])).toEqual(["r=2", "r=1"])
  })

  it("answers have no RateLimit headers when requests are not limited", async () => {
    const unlimited = await makeTestApi()
    const answer = await (await unlimited.caller()).get("/api/v1/agents")
    expect(answer.headers.get("ratelimit-policy")).toBeNull()
    await unlimited.close()
  })
})

describe("the cost of a request", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi("memory", {}, RateLimiter.layerTokenBucket({ requests: 20, window: Duration.hours(1) }))
  })
  afterAll(() => api.close())

  const availability = (query: string) => `/api/v1/calendar/availability${query}`

  const costs: ReadonlyArray<readonly [path: string, cost: number]> = [
    ["/api/v1/agents", 1],
    ["/api/v1/contacts", 1],
    ["/api/v1/contacts?limit=50", 1],
    ["/api/v1/contacts?limit=51", 2],
    ["/api/v1/calls?limit=100", 2],
    ["/api/v1/calendar/events?limit=999999", 2],
    ["/api/v1/contacts?limit=many", 1],
    [availability(""), 1],
    [availability("?start_date=2026-03-01&end_date=2026-03-07"), 1],
    [availability("?start_date=2026-03-01&end_date=2026-03-08"), 2],
    [availability("?start_date=2026-03-01&end_date=2026-05-01"), 9],
    [availability("?start_date=2026-03-01&end_date=2099-05-01"), 9],
    [availability("?start_date=2026-03-08&end_date=2026-03-01"), 1],
    [availability("?start_date=soon&end_date=later"), 1],
    [availability("?duration=15"), 1],
    [availability("?duration=10"), 2],
    [availability("?duration=180"), 1],
    [availability("?duration=none"), 1],
    [availability("?start_date=2026-03-01&end_date=2026-03-02&duration=1"), 3]
  ]

  it.each(costs)("%s costs %i", async (path, cost) => {
    const caller = await api.caller()
    expect((await caller.get(path)).headers.get("ratelimit")).toContain(`;r=${20 - cost};`)
  })

  const contact = (characters: number) => JSON.stringify({ custom_context: { text: "x".repeat(characters) } })
  const create = "/api/v1/contacts/create"

  it.each([
    ["with a length", { "content-length": String(contact(40_000).length) }],
    ["in chunks", {}]
  ])("a body %s costs 1 for each 16 KiB", async (_, headers) => {
    const caller = await api.caller()
    const answer = await caller.post(create, contact(40_000), { "content-type": "application/json", ...headers })
    expect([answer.status, answer.headers.get("ratelimit")]).toEqual([201, expect.stringContaining(";r=17;")])
  })

  it("a body that is too large costs as much as the largest body that is read, and gets 413", async () => {
    const limiter = RateLimiter.layerTokenBucket({ requests: 20, window: Duration.hours(1) })
    const small = await makeTestApi("memory", { maxBodySize: 40_000 }, limiter)
    const caller = await small.caller()
    const answer = await caller.post(create, contact(500_000), { "content-length": String(contact(500_000).length) })
    expect([answer.status, answer.headers.get("ratelimit")]).toEqual([413, expect.stringContaining(";r=17;")])
    await small.close()
  })

  it("a request that costs more than is left gets 429, and a cheaper one passes (D-RATE-2)", async () => {
    const caller = await api.caller()
    const costly = availability("?start_date=2026-03-01&end_date=2026-05-01")
    expect([(await caller.get(costly)).status, (await caller.get(costly)).status]).toEqual([200, 200])
    expect((await caller.get(costly)).json).toEqual(refusal("rate_limited"))
    expect((await caller.get("/api/v1/agents")).status).toBe(200)
  })
})

describe("the rate limit of requests without a valid key", () => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi("memory", {}, RateLimiter.layerTokenBucket({ requests: 2, window: Duration.hours(1) }))
  })
  afterAll(() => api.close())

  const askFrom = (address: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${path}`, { headers }))
    const from = request.modify({ remoteAddress: Option.some(address) })
    return api.run(
      Effect.map(Effect.provideService(api.app, HttpServerRequest.HttpServerRequest, from), ({ headers, status }) => ({
        status,
        limit: headers["ratelimit"]
      }))
    )
  }
  const statuses = async (address: string, path: string, headers: Readonly<Record<string, string>> = {}) => [
    (await askFrom(address, path, headers)).status,
    (await askFrom(address, path, headers)).status,
    (await askFrom(address, path, headers)).status
  ]

  it("requests with a missing or wrong key share the limit of their address, and get 429 above it (D-RATE-5)", async () => {
    expect(await statuses("192.0.2.1", "/api/v1/agents")).toEqual([401, 401, 429])
    expect(await statuses("192.0.2.2", "/api/v1/agents", { authorization: "Bearer wrong" })).toEqual([401, 401, 429])
  })

  it("requests with a signed link share the limit of their address (D-RATE-5)", async () => {
    const path = "/api/v1/calendar/events/00000000-0000-4000-8000-000000000000/ics?signature=x"
    expect(await statuses("192.0.2.3", path)).toEqual([404, 404, 429])
  })

  it("requests for the documentation share the limit of their address", async () => {
    expect(await statuses("192.0.2.4", "/openapi.json")).toEqual([200, 200, 429])
    expect((await askFrom("192.0.2.4", "/docs")).status).toBe(429)
  })

  it("a request with a valid key passes when the limit of its address is used up (D-RATE-5)", async () => {
    const caller = await api.caller()
    await statuses("192.0.2.5", "/api/v1/agents")
    expect((await askFrom("192.0.2.5", "/api/v1/agents", { authorization: `Bearer ${caller.key}` })).status).toBe(200)
  })

  it("the addresses of an IPv6 /64 share a limit, and so do a mapped IPv4 address and that address (D-RATE-6)", async () => {
    await statuses("2001:db8:0:1::1", "/openapi.json")
    expect((await askFrom("2001:db8::1:ffff:0:0:2", "/openapi.json")).status).toBe(429)
    expect((await askFrom("2001:db8:0:2::1", "/openapi.json")).status).toBe(200)
    await statuses("192.0.2.6", "/openapi.json")
    expect((await askFrom("::ffff:192.0.2.6", "/openapi.json")).status).toBe(429)
  })

  it("answers have no RateLimit headers when requests are not limited", async () => {
    const unlimited = await makeTestApi()
    const answers = [await unlimited.ask("/api/v1/agents"), await unlimited.ask("/openapi.json")]
    expect(answers.map(({ headers, status }) => [status, headers.get("ratelimit")])).toEqual([
      [401, null],
      [200, null]
    ])
    await unlimited.close()
  })
})

describe("the address of a client behind proxies (D-RATE-6)", () => {
  const addressOf = (trustedProxies: number, forwarded?: string) =>
    ClientAddress.make(trustedProxies)({
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
      remoteAddress: Option.some("10.0.0.1")
    })

  it.each([
    ["without proxies the header is not read", 0, "192.0.2.1", "10.0.0.1"],
    ["one proxy adds the last entry", 1, "203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["two proxies add the last two", 2, "203.0.113.9,192.0.2.1 , 10.0.0.2", "192.0.2.1"],
    ["a port and brackets do not count", 1, "[2001:db8::1]:8080", "2001:db8::1"],
    ["nor does the port of an IPv4 address", 1, "192.0.2.1:8080", "192.0.2.1"],
    ["an address of IPv6 without brackets is one", 1, "2001:db8::1", "2001:db8::1"],
    ["with too few entries the socket decides", 2, "192.0.2.1", "10.0.0.1"],
    ["so it does without the header", 1, undefined, "10.0.0.1"],
    ["and with a text that is not an address", 1, "unknown", "10.0.0.1"],
    ["and with one that is too long for an address", 1, "1:".repeat(30), "10.0.0.1"],
    ["and with points alone", 1, ".......", "10.0.0.1"],
    ["and with numbers that no address has", 1, "999.999.999.999", "10.0.0.1"],
    ["and with colons alone", 1, "::::::", "10.0.0.1"],
    ["an IPv4 address in the form of IPv6 has its own form", 1, "::ffff:192.0.2.1", "192.0.2.1"]
  ])("%s", (_, trustedProxies, forwarded, expected) => {
    expect(addressOf(trustedProxies, forwarded)).toEqual(Option.some(expected))
  })

  it("an IPv4 address of a socket for both kinds of addresses has its own form", () => {
    const request = { headers: {}, remoteAddress: Option.some("::ffff:192.0.2.1") }
    expect(ClientAddress.make(0)(request)).toEqual(Option.some("192.0.2.1"))
  })

  it("each client behind a trusted proxy has a limit of its own, and cannot choose another address", async () => {
    const limit = RateLimiter.layerTokenBucket({ requests: 1, window: Duration.hours(1) })
    const api = await makeTestApi("memory", { trustedProxies: 1 }, limit)
    const statusOf = async (forwarded: string) =>
      (await api.ask("/api/v1/agents", { headers: { "x-forwarded-for": forwarded } })).status
    expect(await statusOf("192.0.2.1")).toBe(401)
    expect(await statusOf("203.0.113.9, 192.0.2.1")).toBe(429)
    expect(await statusOf("192.0.2.2")).toBe(401)
    await api.close()
  })
})

describe("the buckets of callers", () => {
  it("each account that calls without a key has its own bucket (D-RATE-4)", async () => {
    const api = await makeTestApi()
    const [one, other] = [(await api.caller()).account, (await api.caller()).account]
    const bucketOf = (account: typeof one) =>
      RateLimitBuckets.ofCaller({ account, apiKeyId: null, permissions: new Set() })
    expect(bucketOf(one)).not.toBe(bucketOf(other))
    await api.close()
  })
})
