import { describe, expect, it } from "@effect/vitest"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as DateRange from "@frontdesk/core/values/DateRange"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

const range = (startDate?: string, endDate?: string): DateRange.DateRange => ({
  startDate: startDate === undefined ? undefined : CalendarDate.make(startDate),
  endDate: endDate === undefined ? undefined : CalendarDate.make(endDate)
})

describe("DateRange", () => {
  it.effect("requireOrder fails with end_date when the last day is before the first (D-HTTP-20)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(DateRange.requireOrder(range("2026-03-02", "2026-03-01")))
      expect(error).toMatchObject({ parameter: "end_date", message: "end_date is before start_date" })
    })
  )

  it.effect("requireOrder accepts a range of one day, one with only one date, and one without dates", () =>
    Effect.gen(function* () {
      for (const each of [range("2026-03-01", "2026-03-01"), range("2026-03-01"), range(undefined, "2026-03-01"), {}]) {
        yield* DateRange.requireOrder(each)
      }
    })
  )

  it("bounds returns the start of the first day and the end of the last day in the time zone", () => {
    // On this date the clocks of New York go forward, so it has 23 hours.
    const { from, until } = DateRange.bounds(range("2026-03-08", "2026-03-08"), TimeZone.make("America/New_York"))
    expect([from, until].map((instant) => instant && DateTime.formatIso(instant))).toEqual([
      "2026-03-08T05:00:00.000Z",
      "2026-03-09T04:00:00.000Z"
    ])
  })

  it("bounds returns undefined for a date that is absent", () => {
    expect(DateRange.bounds({}, TimeZone.make("UTC"))).toEqual({ from: undefined, until: undefined })
  })
})
