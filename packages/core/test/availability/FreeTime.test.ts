import { isFree, maxDates, type OfferRules, withBuffers } from "@frontdesk/core/availability/FreeTime"
import type { SlotQuery } from "@frontdesk/core/availability/Slots"
import { type Interval, union } from "@frontdesk/core/values/Interval"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { slotsOf } from "./vectors.ts"

const minute = 60_000

const rulesOf = (query: SlotQuery): OfferRules => ({
  timeZone: query.timeZone,
  workingHours: query.workingHours,
  dateOverrides: query.dateOverrides,
  bufferBefore: query.bufferBefore ?? 0,
  bufferAfter: query.bufferAfter ?? 0,
  notBefore: query.notBefore ?? Number.NEGATIVE_INFINITY
})

const isFreeIn = (query: SlotQuery, time: Interval): boolean =>
  Result.getOrThrow(isFree(time, query.busy ?? [], rulesOf(query)))

describe("isFree", () => {
  it("law: every slot that Slots.find offers is free (D-CAL-11)", () => {
    fc.assert(
      fc.property(arbitrary.question(), (query) => {
        for (const slot of slotsOf(query)) expect(isFreeIn(query, slot)).toBe(true)
      }),
      { numRuns: 300 }
    )
  })

  it("law: a time is free exactly if one-minute slots without a gap cover it, within the dates of the query", () => {
    fc.assert(
      fc.property(arbitrary.question(), fc.nat(), fc.integer({ min: 1, max: 400 }), (query, seed, length) => {
        const free = union(slotsOf({ ...query, duration: 1, slotInterval: 1 }))
        const [first, last] = [free[0], free.at(-1)]
        if (first === undefined || last === undefined) return
        const offset = (seed % ((last.end - first.start) / minute)) * minute
        const time = { start: first.start + offset, end: first.start + offset + length * minute }
        if (time.end > last.end) return
        const isCovered = free.some(({ end, start }) => start <= time.start && time.end <= end)
        expect(isFreeIn(query, time)).toBe(isCovered)
      }),
      { numRuns: 300 }
    )
  })

  const always: OfferRules = {
    timeZone: TimeZone.make("UTC"),
    workingHours: Object.fromEntries(
      ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => [day, [["00:00", "24:00"] as const]])
    ),
    bufferBefore: 0,
    bufferAfter: 0,
    notBefore: 0
  }
  const day = 86_400_000

  it("a time without a pause is free on at most 62 local dates", () => {
    expect(isFree({ start: day, end: day + maxDates * day }, [], always)).toEqual(Result.succeed(true))
    expect(isFree({ start: day, end: day + maxDates * day + 1 }, [], always)).toEqual(Result.succeed(false))
  })

  it("an empty busy interval takes no time, and a time may touch a busy one", () => {
    const time = { start: day, end: day + minute }
    const touching = [
      { start: 0, end: time.start },
      { start: time.end, end: time.end + minute },
      { start: day + 1, end: day + 1 }
    ]
    expect(isFree(time, touching, always)).toEqual(Result.succeed(true))
    expect(isFree(time, touching, { ...always, bufferAfter: 1 })).toEqual(Result.succeed(false))
    expect(isFree(time, touching, { ...always, bufferBefore: 1 })).toEqual(Result.succeed(false))
    expect(withBuffers(time, { bufferBefore: 2, bufferAfter: 1 })).toEqual({
      start: time.start - minute,
      end: time.end + 2 * minute
    })
  })

  it("a window that does not end after it starts is an error", () => {
    const wrong = { ...always, workingHours: { fri: [["12:00", "09:00"] as const] } }
    expect(Result.isFailure(isFree({ start: day, end: day + minute }, [], wrong))).toBe(true)
  })
})
