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
const localStarts = (question: Slots.SlotQuery): ReadonlyArray<string> =>
  slotsOf(question).map(({ start }) => formatOffset(start, question.timeZone).slice(5, 16))

describe("Slots.find", () => {
  it("offers the slots of the opening hours, each as long as asked", () => {
    expect(slotsOf(day)).toEqual([
      { start: at("2026-06-01T09:00"), end: at("2026-06-01T10:00") },
      { start: at("2026-06-01T10:00"), end: at("2026-06-01T11:00") },
      { start: at("2026-06-01T11:00"), end: at("2026-06-01T12:00") }
    ])
  })

  it("leaves out what is busy and starts the grid again behind it (D-AVL-10)", () => {
    const busy = [{ start: at("2026-06-01T09:20"), end: at("2026-06-01T10:10") }]
    expect(localStarts({ ...day, duration: 30, busy })).toEqual(["06-01T10:30", "06-01T11:00", "06-01T11:30"])
  })

  it("offers Monday to Friday nine to five in the default hours", () => {
    const endDate = CalendarDate.make("2026-06-07")
    const starts = localStarts({ ...day, workingHours: defaultHours, endDate })
    expect(starts).toHaveLength(40)
    expect([starts.at(0), starts.at(-1)]).toEqual(["06-01T09:00", "06-05T16:00"])
  })

  it("takes both dates as part of the range (D-AVL-5)", () => {
    const hours = { mon: day.workingHours.mon ?? [], tue: day.workingHours.mon ?? [] }
    const endDate = CalendarDate.make("2026-06-02")
    expect(localStarts({ ...day, workingHours: hours, endDate })).toHaveLength(6)
  })

  it("uses the length of a slot as the interval when there is none", () => {
    expect(slotsOf({ ...day, slotInterval: null })).toEqual(slotsOf({ ...day, slotInterval: 60 }))
  })

  it("cuts a free piece that reaches over midnight where the range starts", () => {
    const allDay = { mon: [["22:00", "24:00"]], tue: [["00:00", "04:00"]] } as const
    const tuesday = CalendarDate.make("2026-06-02")
    const question = { ...day, workingHours: allDay, endDate: tuesday, duration: 180 }
    expect(localStarts(question)).toEqual(["06-01T22:00", "06-02T01:00"])
    expect(localStarts({ ...question, startDate: tuesday })).toEqual(["06-02T00:00"])
  })

  it("keeps the distance from the last slot of the day before, if the range has that day", () => {
    const hours = { mon: [["23:00", "23:30"]], tue: [["00:00", "04:00"]] } as const
    const tuesday = CalendarDate.make("2026-06-02")
    const question = { ...day, workingHours: hours, endDate: tuesday, duration: 30, slotInterval: 120 }
    expect(localStarts(question)).toEqual(["06-01T23:00", "06-02T01:00", "06-02T03:00"])
    expect(localStarts({ ...question, startDate: tuesday })).toEqual(["06-02T00:00", "06-02T02:00"])
  })
})

describe("golden vectors", () => {
  it.each(vectors)("$name", ({ question, starts }) => {
    expect(slotsOf(question).map(({ start }) => start)).toEqual(starts)
  })

  it.each(vectors)("the minute-by-minute model agrees: $name", ({ question, starts }) => {
    expect(slotsModel(question).map(({ start }) => start)).toEqual(starts)
  })

  it.each([
    ["UTC", 0],
    ["America/New_York", 300],
    ["Asia/Kathmandu", -345],
    ["Pacific/Apia", -780],
    ["Australia/Lord_Howe", -660]
  ])("the answer is the same in a process whose zone is %s", (zone, processOffset) => {
    const lines = vectors.map(({ question, starts }) => [
      starts.map((start) => [start, start + question.duration * 60_000, formatOffset(start, question.timeZone)]),
      Result.getOrThrow(parse(`${question.startDate}T02:30`, question.timeZone))
    ])
    const script = fileURLToPath(new URL("printSlots.ts", import.meta.url))
    const printed = execFileSync(process.execPath, [script], { env: { ...process.env, TZ: zone }, encoding: "utf8" })
    expect(JSON.parse(printed)).toEqual({ lines, processOffset })
  })
})

describe("refusals", () => {
  const refused = (changes: Partial<Slots.SlotQuery>) =>
    Result.getOrThrow(Result.flip(Slots.find({ ...day, ...changes })))

  it("a range that ends before it starts is refused", () => {
    expect(refused({ endDate: CalendarDate.make("2026-05-31") })).toMatchObject({
      _tag: "InvalidDateRange",
      startDate: "2026-06-01",
      endDate: "2026-05-31"
    })
  })

  it.each([0, -30, 181, 30.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "a duration of %s minutes is refused",
    (duration) => {
      expect(refused({ duration })).toMatchObject({ _tag: "InvalidDuration", duration })
    }
  )

  it.each([1, 180])("a duration of %s minutes is accepted", (duration) => {
    expect(Result.isSuccess(Slots.find({ ...day, duration }))).toBe(true)
  })

  it.each([0, -1, 1_441, 7.5, Number.NaN])("an interval of %s minutes is refused", (slotInterval) => {
    expect(refused({ slotInterval })).toMatchObject({ _tag: "InvalidSlotInterval", slotInterval })
  })

  it.each([-1, 0.5, Number.NaN])("a buffer of %s minutes is refused", (buffer) => {
    expect(refused({ bufferBefore: buffer })).toMatchObject({ _tag: "InvalidBuffer", buffer })
    expect(refused({ bufferAfter: buffer })).toMatchObject({ _tag: "InvalidBuffer", buffer })
  })

  it.each([
    ["9:00", "17:00"],
    ["17:00", "09:00"],
    ["09:00", "09:00"],
    ["09:00", "25:00"]
  ] as const)("a window from %s to %s is refused", (start, end) => {
    const window = [start, end] as const
    expect(refused({ workingHours: { sun: [window] } })).toMatchObject({ _tag: "InvalidWindow", window })
    expect(refused({ dateOverrides: { [monday]: [window] } })).toMatchObject({ _tag: "InvalidWindow", window })
  })

  it("a date of which there is no busy time, no window and no notice has no slots", () => {
    expect(slotsOf({ ...day, workingHours: {}, timeZone: utc })).toEqual([])
  })
})
