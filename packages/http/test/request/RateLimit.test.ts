import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, makeWorld, refusal, type World } from "../world.ts"

describe("Decisions 2, rate limit", () => {
  let world: World
  let full: Caller
  beforeAll(async () => {
    world = await makeWorld("memory", {}, RateLimiter.layerTokenBucket({ requests: 3, window: Duration.hours(1) }))
    full = await world.caller()
  })
  afterAll(() => world.close())

  it("answers carry RateLimit-Policy and RateLimit, and 429 rate_limited comes with Retry-After", async () => {
    const first = await full.get("/api/v1/agents")
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=3;w=3600')
    expect(first.headers.get("ratelimit")).toMatch(/^"default";r=2;t=\d+$/)
    await full.get("/api/v1/agents")
    // Also what is refused for another reason counts.
    expect((await full.get("/api/v1/contacts/abc")).headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/)
    const refused = await full.get("/api/v1/agents")
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual(refusal("rate_limited"))
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1_000)
    expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/)
  })

  it("is counted for each key", async () => {
    const other = await world.caller({ account: full.account })
    expect((await other.get("/api/v1/agents")).status).toBe(200)
  })

  it("nothing is counted before the key is known", async () => {
    const answer = await world.ask("/api/v1/agents")
    expect([answer.status, answer.headers.get("ratelimit")]).toEqual([401, null])
  })

  it("is off unless there is a limit", async () => {
    const unlimited = await makeWorld()
    const answer = await (await unlimited.caller()).get("/api/v1/agents")
    expect(answer.headers.get("ratelimit-policy")).toBeNull()
    await unlimited.close()
  })
})
