import { describe, expect, it } from "@effect/vitest"
import type { KnownCall } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, report, services, stored } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1_000)

const hangUp = (id: string) => Effect.flatMap(Calls, (calls) => calls.hangUp(id))

const hungUp = Effect.flatMap(FakeCallProvider, (fake) => fake.hungUp)

const answerWith = (...[answer]: Parameters<FakeCallProvider["Service"]["hangUpWith"]>) =>
  Effect.flatMap(FakeCallProvider, (fake) => fake.hangUpWith(answer))

describe("Calls.hangUp", () => {
  it.effect("asks the provider once, with every known id, and the call runs until its end is reported (D-PROV-1)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(0) })
      const asked: Array<KnownCall> = []
      yield* answerWith((known) => {
        asked.push(known)
        return { _tag: "Ended" }
      })
      const hung = yield* hangUp(call.callId).pipe(caller.as)
      expect(hung).toMatchObject({ outcome: "ends", call: { id: call.id, status: "in_progress", endedAt: null } })
      expect(asked).toEqual([
        {
          ref: call.callId,
          providerCallId: providerCallId(call.callId),
          to: call.phoneNumber,
          createdAt: call.createdAt
        }
      ])
      yield* report(call, { _tag: "Ended", status: "completed", answeredAt: at(0), endedAt: at(9), reason: "hung up" })
      expect(yield* stored(call)).toMatchObject({ status: "completed", endedReason: "hung up" })
    }).pipe(Effect.provide(services))
  )

  it.effect("finds a call by its database id too", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      expect((yield* hangUp(String(call.id)).pipe(caller.as)).call.callId).toBe(call.callId)
      expect(yield* hungUp).toEqual([call.callId])
    }).pipe(Effect.provide(services))
  )

  it.effect("fails with CallNotFound for a call that the caller cannot see, and does not end it", () =>
    Effect.gen(function* () {
      const [caller, other] = [yield* makeCaller(), yield* makeCaller()]
      const { call } = yield* caller.start()
      expect(yield* Effect.flip(hangUp(call.callId).pipe(other.as))).toMatchObject({ _tag: "CallNotFound" })
      expect(yield* Effect.flip(hangUp("999").pipe(caller.as))).toMatchObject({ _tag: "CallNotFound", call: "999" })
      expect(yield* hungUp).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("does not ask the provider about a call that has ended, and returns it (D-PROV-1)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(1), reason: "busy" })
      const ended = yield* stored(call)
      expect(yield* hangUp(call.callId).pipe(caller.as)).toEqual({ outcome: "had_ended", call: ended })
      expect(yield* hungUp).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("makes the call due for reconciliation at once when the provider says that it had ended before", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const reconciler = yield* CallReconciliationWorker
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(0) })
      yield* answerWith(() => ({ _tag: "AlreadyOver" }))
      const hung = yield* hangUp(call.callId).pipe(caller.as)
      expect(hung).toMatchObject({ outcome: "had_ended", call: { status: "in_progress" } })
      yield* (yield* FakeCallProvider).fetchWith((ref) => ({
        _tag: "Known",
        providerCallId: providerCallId(ref),
        reports: [{ _tag: "Ended", status: "completed", answeredAt: at(0), endedAt: at(5), reason: "customer left" }]
      }))
      expect(yield* reconciler.runOnce).toBe(1)
      expect(yield* stored(call)).toMatchObject({ status: "completed", endedReason: "customer left" })
    }).pipe(Effect.provide(services))
  )

  it.effect("a hang-up makes the call due for reconciliation after 15 seconds", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const reconciler = yield* CallReconciliationWorker
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(0) })
      yield* (yield* FakeCallProvider).fetchWith((ref) => ({
        _tag: "Known",
        providerCallId: providerCallId(ref),
        reports: []
      }))
      // After four questions without news the next one would be due only after 2 minutes.
      for (let round = 0; round < 4; round++) {
        yield* TestClock.adjust("2 minutes")
        yield* reconciler.runOnce
      }
      yield* hangUp(call.callId).pipe(caller.as)
      yield* TestClock.adjust("14 seconds")
      expect(yield* reconciler.runOnce).toBe(0)
      yield* TestClock.adjust("1 second")
      expect(yield* reconciler.runOnce).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect.each(["no route", "unknown call", "a defect", "no answer"])(
    "fails with CallNotHungUp, and leaves the call as it is, when asking the provider ends with: %s",
    (kind) =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const { call } = yield* caller.start()
        yield* report(call, { _tag: "Answered", at: at(0) })
        const before = yield* stored(call)
        yield* answerWith(() =>
          kind === "a defect"
            ? Effect.die("broken")
            : kind === "no answer"
              ? Effect.never
              : { _tag: "Unknown", cause: kind }
        )
        const asking = yield* Effect.forkChild(Effect.flip(hangUp(call.callId).pipe(caller.as)))
        yield* TestClock.adjust("30 seconds")
        expect(yield* Fiber.join(asking)).toMatchObject({ _tag: "CallNotHungUp", callId: call.callId })
        expect(yield* stored(call)).toEqual(before)
        yield* answerWith(() => ({ _tag: "Ended" }))
        expect((yield* hangUp(call.callId).pipe(caller.as)).outcome).toBe("ends")
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "fails with CallNotHungUp when the start was not answered and the provider does not know the call, because the start may still reach the provider",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        yield* (yield* FakeCallProvider).answerWith(() => ({ _tag: "Unknown", cause: "lost" }))
        const { call } = yield* caller.start()
        yield* answerWith(({ providerCallId }) =>
          providerCallId === null ? { _tag: "Unknown", cause: "no such call" } : { _tag: "Ended" }
        )
        expect(yield* Effect.flip(hangUp(call.callId).pipe(caller.as))).toMatchObject({
          _tag: "CallNotHungUp",
          cause: "no such call"
        })
        expect(yield* stored(call)).toMatchObject({ status: "queued", submission: "unknown" })
        // After the provider has reported about the call, it can be hung up.
        yield* report(call, { _tag: "Ringing" })
        expect((yield* hangUp(call.callId).pipe(caller.as)).outcome).toBe("ends")
      }).pipe(Effect.provide(services))
  )

  it.effect("keeps an end that is reported while the provider is being asked", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const { call } = yield* caller.start()
      yield* answerWith(() =>
        calls
          .applyReport({
            providerCallId: providerCallId(call.callId),
            ref: call.callId,
            report: { _tag: "Ended", status: "no_answer", answeredAt: null, endedAt: at(0), reason: "no answer" }
          })
          .pipe(Effect.orDie, Effect.as({ _tag: "AlreadyOver" }))
      )
      const { call: hung } = yield* hangUp(call.callId).pipe(caller.as)
      expect(hung).toMatchObject({ status: "no_answer" })
      expect(yield* stored(call)).toEqual(hung)
    }).pipe(Effect.provide(services))
  )
})
