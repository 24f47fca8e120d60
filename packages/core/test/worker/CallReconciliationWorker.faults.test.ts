import { describe, expect, it } from "@effect/vitest"
import { CallProvider, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { FakeCallProvider, providerCallId, refusing } from "@frontdesk/testing/fake/FakeCallProvider"
import { newCall } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, services, stored } from "../call/caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const end: ProviderReport = { _tag: "Ended", status: "completed", answeredAt: at(2), endedAt: at(12), reason: "done" }

const run = Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run))

/** Returns how often the worker has called `fetch` of the `FakeCallProvider`. */
const fetches = Effect.flatMap(FakeCallProvider, (fake) => Effect.map(fake.fetched, (refs) => refs.length))

/**
 * Returns whether a claim is the first of a round, which asks for as many calls as the worker may reconcile at once.
 * Each further claim of a round asks for one call.
 */
const isFirstOfRound = (limit: number): boolean => limit > 1

/** The round in which the storage fails. */
const failingRound = 2

/** The last round that may end. A worker without a pause between rounds would otherwise run for ever. */
const lastRound = 5

describe("CallReconciliationWorker with failures", () => {
  it.effect("a round in which the storage fails is repeated after the pause", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* CallStore
      const due = { reconcileAt: at(0), createdAt: at(0), updatedAt: at(0) }
      yield* Effect.forEach(Array.from({ length: 10 }), () =>
        calls.insert(newCall(caller.account.id, caller.agent, due))
      )
      let rounds = 0
      const broken = CallStore.of({
        ...calls,
        claim: (work, now, leaseUntil, limit) =>
          Effect.suspend(() => {
            if (isFirstOfRound(limit)) rounds += 1
            if (rounds === failingRound) return Effect.die("a bug of the storage")
            return rounds > lastRound ? Effect.never : calls.claim(work, now, leaseUntil, limit)
          }),
        update: () => Effect.fail(new StorageError({ reason: "unavailable", operation: "test", cause: "read-only" }))
      })
      yield* run.pipe(
        Effect.provide(
          Layer.fresh(CallReconciliationWorker.layer).pipe(Layer.provide(Layer.succeed(CallStore, broken)))
        )
      )
      yield* TestClock.adjust("10 millis")
      expect(rounds).toBe(1)
      yield* TestClock.adjust("1 second")
      expect(rounds).toBe(2)
      yield* TestClock.adjust("1 second")
      expect(rounds).toBe(3)
    }).pipe(Effect.provide(services))
  )

  it.effect("calls that cannot be changed do not block the others, even when they fill a claim", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* CallStore
      const due = { reconcileAt: at(0), createdAt: at(0), updatedAt: at(0) }
      const stuck = yield* Effect.forEach(Array.from({ length: 150 }), () =>
        calls.insert(newCall(caller.account.id, caller.agent, due))
      )
      const last = yield* calls.insert(newCall(caller.account.id, caller.agent, { ...due, reconcileAt: at(1) }))
      const ids = new Set(stuck.map(({ id }) => id))
      const broken = CallStore.of({
        ...calls,
        update: (call) => (ids.has(call.id) ? Effect.die("a row that cannot be written") : calls.update(call))
      })
      yield* TestClock.adjust("1 minute")
      const asked = yield* Effect.flatMap(CallReconciliationWorker, (reconciler) => reconciler.runOnce).pipe(
        Effect.provide(
          Layer.fresh(CallReconciliationWorker.layer).pipe(Layer.provide(Layer.succeed(CallStore, broken)))
        )
      )
      expect(asked).toBe(1)
      expect((yield* stored(last)).reconcileCount).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a fetch that hangs ends after its timeout (D-CALL-32)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const hangs = { ...refusing, fetch: () => Effect.never }
      const { call } = yield* caller.start()
      yield* TestClock.adjust("15 seconds")
      const fiber = yield* Effect.flatMap(CallReconciliationWorker, (reconciler) => reconciler.runOnce).pipe(
        Effect.provide(
          Layer.fresh(CallReconciliationWorker.layer).pipe(Layer.provide(Layer.succeed(CallProvider, hangs)))
        ),
        Effect.forkChild
      )
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fiber)).toBe(1)
      expect((yield* stored(call)).status).toBe("queued")
      // The provider that hangs took the fetch.
      expect(yield* fetches).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("a fetch that hangs does not block a call that becomes due meanwhile", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* fake.fetchWith((ref) =>
        ref === call.callId ? Effect.never : { _tag: "Known", providerCallId: providerCallId(ref), reports: [end] }
      )
      yield* run
      yield* TestClock.adjust("5 seconds")
      const later = yield* caller.start()
      yield* TestClock.adjust("16 seconds")
      expect(yield* fake.fetched).toEqual([call.callId, later.call.callId])
      expect((yield* stored(later.call)).status).toBe("completed")
    }).pipe(Effect.provide(services))
  )

  it.effect("a fetch that dies does not stop the worker", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* fake.fetchWith(() => {
        throw new Error("a bug of the adapter")
      })
      yield* run
      yield* TestClock.adjust("20 seconds")
      yield* fake.fetchWith((ref) => ({ _tag: "Known", providerCallId: providerCallId(ref), reports: [end] }))
      yield* TestClock.adjust("1 minute")
      expect((yield* stored(call)).status).toBe("completed")
    }).pipe(Effect.provide(services))
  )
})
