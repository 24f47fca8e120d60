import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Admission from "@frontdesk/http/request/Admission"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { makeWorld } from "../world.ts"

describe("the bound on requests", () => {
  it("a request beyond the bound is refused at once with 503 and Retry-After, before its key is looked at", async () => {
    const [asked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let takes = 0
    // The first request stops in the middle of its work.
    const limiter = Layer.succeed(
      RateLimiter,
      RateLimiter.of({
        take: () =>
          Effect.promise(async () => {
            takes += 1
            asked.resolve()
            await finish.promise
            return null
          })
      })
    )
    const health = { method: "GET", path: "/health", handler: Effect.succeed(HttpServerResponse.empty()) } as const
    const world = await makeWorld("memory", { maxRequests: 1, extra: [health] }, limiter)
    const caller = await world.caller()
    const first = caller.get("/api/v1/agents")
    await asked.promise
    const second = await world.ask("/api/v1/agents", { headers: { authorization: "Bearer unknown" } })
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"])
    expect(second.json).toMatchObject({ error: "service_unavailable" })
    expect((await world.ask("/health")).status).toBe(204)
    expect(takes).toBe(1)
    finish.resolve()
    expect((await first).status).toBe(200)
    expect((await caller.get("/api/v1/agents")).status).toBe(200)
    await world.close()
  })

  it("work that fails or is interrupted gives its place back", () =>
    Effect.gen(function* () {
      const admit = Admission.make(1)
      expect(yield* Effect.flip(admit(Effect.fail("no")))).toBe("no")
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(admit(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      expect(yield* Effect.flip(admit(Effect.void))).toMatchObject({ _tag: "Overloaded" })
      yield* Fiber.interrupt(fiber)
      yield* admit(Effect.void)
    }).pipe(Effect.runPromise))

  it("requests that arrive together begin a few at a time, and others have their turns between", () =>
    Effect.gen(function* () {
      const admit = Admission.make(null)
      const order: Array<string> = []
      const requests = Array.from({ length: 40 }, () => admit(Effect.sync(() => order.push("request"))))
      const other = Effect.gen(function* () {
        while (order.filter((entry) => entry === "request").length < 40) {
          order.push("other")
          yield* Effect.yieldNow
        }
      })
      yield* Effect.all([...requests, other], { concurrency: "unbounded", discard: true })
      const most = Math.max(
        ...order
          .join(" ")
          .split("other")
          .map((run) => run.match(/request/g)?.length ?? 0)
      )
      expect(most).toBeLessThanOrEqual(8)
    }).pipe(Effect.runPromise))
})
