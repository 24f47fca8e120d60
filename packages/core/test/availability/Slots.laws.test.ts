import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import { slotsModel } from "@frontdesk/testing/model/slotsModel"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Interval, union } from "@frontdesk/core/values/Interval"
import { type SlotQuery, search, type Slot, stepSize } from "@frontdesk/core/availability/Slots"
import { gridMinutes } from "@frontdesk/core/availability/Grid"
import { addDays, daysBetween, toDayNumber } from "@frontdesk/core/values/CalendarDate"
import { dateAt, startOfDate, startOfDay, toWall } from "@frontdesk/core/values/TimeZone"
import { slotsOf } from "./vectors.ts"

const minute = 60_000

/** Checks a law for generated queries and their slots. Most queries are about days when clocks change. */
const law = (check: (query: SlotQuery, slots: ReadonlyArray<Slot>) => void, numRuns = 300): void =>
  fc.assert(
    fc.property(arbitrary.question(), (query) => {
      check(query, slotsOf(query))
    }),
    { numRuns }
  )

const widened = (query: SlotQuery): ReadonlyArray<Interval> =>
  (query.busy ?? [])
    .filter(({ end, start }) => start < end)
    .map(({ end, start }) => ({
      start: start - (query.bufferBefore ?? 0) * minute,
      end: end + (query.bufferAfter ?? 0) * minute
    }))

const meets = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end

describe("laws of Slots.find", () => {
  it("find returns the same slots as the minute-by-minute model", () => {
    law((query, slots) => expect(slots).toEqual(slotsModel(query)), 120)
  })

  it("the steps of search have the slots of find in order, and at most stepSize slots each", () => {
    law((query, slots) => {
      const steps = [...Result.getOrThrow(search(query))]
      expect(steps.flat()).toEqual(slots)
      expect(Math.max(0, ...steps.map((step) => step.length))).toBeLessThanOrEqual(stepSize)
    })
  })

  it("search has the slots of find with steps of any size, which end anywhere in a free piece or between busy intervals", () => {
    fc.assert(
      fc.property(arbitrary.question(), fc.integer({ min: 1, max: 9 }), (query, size) => {
        const steps = [...Result.getOrThrow(search(query, size))]
        expect(steps.flat()).toEqual(slotsOf(query))
        expect(Math.max(0, ...steps.map((step) => step.length))).toBeLessThanOrEqual(size)
      }),
      { numRuns: 300 }
    )
  })

  it("no slot overlaps a busy interval with its buffers (D-AVL-9)", () => {
    law((query, slots) => {
      const busy = widened(query)
      expect(slots.filter((slot) => busy.some((interval) => meets(slot, interval)))).toEqual([])
    })
  })

  it("every slot lies within the open time", () => {
    law((generated) => {
      const query = { ...generated, busy: [], notBefore: undefined }
      // Together, the one-minute slots of the same hours are the open time.
      const open = union(slotsOf({ ...query, duration: 1, slotInterval: 1 }))
      for (const slot of slotsOf(query)) {
        expect(open.some(({ end, start }) => start <= slot.start && slot.end <= end)).toBe(true)
      }
    })
  })

  it("every slot has the duration of the query, lies within its dates, and does not start before notBefore", () => {
    law((query, slots) => {
      for (const { end, start } of slots) {
        expect(end - start).toBe(query.duration * minute)
        expect(start).toBeGreaterThanOrEqual(startOfDate(query.startDate, query.timeZone))
        expect(end).toBeLessThanOrEqual(startOfDay(toDayNumber(query.endDate) + 1, query.timeZone))
        expect(start).toBeGreaterThanOrEqual(query.notBefore ?? start)
      }
    })
  })

  it("slots are in order, and their starts are at least the slot interval apart (D-AVL-11)", () => {
    law((query, slots) => {
      for (const [index, { start }] of slots.entries()) {
        const next = slots[index + 1]
        if (next === undefined) continue
        expect(next.start - start).toBeGreaterThanOrEqual((query.slotInterval ?? query.duration) * minute)
      }
    })
  })

  it("the first slot of a query without notBefore starts on the grid of its zone (D-AVL-10)", () => {
    law((query) => {
      const [first] = slotsOf({ ...query, notBefore: undefined })
      if (first === undefined) return
      const wallMinute = toWall(first.start, query.timeZone) / minute
      expect(wallMinute % gridMinutes(query.slotInterval ?? query.duration)).toBe(0)
    })
  })

  it("no slot overlaps a busy interval that is added to the query", () => {
    const added = arbitrary.question().chain((query) => {
      const from = startOfDate(query.startDate, query.timeZone)
      const to = startOfDay(toDayNumber(query.endDate) + 1, query.timeZone)
      return fc.tuple(fc.constant(query), arbitrary.busy({ from, to }))
    })
    fc.assert(
      fc.property(added, ([query, more]) => {
        const filled = more.filter(({ end, start }) => start < end)
        const after = slotsOf({ ...query, busy: [...(query.busy ?? []), ...more] })
        expect(after.filter((slot) => filled.some((interval) => meets(slot, interval)))).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("notBefore drops earlier slots and moves none (D-AVL-12)", () => {
    law(({ notBefore = 0, ...query }) => {
      const later = slotsOf(query).filter(({ start }) => start >= notBefore)
      expect(slotsOf({ ...query, notBefore })).toEqual(later)
    })
  })

  it("find does not change the query", () => {
    law((query) => {
      const copy = structuredClone(query)
      slotsOf(query)
      expect(query).toEqual(copy)
    }, 50)
  })

  it("buffers give the same slots as busy intervals that are longer by the buffers", () => {
    law((query, slots) => {
      const busy = widened(query)
      expect(slotsOf({ ...query, busy, bufferBefore: 0, bufferAfter: 0 })).toEqual(slots)
    })
  })
})

describe("laws of the busy intervals of Slots.find", () => {
  it("the order of busy intervals changes no slot", () => {
    const shuffled = arbitrary
      .question()
      .chain((query) =>
        fc.tuple(
          fc.constant(query),
          fc.shuffledSubarray([...(query.busy ?? [])], { minLength: query.busy?.length ?? 0 })
        )
      )
    fc.assert(
      fc.property(shuffled, ([query, busy]) => {
        expect(slotsOf({ ...query, busy })).toEqual(slotsOf(query))
      }),
      { numRuns: 300 }
    )
  })

  it("repeated, empty and reversed busy intervals change no slot", () => {
    law((query, slots) => {
      const busy = query.busy ?? []
      const nothing = busy.flatMap(({ end, start }) => [
        { start, end: start },
        { start: end, end: Math.min(start, end) }
      ])
      expect(slotsOf({ ...query, busy: [...busy, ...nothing, ...busy] })).toEqual(slots)
    })
  })

  it("splitting busy intervals into touching ones, or merging them, changes no slot", () => {
    law((query, slots) => {
      const busy = query.busy ?? []
      const split = busy.flatMap(({ end, start }) => {
        const middle = Math.floor((start + end) / 2)
        return [
          { start: middle, end },
          { start, end: middle }
        ]
      })
      expect(slotsOf({ ...query, busy: split })).toEqual(slots)
      expect(slotsOf({ ...query, busy: union(busy) })).toEqual(slots)
    })
  })
})

describe("laws of the date range of Slots.find", () => {
  it("an earlier start changes no later slot when the slot interval before the range is busy (D-AVL-13)", () => {
    const longer = fc.tuple(arbitrary.question({ maxDays: 2 }), fc.integer({ min: 1, max: 3 }))
    fc.assert(
      fc.property(longer, ([query, days]) => {
        const start = startOfDate(query.startDate, query.timeZone)
        const step = (query.slotInterval ?? query.duration) * minute
        const pause = {
          start: start - step - (query.bufferAfter ?? 0) * minute,
          end: start - (query.bufferAfter ?? 0) * minute
        }
        const paused = { ...query, busy: [...(query.busy ?? []), pause] }
        const earlier = { ...paused, startDate: addDays(query.startDate, -days) }
        expect(slotsOf(earlier).filter((slot) => slot.start >= start)).toEqual(slotsOf(paused))
      }),
      { numRuns: 300 }
    )
  })

  it("a long range has the same slots as its dates queried one by one, when the nights are closed", () => {
    const long = fc.tuple(
      arbitrary.question({ maxDays: 150 }),
      arbitrary.workingHours({ earliest: 360, latest: 1_200 })
    )
    fc.assert(
      fc.property(long, ([query, workingHours]) => {
        const nightly = {
          ...query,
          workingHours,
          dateOverrides: {},
          slotInterval: Math.min(query.slotInterval ?? 60, 240)
        }
        const dates = Array.from({ length: daysBetween(query.startDate, query.endDate) + 1 }, (_, days) =>
          addDays(query.startDate, days)
        )
        const oneByOne = dates.flatMap((date) => slotsOf({ ...nightly, startDate: date, endDate: date }))
        expect(slotsOf(nightly)).toEqual(oneByOne)
        expect(oneByOne.every(({ start }) => dates.includes(dateAt(start, query.timeZone)))).toBe(true)
      }),
      { numRuns: 60 }
    )
  })

  it("an earlier start opens and closes no later instant", () => {
    law((query) => {
      const minutes = { ...query, duration: 1, slotInterval: 1, notBefore: undefined }
      const start = startOfDate(query.startDate, query.timeZone)
      const earlier = slotsOf({ ...minutes, startDate: addDays(query.startDate, -2) })
      expect(earlier.filter((slot) => slot.start >= start)).toEqual(slotsOf(minutes))
    }, 100)
  })
})
