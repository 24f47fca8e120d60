import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Result from "effect/Result"
import { slotsModel } from "@frontdesk/testing/model/slotsModel"
import { describe, expect, it } from "vitest"
import * as Slots from "@frontdesk/core/availability/Slots"
import { defaultHours } from "@frontdesk/core/values/WorkingHours"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { formatOffset, TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import { parse } from "@frontdesk/core/values/WallTime"
import { slotsOf, vectors } from "./vectors.ts"

const newYork = TimeZone.make("America/New_York")
const monday = CalendarDate.make("2026-06-01")
const at = (text: string): number => Result.getOrThrow(parse(text, newYork))

const day: Slots.SlotQuery = {
  timeZone: newYork,
  workingHours: { mon: [["09:00", "12:00"]] },
  startDate: monday,
  endDate: monday,
  duration: 60
}
const localStarts = (query: Slots.SlotQuery): ReadonlyArray<string> =>
  slotsOf(query).map(({ start }) => formatOffset(start, query.timeZone).slice(5, 16))

describe("Slots.find", () => {
  it("find returns slots of the given duration within the working hours (C-4.6-12)", () => {
    expect(slotsOf(day)).toEqual([
      { start: at("2026-06-01T09:00"), end: at("2026-06-01T10:00") },
      { start: at("2026-06-01T10:00"), end: at("2026-06-01T11:00") },
      { start: at("2026-06-01T11:00"), end: at("2026-06-01T12:00") }
    ])
  })

  it("find avoids busy intervals, and starts the grid again after each of them (D-AVL-10)", () => {
    const busy = [{ start: at("2026-06-01T09:20"), end: at("2026-06-01T10:10") }]
    expect(localStarts({ ...day, duration: 30, busy })).toEqual(["06-01T10:30", "06-01T11:00", "06-01T11:30"])
  })

  it("find returns slots from Monday to Friday 09:00 to 17:00 for the default hours", () => {
    const endDate = CalendarDate.make("2026-06-07")
    const starts = localStarts({ ...day, workingHours: defaultHours, endDate })
    expect(starts).toHaveLength(40)
    expect([starts.at(0), starts.at(-1)]).toEqual(["06-01T09:00", "06-05T16:00"])
  })

  it("a date without windows has no slots", () => {
    expect(slotsOf({ ...day, workingHours: {}, timeZone: utc })).toEqual([])
  })

  it("the range includes both dates (D-AVL-5)", () => {
    const hours = { mon: day.workingHours.mon ?? [], tue: day.workingHours.mon ?? [] }
    const endDate = CalendarDate.make("2026-06-02")
    expect(localStarts({ ...day, workingHours: hours, endDate })).toHaveLength(6)
  })

  it("the slot interval is the duration by default", () => {
    expect(slotsOf({ ...day, slotInterval: null })).toEqual(slotsOf({ ...day, slotInterval: 60 }))
  })

  it("a free piece across midnight is cut at the start of the range", () => {
    const night = { mon: [["22:00", "24:00"]], tue: [["00:00", "04:00"]] } as const
    const tuesday = CalendarDate.make("2026-06-02")
    const query = { ...day, workingHours: night, endDate: tuesday, duration: 180 }
    expect(localStarts(query)).toEqual(["06-01T22:00", "06-02T01:00"])
    expect(localStarts({ ...query, startDate: tuesday })).toEqual(["06-02T00:00"])
  })

  it("the slot interval also counts from the last slot of the day before, when the range includes that day", () => {
    const hours = { mon: [["23:00", "23:30"]], tue: [["00:00", "04:00"]] } as const
    const tuesday = CalendarDate.make("2026-06-02")
    const query = { ...day, workingHours: hours, endDate: tuesday, duration: 30, slotInterval: 120 }
    expect(localStarts(query)).toEqual(["06-01T23:00", "06-02T01:00", "06-02T03:00"])
    expect(localStarts({ ...query, startDate: tuesday })).toEqual(["06-02T00:00", "06-02T02:00"])
  })
})

describe("Slots.search", () => {
  const week = { ...day, endDate: CalendarDate.make("2026-06-07"), duration: 1 }
  const allDay = [["00:00", "24:00"]] as const
  const open = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }
  const stepsOf = (query: Slots.SlotQuery) => [...Result.getOrThrow(Slots.search(query))]

  it("each step but the last has a thousand slots when nothing is busy", () => {
    const steps = stepsOf({ ...week, workingHours: open })
    expect(steps.map((step) => step.length)).toEqual([...Array.from({ length: 10 }, () => 1_000), 80])
  })

  it("busy intervals count towards a step too, and each slot is in one step", () => {
    const start = at("2026-06-01T00:00")
    const busy = Array.from({ length: 2_500 }, () => ({ start, end: start + 23 * 3_600_000 }))
    const query = { ...day, workingHours: open, busy, duration: 30 }
    expect(stepsOf(query).map((step) => step.length)).toEqual([0, 0, 2])
    const before = { ...query, busy: busy.map(({ end }) => ({ start: end, end: end + 1 })) }
    expect(stepsOf(before).flat()).toEqual(slotsOf(before))
    expect(stepsOf(before)).toHaveLength(3)
  })
})

describe("Slots.find with the stored vectors", () => {
  it.each(vectors)("find returns the stored starts: $name", ({ query, starts }) => {
    expect(slotsOf(query).map(({ start }) => start)).toEqual(starts)
  })

  it.each(vectors)("the minute-by-minute model returns the stored starts: $name", ({ query, starts }) => {
    expect(slotsModel(query).map(({ start }) => start)).toEqual(starts)
  })

  it.each([
    ["UTC", 0],
    ["America/New_York", 300],
    ["Asia/Kathmandu", -345],
    ["Pacific/Apia", -780],
    ["Australia/Lord_Howe", -660]
  ])("the slots are the same in a process whose time zone is %s", (zone, processOffset) => {
    const lines = vectors.map(({ query, starts }) => [
      starts.map((start) => [start, start + query.duration * 60_000, formatOffset(start, query.timeZone)]),
      Result.getOrThrow(parse(`${query.startDate}T02:30`, query.timeZone))
    ])
    const script = fileURLToPath(new URL("printSlots.ts", import.meta.url))
    const printed = execFileSync(process.execPath, [script], { env: { ...process.env, TZ: zone }, encoding: "utf8" })
    expect(JSON.parse(printed)).toEqual({ lines, processOffset })
  })
})

describe("Slots.find with an invalid query", () => {
  const errorOf = (changes: Partial<Slots.SlotQuery>) =>
    Result.getOrThrow(Result.flip(Slots.find({ ...day, ...changes })))

  it("a range that ends before it starts fails with InvalidDateRange", () => {
    expect(errorOf({ endDate: CalendarDate.make("2026-05-31") })).toMatchObject({
      _tag: "InvalidDateRange",
      startDate: "2026-06-01",
      endDate: "2026-05-31"
    })
  })

  it.each([0, -30, 181, 30.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "a duration of %s minutes fails with InvalidDuration",
    (duration) => {
      expect(errorOf({ duration })).toMatchObject({ _tag: "InvalidDuration", duration })
    }
  )

  it.each([1, 180])("a duration of %s minutes is accepted", (duration) => {
    expect(Result.isSuccess(Slots.find({ ...day, duration }))).toBe(true)
  })

  it.each([0, -1, 1_441, 7.5, Number.NaN])(
    "a slot interval of %s minutes fails with InvalidSlotInterval",
    (slotInterval) => {
      expect(errorOf({ slotInterval })).toMatchObject({ _tag: "InvalidSlotInterval", slotInterval })
    }
  )

  it.each([-1, 0.5, Number.NaN])("a buffer of %s minutes fails with InvalidBuffer", (buffer) => {
    expect(errorOf({ bufferBefore: buffer })).toMatchObject({ _tag: "InvalidBuffer", buffer })
    expect(errorOf({ bufferAfter: buffer })).toMatchObject({ _tag: "InvalidBuffer", buffer })
  })

  it.each([
    ["9:00", "17:00"],
    ["17:00", "09:00"],
    ["09:00", "09:00"],
    ["09:00", "25:00"]
  ] as const)("a window from %s to %s fails with InvalidWindow", (start, end) => {
    const window = [start, end] as const
    expect(errorOf({ workingHours: { sun: [window] } })).toMatchObject({ _tag: "InvalidWindow", window })
    expect(errorOf({ dateOverrides: { [monday]: [window] } })).toMatchObject({ _tag: "InvalidWindow", window })
  })
})
