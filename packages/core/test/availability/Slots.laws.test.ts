import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import { slotsModel } from "@frontdesk/testing/model/slotsModel"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Interval, ordered, union } from "@frontdesk/core/values/Interval"
import { type SlotQuery, search, type Slot, stepSize } from "@frontdesk/core/availability/Slots"
import { gridMinutes } from "@frontdesk/core/availability/Grid"
import { addDays, daysBetween, toDayNumber } from "@frontdesk/core/values/CalendarDate"
import { dateAt, startOfDate, startOfDay, toWall } from "@frontdesk/core/values/TimeZone"
import { slotsOf } from "./vectors.ts"

const minute = 60_000

/** A law over questions, with their slots; most lie on days when clocks change. */
const law = (check: (question: SlotQuery, slots: ReadonlyArray<Slot>) => void, numRuns = 300): void =>
  fc.assert(
    fc.property(arbitrary.question(), (question) => {
      check(question, slotsOf(question))
    }),
    { numRuns }
  )

const widened = (question: SlotQuery): ReadonlyArray<Interval> =>
  (question.busy ?? [])
    .filter(({ end, start }) => start < end)
    .map(({ end, start }) => ({
      start: start - (question.bufferBefore ?? 0) * minute,
      end: end + (question.bufferAfter ?? 0) * minute
    }))

const meets = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end

describe("laws of Slots.find", () => {
  it("slots are those of the minute-by-minute model, in odd zones on days when clocks change", () => {
    law((question, slots) => expect(slots).toEqual(slotsModel(question)), 120)
  })

  it("the steps of a search have the slots of find, in order, and no step looks further than its size", () => {
    law((question, slots) => {
      const steps = [...Result.getOrThrow(search(question))]
      expect(steps.flat()).toEqual(slots)
      expect(Math.max(0, ...steps.map((step) => step.length))).toBeLessThanOrEqual(stepSize)
    })
  })

  it("no slot meets a busy interval, with its buffers (D-AVL-9)", () => {
    law((question, slots) => {
      const busy = widened(question)
      expect(slots.filter((slot) => busy.some((interval) => meets(slot, interval)))).toEqual([])
    })
  })

  it("every slot lies in the open time and is free when nothing is busy", () => {
    law((asked) => {
      const question = { ...asked, busy: [], notBefore: undefined }
      // One-minute slots of the same hours are the open time itself.
      const open = union(slotsOf({ ...question, duration: 1, slotInterval: 1 }))
      for (const slot of slotsOf(question)) {
        expect(open.some(({ end, start }) => start <= slot.start && slot.end <= end)).toBe(true)
      }
    })
  })

  it("every slot lasts the asked minutes, starts on an asked date and not before the notice", () => {
    law((question, slots) => {
      for (const { end, start } of slots) {
        expect(end - start).toBe(question.duration * minute)
        expect(start).toBeGreaterThanOrEqual(startOfDate(question.startDate, question.timeZone))
        expect(end).toBeLessThanOrEqual(startOfDay(toDayNumber(question.endDate) + 1, question.timeZone))
        expect(start).toBeGreaterThanOrEqual(question.notBefore ?? start)
      }
    })
  })

  it("slots are in order and their starts never less than the interval apart (D-AVL-11)", () => {
    law((question, slots) => {
      for (const [index, { start }] of slots.entries()) {
        const next = slots[index + 1]
        if (next === undefined) continue
        expect(next.start - start).toBeGreaterThanOrEqual((question.slotInterval ?? question.duration) * minute)
      }
    })
  })

  it("the first slot of an answer without notice starts on the grid of its zone (D-AVL-10)", () => {
    law((question) => {
      const [first] = slotsOf({ ...question, notBefore: undefined })
      if (first === undefined) return
      const wallMinute = toWall(first.start, question.timeZone) / minute
      expect(wallMinute % gridMinutes(question.slotInterval ?? question.duration)).toBe(0)
    })
  })

  it("adding a busy interval never adds a slot that overlaps it", () => {
    const added = arbitrary.question().chain((question) => {
      const from = startOfDate(question.startDate, question.timeZone)
      const to = startOfDay(toDayNumber(question.endDate) + 1, question.timeZone)
      return fc.tuple(fc.constant(question), arbitrary.busy({ from, to }))
    })
    fc.assert(
      fc.property(added, ([question, more]) => {
        const filled = more.filter(({ end, start }) => start < end)
        const after = slotsOf({ ...question, busy: [...(question.busy ?? []), ...more] })
        expect(after.filter((slot) => filled.some((interval) => meets(slot, interval)))).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("notice only drops slots (D-AVL-12)", () => {
    law(({ notBefore = 0, ...question }) => {
      const kept = slotsOf(question).filter(({ start }) => start >= notBefore)
      expect(slotsOf({ ...question, notBefore })).toEqual(kept)
    })
  })

  it("a buffer is the same as longer busy intervals", () => {
    law((question, slots) => {
      const busy = widened(question)
      expect(slotsOf({ ...question, busy, bufferBefore: 0, bufferAfter: 0 })).toEqual(slots)
    })
  })
})

describe("the list of busy intervals", () => {
  it("may be in any order", () => {
    const shuffled = arbitrary
      .question()
      .chain((question) =>
        fc.tuple(
          fc.constant(question),
          fc.shuffledSubarray([...(question.busy ?? [])], { minLength: question.busy?.length ?? 0 })
        )
      )
    fc.assert(
      fc.property(shuffled, ([question, busy]) => {
        expect(slotsOf({ ...question, busy })).toEqual(slotsOf(question))
      }),
      { numRuns: 300 }
    )
  })

  it("may have intervals twice, empty ones, and ones that end before they start", () => {
    law((question, slots) => {
      const busy = question.busy ?? []
      const nothing = busy.flatMap(({ end, start }) => [
        { start, end: start },
        { start: end, end: Math.min(start, end) }
      ])
      expect(slotsOf({ ...question, busy: [...busy, ...nothing, ...busy] })).toEqual(slots)
    })
  })

  it("may split an interval into touching ones, or have it merged", () => {
    law((question, slots) => {
      const busy = question.busy ?? []
      const split = busy.flatMap(({ end, start }) => {
        const middle = Math.floor((start + end) / 2)
        return [
          { start: middle, end },
          { start, end: middle }
        ]
      })
      expect(slotsOf({ ...question, busy: split })).toEqual(slots)
      expect(slotsOf({ ...question, busy: union(busy) })).toEqual(slots)
    })
  })

  it("is not changed", () => {
    law((question) => {
      const copy = structuredClone(question)
      slotsOf(question)
      expect(question).toEqual(copy)
    }, 50)
  })

  it("put in order covers the same instants", () => {
    fc.assert(
      fc.property(arbitrary.busy({ from: 0, to: 50_000_000, maxLength: 30 }), (busy) => {
        const sorted = ordered(busy)
        expect(sorted.map(({ start }) => start)).toEqual(sorted.map(({ start }) => start).toSorted((a, b) => a - b))
        const edges = busy.flatMap(({ end, start }) => [start - 1, start, end - 1, end])
        const covers = (list: ReadonlyArray<Interval>, instant: number): boolean =>
          list.some(({ end, start }) => start <= instant && instant < end)
        for (const edge of edges) {
          expect(covers(sorted, edge)).toBe(covers(busy, edge))
          expect(covers(union(busy), edge)).toBe(covers(busy, edge))
        }
      })
    )
  })
})

describe("the start of the range", () => {
  it("changes no slot when the host is closed or busy for an interval before it (D-AVL-13)", () => {
    const longer = fc.tuple(arbitrary.question({ maxDays: 2 }), fc.integer({ min: 1, max: 3 }))
    fc.assert(
      fc.property(longer, ([question, days]) => {
        const start = startOfDate(question.startDate, question.timeZone)
        const step = (question.slotInterval ?? question.duration) * minute
        const pause = {
          start: start - step - (question.bufferAfter ?? 0) * minute,
          end: start - (question.bufferAfter ?? 0) * minute
        }
        const paused = { ...question, busy: [...(question.busy ?? []), pause] }
        const earlier = { ...paused, startDate: addDays(question.startDate, -days) }
        expect(slotsOf(earlier).filter((slot) => slot.start >= start)).toEqual(slotsOf(paused))
      }),
      { numRuns: 300 }
    )
  })

  it("changes no slot of hours that leave the nights closed: a long range is its dates one by one", () => {
    const long = fc.tuple(
      arbitrary.question({ maxDays: 150 }),
      arbitrary.workingHours({ earliest: 360, latest: 1_200 })
    )
    fc.assert(
      fc.property(long, ([question, workingHours]) => {
        const nightly = {
          ...question,
          workingHours,
          dateOverrides: {},
          slotInterval: Math.min(question.slotInterval ?? 60, 240)
        }
        const dates = Array.from({ length: daysBetween(question.startDate, question.endDate) + 1 }, (_, days) =>
          addDays(question.startDate, days)
        )
        const oneByOne = dates.flatMap((date) => slotsOf({ ...nightly, startDate: date, endDate: date }))
        expect(slotsOf(nightly)).toEqual(oneByOne)
        expect(oneByOne.every(({ start }) => dates.includes(dateAt(start, question.timeZone)))).toBe(true)
      }),
      { numRuns: 60 }
    )
  })

  it("is no reason to open or close an instant", () => {
    law((question) => {
      const minutes = { ...question, duration: 1, slotInterval: 1, notBefore: undefined }
      const start = startOfDate(question.startDate, question.timeZone)
      const earlier = slotsOf({ ...minutes, startDate: addDays(question.startDate, -2) })
      expect(earlier.filter((slot) => slot.start >= start)).toEqual(slotsOf(minutes))
    }, 100)
  })
})
