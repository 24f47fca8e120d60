import { describe, expect, it } from "@effect/vitest"
import { gridMinutes, makeGrid } from "@frontdesk/core/availability/Grid"
import { TimeZone } from "@frontdesk/core/values/TimeZone"

describe("Grid", () => {
  it.each([
    [1, 1],
    [5, 5],
    [7, 1],
    [10, 10],
    [15, 15],
    [20, 20],
    [25, 5],
    [30, 30],
    [45, 15],
    [50, 10],
    [60, 60],
    [90, 30],
    [120, 60],
    [1_440, 60]
  ])("the grid of an interval of %i minutes has %i minutes (D-AVL-10)", (interval, minutes) => {
    expect(gridMinutes(interval)).toBe(minutes)
  })

  it("instants are rounded up by the offset of their own time, in any order", () => {
    // Lord Howe is 10:30 ahead of UTC in winter and 11:00 in summer.
    const roundUp = makeGrid(60, TimeZone.make("Australia/Lord_Howe"))
    const [winter, summer] = [Date.parse("2026-06-01T00:00Z"), Date.parse("2026-12-01T00:00Z")]
    expect([winter, summer, winter, summer + 1].map((instant) => roundUp(instant))).toEqual([
      Date.parse("2026-06-01T00:30Z"),
      summer,
      Date.parse("2026-06-01T00:30Z"),
      Date.parse("2026-12-01T01:00Z")
    ])
  })
})
