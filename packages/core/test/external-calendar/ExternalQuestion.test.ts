import { describe, expect, it } from "@effect/vitest"
import * as ExternalQuestion from "@frontdesk/core/external-calendar/ExternalQuestion"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"

const unreachable = { isUsable: false, says: "transport: the external calendar cannot be reached" }

describe("checkWithin", () => {
  it.effect("returns the same for every server that cannot be reached, whatever the reason is (D-EXT-22)", () =>
    Effect.gen(function* () {
      for (const reason of ["ENOTFOUND internal.example", "ADDRESS_REFUSED", "certificate of intranet.example"]) {
        const check = Effect.succeed({ isUsable: false, says: `transport: ${reason}` })
        expect(yield* ExternalQuestion.checkWithin(check)).toEqual(unreachable)
      }
      const hanging = yield* Effect.forkChild(ExternalQuestion.checkWithin(Effect.never))
      yield* TestClock.adjust(ExternalQuestion.timeout)
      expect(yield* Fiber.join(hanging)).toEqual(unreachable)
    })
  )

  it.effect("returns what the provider says of a calendar that can be used, or that it refuses", () =>
    Effect.gen(function* () {
      for (const check of [
        { isUsable: true, says: "the calendar Work" },
        { isUsable: false, says: "unauthorized: the password is wrong" }
      ]) {
        expect(yield* ExternalQuestion.checkWithin(Effect.succeed(check))).toEqual(check)
      }
    })
  )
})
