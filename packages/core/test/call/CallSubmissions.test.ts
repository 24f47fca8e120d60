import { describe, expect, it } from "@effect/vitest"
import { Calls } from "@frontdesk/core/call/Calls"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, services } from "./caller.ts"

describe("CallSubmissions.submit in a process that was paused after the commit of the call", () => {
  /** Starts a call whose process is paused for this time right after the call is committed. */
  const pausedFor = Effect.fnUntraced(function* (seconds: number) {
    const caller = yield* makeCaller({ price: 1, deposit: 10 })
    const calls = yield* Calls
    const pause = () => TestClock.adjust(Duration.seconds(seconds))
    const result = yield* Effect.result(calls.start(caller.input(), pause)).pipe(caller.as)
    const asked = (yield* (yield* FakeCallProvider).requests).length
    return { asked, reservations: (yield* caller.funds).reservations, isStarted: Result.isSuccess(result) }
  })

  it.effect("asks the provider when less than 90 seconds have passed", () =>
    Effect.gen(function* () {
      expect(yield* pausedFor(89)).toEqual({ asked: 1, reservations: money(1), isStarted: true })
    }).pipe(Effect.provide(services))
  )

  it.effect("does not ask the provider when 90 seconds have passed, because the call may be given up (D-CALL-35)", () =>
    Effect.gen(function* () {
      expect(yield* pausedFor(90)).toEqual({ asked: 0, reservations: money(0), isStarted: false })
    }).pipe(Effect.provide(services))
  )
})
