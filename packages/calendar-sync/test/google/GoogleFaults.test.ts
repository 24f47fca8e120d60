import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { CurrentRequestLimits } from "../../src/request/Exchange.ts"
import { newEvent } from "../fake/Events.ts"
import type { Fault } from "../fake/FakeServer.ts"
import { type FaultCase, faultsOfAll, isCreate, testFaults } from "../fake/Faults.ts"
import { problem } from "../fake/Google.ts"
import { openCalendar } from "./openCalendar.ts"

const answer = (status: number, reason: string, headers: Record<string, string> = {}): Fault => ({
  kind: "answer",
  reply: { ...problem(status, reason), headers }
})

const faults: ReadonlyArray<FaultCase> = [
  ["403 rateLimitExceeded", answer(403, "rateLimitExceeded"), { reason: "rate_limited", retryAfterMillis: null }],
  ["403 userRateLimitExceeded", answer(403, "userRateLimitExceeded"), { reason: "rate_limited" }],
  ["403 quotaExceeded", answer(403, "quotaExceeded"), { reason: "rate_limited" }],
  ["403 accessNotConfigured", answer(403, "accessNotConfigured"), { reason: "transport" }],
  ["403 insufficientPermissions", answer(403, "insufficientPermissions"), { reason: "unauthorized" }],
  [
    "429",
    answer(429, "rateLimitExceeded", { "retry-after": "7" }),
    { reason: "rate_limited", retryAfterMillis: 7_000 }
  ],
  ["400", answer(400, "invalid"), { reason: "invalid", isRetryable: false }],
  ["503", answer(503, "backendError", { "retry-after": "3" }), { reason: "transport", retryAfterMillis: 3_000 }],
  ...faultsOfAll(302)
]

describe("faults of Google Calendar", () => {
  testFaults(openCalendar, ({ google }) => google.events.size, faults)

  it.effect("a write without an answer fails after the timeout, and a write with a too large answer at once", () =>
    Effect.gen(function* () {
      const { google, server, write } = yield* openCalendar
      const event = newEvent()
      const timeout = Duration.seconds(10)
      const limited = write(event).pipe(Effect.provideService(CurrentRequestLimits, { timeout, maxBytes: 10_000 }))
      const received = yield* Deferred.make<void>()
      const run = Effect.runForkWith(yield* Effect.context())
      server.fail({ kind: "silent" }, (request) => {
        if (isCreate(request)) run(Deferred.succeed(received, undefined))
        return isCreate(request)
      })
      const waiting = yield* Effect.forkChild(Effect.flip(limited))
      yield* Deferred.await(received)
      yield* TestClock.adjust(timeout)
      expect(yield* Fiber.join(waiting)).toMatchObject({ reason: "transport" })
      // The fake has created the event. Without it, the next write creates it again.
      google.events.clear()
      server.fail({ kind: "garbled", body: "x".repeat(20_000) }, isCreate)
      expect(yield* Effect.flip(limited)).toMatchObject({ reason: "invalid" })
      yield* limited
      expect(google.events.size).toBe(1)
    })
  )

  it.effect("a check returns whether the calendar can be written and its busy times read, and writes nothing", () =>
    Effect.gen(function* () {
      const { calendar, google, server } = yield* openCalendar
      expect(yield* calendar.check).toEqual({ isUsable: true, says: '"Work" can be read and written' })
      google.calendar = { ...google.calendar, accessRole: "reader" }
      expect(yield* calendar.check).toMatchObject({ isUsable: false })
      server.fail(answer(403, "insufficientPermissions"), ({ url }) => url.pathname.endsWith("/freeBusy"))
      expect(yield* Effect.flip(calendar.check)).toMatchObject({ reason: "unauthorized" })
      google.calendar = { ...google.calendar, id: "other@example.com" }
      expect(yield* Effect.flip(calendar.check)).toMatchObject({ reason: "gone" })
      expect(google.events.size).toBe(0)
    })
  )
})
