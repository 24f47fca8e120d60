import { describe, expect, it } from "@effect/vitest"
import { isOutOfFunds, minutesNeeded, nextReservationAt, standard } from "@frontdesk/core/call/ReservationPlan"
import { call as arbitraryCall } from "@frontdesk/testing/arbitrary/call"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { money } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

describe("laws of ReservationPlan", () => {
  const talking = fc.record({
    call: arbitraryCall({ pricePerMinute: fc.constant(money(1)) }),
    minutes: fc.integer({ min: 1, max: 70 }),
    talked: fc.integer({ min: 0, max: 4200 })
  })

  it("a call needs one more minute from the time at which its next reservation is due, and not before", () => {
    fc.assert(
      fc.property(talking, ({ call, minutes }) => {
        const running = { ...call, status: "in_progress" as const, startedAt: at(0), reservedMinutes: minutes }
        const due = nextReservationAt(standard, running)
        expect(due).toEqual(at(minutes * 60 - 15))
        expect(minutesNeeded(standard, running, at(minutes * 60 - 15))).toBe(minutes + 1)
        expect(minutesNeeded(standard, running, at(minutes * 60 - 16))).toBe(minutes)
      })
    )
  })

  it("a call that has all the minutes it needs is not out of funds", () => {
    fc.assert(
      fc.property(talking, ({ call, talked }) => {
        const running = { ...call, status: "in_progress" as const, startedAt: at(0) }
        const reservedMinutes = minutesNeeded(standard, running, at(talked))
        expect(reservedMinutes * 60).toBeGreaterThan(talked)
        expect(isOutOfFunds(standard, { ...running, reservedMinutes }, at(talked))).toBe(false)
      })
    )
  })
})
