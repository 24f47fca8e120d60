import { describe, expect, it } from "vitest"
import { choiceAt, freeTimesOf } from "../pages/calendar/freeTimes.ts"

const slot = (start: string, end: string) => ({
  start: `2030-03-04T${start}:00Z`,
  end: `2030-03-04T${end}:00Z`,
  duration_minutes: 0
})

const found = (...slots: ReadonlyArray<ReturnType<typeof slot>>) => freeTimesOf(slots, "UTC").get("2030-03-04") ?? []

describe("freeTimesOf", () => {
  it("leaves slots apart that only touch", () => {
    expect(found(slot("09:00", "10:00"), slot("10:00", "11:00")).map(({ height, top }) => [top, height])).toEqual([
      [540, 60],
      [600, 60]
    ])
  })

  it("makes one free time with several starts of slots that overlap", () => {
    const times = found(slot("09:00", "10:00"), slot("09:15", "10:15"), slot("09:30", "10:30"), slot("12:00", "13:00"))
    expect(times.map(({ choices, height, top }) => [top, height, choices.length])).toEqual([
      [540, 90, 3],
      [720, 60, 1]
    ])
  })
})

it("choiceAt returns the last choice that starts by then", () => {
  const [time] = found(slot("09:00", "10:00"), slot("09:30", "10:30"))
  if (time === undefined) throw new Error("There is no free time")
  expect([0, 29, 30, 85].map((minutes) => time.choices.indexOf(choiceAt(time, minutes)))).toEqual([0, 0, 1, 1])
})
