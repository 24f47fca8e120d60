import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as ExternalWait from "@frontdesk/core/storage/ExternalWait"
import * as Admission from "@frontdesk/http/request/Admission"
import * as FairScheduler from "@frontdesk/http/request/FairScheduler"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Scheduler from "effect/Scheduler"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeTestApi } from "../testApi.ts"

const make = (options: Partial<Pick<Admission.AdmissionOptions, "maxConcurrent" | "maxRequests">>) =>
  Admission.make({
    maxConcurrent: 16,
    maxRequests: null,
    ...options,
    scheduler: FairScheduler.make({ later: setImmediate, now: () => performance.now() })
  })

/** Lets every fiber run that can run. */
const settle = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow)

describe("the admission of requests", () => {
  it("a request above the limit gets 503 with Retry-After before its key is looked up, unless its route is extra (D-LOAD-3)", async () => {
    const [asked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let consumed = 0
    // The first request waits here, in the middle of its work.
    const limiter = Layer.succeed(
      RateLimiter,
      RateLimiter.of({
        consume: () =>
          Effect.promise(async () => {
            consumed += 1
            asked.resolve()
            await finish.promise
            return null
          })
      })
    )
    const health = { method: "GET", path: "/health", handler: Effect.succeed(HttpServerResponse.empty()) } as const
    const api = await makeTestApi("memory", { maxRequests: 1, extra: [health] }, limiter)
    const caller = await api.caller()
    const first = caller.get("/api/v1/agents")
    await asked.promise
    const second = await api.ask("/api/v1/agents", { headers: { authorization: "Bearer unknown" } })
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"])
    expect(second.json).toMatchObject({ error: "service_unavailable" })
    expect((await api.ask("/health")).status).toBe(204)
    expect(consumed).toBe(1)
    finish.resolve()
    expect((await first).status).toBe(200)
    expect((await caller.get("/api/v1/agents")).status).toBe(200)
    await api.close()
  })

  it("work that fails or is interrupted frees its place", () =>
    Effect.gen(function* () {
      const admit = make({ maxRequests: 1 })
      expect(yield* Effect.flip(admit("a")(Effect.fail("no")))).toBe("no")
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        admit("a")(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Deferred.await(begun)
      expect(yield* Effect.flip(admit("a")(Effect.void))).toMatchObject({ _tag: "Overloaded" })
      yield* Fiber.interrupt(fiber)
      yield* admit("a")(Effect.void)
    }).pipe(Effect.runPromise))

  it("a request frees its place at whichever operation it is interrupted", () => {
    const operations = Array.from({ length: 60 }, (_, index) => index)
    for (const interruptAt of operations) {
      for (const hasToWait of [false, true]) {
        for (const tasksBefore of [0, 1, 2, 3, 4, 5]) {
          const tasks: Array<() => void> = []
          const runTasks = (count: number) => {
            for (let run = 0; run < count && tasks.length > 0; run++) tasks.shift()?.()
          }
          let isCounting = false
          let counted = 0
          // Yields once, after the given number of operations.
          const scheduler: Scheduler.Scheduler = {
            executionMode: "async",
            shouldYield: () => isCounting && ++counted === interruptAt,
            makeDispatcher: () => ({ scheduleTask: (task) => void tasks.push(task), flush: () => {} })
          }
          const admit = Admission.make({
            maxConcurrent: 1,
            maxRequests: null,
            scheduler: FairScheduler.make({ later: (run) => void tasks.push(run), now: () => 0 })
          })
          const run = <A, E>(effect: Effect.Effect<A, E>) =>
            Effect.runFork(Effect.provideService(effect, Scheduler.Scheduler, scheduler), { scheduler })
          const holder = hasToWait ? run(admit("holder")(Effect.never)) : undefined
          runTasks(10)
          isCounting = true
          const interrupted = run(admit("interrupted")(Effect.void))
          const behind = hasToWait ? run(admit("interrupted")(Effect.void)) : undefined
          runTasks(hasToWait ? 5 : 0)
          holder?.interruptUnsafe()
          runTasks(tasksBefore)
          isCounting = false
          interrupted.interruptUnsafe()
          runTasks(1_000)
          const next = run(admit("next")(Effect.void))
          runTasks(1_000)
          const open = [behind, next].filter((fiber) => fiber !== undefined && fiber.pollUnsafe() === undefined).length
          expect({ hasToWait, interruptAt, tasksBefore, open }).toEqual({
            hasToWait,
            interruptAt,
            tasksBefore,
            open: 0
          })
        }
      }
    }
  })

  it("a request that is interrupted while it waits leaves its queue", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 1, maxRequests: 2 })
      const finish = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(admit("a")(Deferred.await(finish)))
      const second = yield* Effect.forkChild(admit("a")(Effect.void))
      yield* settle
      yield* Fiber.interrupt(second)
      const third = yield* Effect.forkChild(admit("a")(Effect.succeed("third")))
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(first)
      expect(yield* Fiber.join(third)).toBe("third")
    }).pipe(Effect.runPromise))

  it("a caller with many requests leaves places for other callers", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 4 })
      let working = 0
      const busy = Effect.andThen(
        Effect.sync(() => (working += 1)),
        Effect.never
      )
      yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(admit("busy")(busy)))
      yield* settle
      expect(working).toBe(3)
      expect(yield* admit("other")(Effect.succeed("done"))).toBe("done")
    }).pipe(Effect.scoped, Effect.runPromise))

  it("a free place goes to the next caller in turn (D-LOAD-1)", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 1 })
      const order: Array<string> = []
      const request = (caller: string) => admit(caller)(Effect.sync(() => void order.push(caller)))
      const begin = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(admit("holder")(Deferred.await(begin)))
      yield* settle
      const fibers = yield* Effect.forEach(["a", "a", "a", "a", "b", "b", "c"], (caller) =>
        Effect.forkChild(request(caller))
      )
      yield* settle
      yield* Deferred.succeed(begin, undefined)
      yield* Effect.forEach([holder, ...fibers], Fiber.await)
      expect(order.join("")).toBe("abcabaa")
    }).pipe(Effect.runPromise))

  it("when too many requests wait, the newest one in the longest queue is refused", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 1, maxRequests: 5 })
      const finish = yield* Deferred.make<void>()
      const flood = yield* Effect.forEach([1, 2, 3, 4, 5], (number) =>
        Effect.forkChild(admit("flood")(Effect.as(Deferred.await(finish), number)))
      )
      yield* settle
      const other = yield* Effect.forkChild(admit("other")(Effect.succeed("other")))
      const sixth = yield* Effect.forkChild(admit("flood")(Effect.succeed(6)))
      yield* settle
      yield* Deferred.succeed(finish, undefined)
      const exits = yield* Effect.forEach([...flood, sixth], (fiber) => Effect.exit(Fiber.join(fiber)))
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, true, true, false, false])
      expect(yield* Fiber.join(other)).toBe("other")
    }).pipe(Effect.runPromise))

  it("a request that waits for an external system lets another request have its place (D-LOAD-4)", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 1 })
      const answer = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(admit("a")(Effect.as(ExternalWait.around(Deferred.await(answer)), "a")))
      yield* settle
      expect(yield* admit("b")(Effect.succeed("b"))).toBe("b")
      yield* Deferred.succeed(answer, undefined)
      expect(yield* Fiber.join(fiber)).toBe("a")
      // The request freed its place for the wait, and counted it again afterwards. It must have freed it once more.
      const finish = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(admit("a")(Deferred.await(finish)))
      const next = yield* Effect.forkChild(admit("b")(Effect.void))
      yield* settle
      expect(next.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(finish, undefined)
      yield* Effect.forEach([holder, next], Fiber.join)
    }).pipe(Effect.runPromise))

  it("many requests of one caller that come back from an external wait leave the places to other callers", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 4 })
      const [answer, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const work = Effect.andThen(ExternalWait.around(Deferred.await(answer)), Deferred.await(finish))
      const running = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.forkChild(admit("many")(work)).pipe(Effect.tap(() => settle))
      )
      yield* Deferred.succeed(answer, undefined)
      yield* settle
      expect(yield* admit("other")(Effect.succeed("other"))).toBe("other")
      yield* Deferred.succeed(finish, undefined)
      yield* Effect.forEach(running, Fiber.join)
      // All places are free again.
      const all = ["a", "a", "a", "b"].map((caller) => Effect.forkChild(admit(caller)(Effect.never)))
      const holders = yield* Effect.all(all)
      yield* settle
      const waiting = yield* Effect.forkChild(admit("c")(Effect.void))
      yield* settle
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* Fiber.interruptAll(holders)
      yield* Fiber.join(waiting)
    }).pipe(Effect.runPromise))

  it("requests of one caller that wait for an external system leave such waits for other callers (D-LOAD-4)", () =>
    Effect.gen(function* () {
      const admit = make({ maxConcurrent: 1, maxRequests: 4 })
      const answers = yield* Effect.replicateEffect(Deferred.make<void>(), 4)
      const waiting = yield* Effect.forEach(answers, (answer) =>
        Effect.forkChild(admit("hanging")(ExternalWait.around(Deferred.await(answer)))).pipe(Effect.tap(() => settle))
      )
      // Three wait without a place. The fourth keeps the only place, so another caller waits for it.
      const next = yield* Effect.forkChild(admit("other")(Effect.void))
      yield* settle
      expect(next.pollUnsafe()).toBeUndefined()
      const end = (index: number) =>
        Effect.forEach(answers.slice(index, index + 1), (answer) => Deferred.succeed(answer, undefined))
      yield* end(3)
      yield* Fiber.join(next)
      const isFull = Effect.map(ExternalWait.CurrentExternalWait, (external) => external.isFull())
      expect(yield* admit("other")(isFull)).toBe(false)
      expect(yield* admit("hanging")(isFull)).toBe(true)
      yield* end(0)
      yield* settle
      expect(yield* admit("hanging")(isFull)).toBe(false)
      yield* Fiber.interruptAll(waiting)
    }).pipe(Effect.runPromise))

  it("law: in any order of requests no caller exceeds its places, every request ends, and only those above 30 are refused", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ caller: fc.constantFrom("a", "b", "c"), turns: fc.integer({ min: 0, max: 5 }) }), {
          maxLength: 40
        }),
        fc.integer({ min: 1, max: 8 }),
        (requests, maxConcurrent) =>
          Effect.gen(function* () {
            const admit = make({ maxConcurrent, maxRequests: 30 })
            const working = { a: 0, b: 0, c: 0 }
            const max = { ofAll: 0, ofCaller: 0 }
            const request = ({ caller, turns }: (typeof requests)[number]) =>
              Effect.gen(function* () {
                working[caller] += 1
                max.ofCaller = Math.max(max.ofCaller, working[caller])
                max.ofAll = Math.max(max.ofAll, working.a + working.b + working.c)
                for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
                working[caller] -= 1
              }).pipe(admit(caller), Effect.exit)
            const exits = yield* Effect.all(requests.map(request), { concurrency: "unbounded" })
            expect(exits.filter(Exit.isFailure).length).toBe(Math.max(0, requests.length - 30))
            expect(max.ofAll).toBeLessThanOrEqual(maxConcurrent)
            expect(max.ofCaller).toBeLessThanOrEqual(Math.ceil((maxConcurrent * 3) / 4))
            expect(working).toEqual({ a: 0, b: 0, c: 0 })
          }).pipe(Effect.runPromise)
      )
    ))
})
