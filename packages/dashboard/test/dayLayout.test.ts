import { describe, expect, it } from "vitest"
import { byDate, movedTo, placed } from "../pages/calendar/dayLayout.ts"

const newYork = "America/New_York"

describe("byDate", () => {
  const event = (id: number, start: string, end: string) => ({ id, start_time: start, end_time: end })

  it("cuts an event at midnight of the zone", () => {
    const days = byDate([event(1, "2026-11-28T04:00:00Z", "2026-11-28T06:00:00Z")], newYork)
    expect(days.get("2026-11-27")).toMatchObject([{ top: 1_380, bottom: 1_440, isStart: true }])
    expect(days.get("2026-11-28")).toMatchObject([{ top: 0, bottom: 60, isStart: false }])
  })

  it("leaves out the date at whose midnight an event ends", () => {
    const days = byDate([event(1, "2026-11-28T04:00:00Z", "2026-11-28T05:00:00Z")], newYork)
    expect([...days.keys()]).toEqual(["2026-11-27"])
  })

  it("gives an event its length when the clock is set back during it", () => {
    const days = byDate([event(1, "2026-11-01T05:30:00Z", "2026-11-01T06:15:00Z")], newYork)
    expect(days.get("2026-11-01")).toMatchObject([{ top: 90, bottom: 135 }])
  })
})

describe("placed", () => {
  it("puts only segments that overlap beside each other", () => {
    const segment = (top: number, bottom: number) => ({ event: null, top, bottom, isStart: true, isEnd: true })
    const lanes = placed([segment(0, 60), segment(30, 90), segment(60, 75), segment(90, 120)])
    expect(lanes.map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 2],
      [1, 2],
      [0, 2],
      [0, 1]
    ])
  })
})

describe("movedTo", () => {
  const at = (text: string) => Date.parse(text)
  const event = { id: 1, start_time: "2026-10-30T14:00:00Z", end_time: "2026-10-30T15:00:00Z" }

  it("keeps the time of day and the length when the clock is changed in between", () => {
    expect(movedTo(event, "2026-11-02", 600, newYork)).toEqual({
      start: at("2026-11-02T15:00:00Z"),
      end: at("2026-11-02T16:00:00Z")
    })
  })

  it("moves an event that is put at a time that the clock leaves out to the time after it", () => {
    expect(movedTo(event, "2026-03-08", 150, newYork)).toEqual({
      start: at("2026-03-08T07:30:00Z"),
      end: at("2026-03-08T08:30:00Z")
    })
  })

  it("does not move an event that is dropped where it was, also in the second of two equal hours", () => {
    const second = { id: 1, start_time: "2026-11-01T06:30:00Z", end_time: "2026-11-01T07:00:00Z" }
    expect(movedTo(second, "2026-11-01", 90, newYork)).toEqual({
      start: at("2026-11-01T06:30:00Z"),
      end: at("2026-11-01T07:00:00Z")
    })
  })
})
