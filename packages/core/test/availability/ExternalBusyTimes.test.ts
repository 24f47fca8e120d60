import * as ExternalBusyTimes from "@frontdesk/core/availability/ExternalBusyTimes"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Interval } from "@frontdesk/core/values/Interval"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const day = { start: 0, end: 24 }

const google = (...busy: ReadonlyArray<readonly [number, number]>) => calendar("google", busy)
const outlook = (...busy: ReadonlyArray<readonly [number, number]>) => calendar("outlook", busy)

const calendar = (provider: CalendarProviderKey, busy: ReadonlyArray<readonly [number, number]>) => ({
  provider,
  busy: busy.map(([start, end]) => ({ start, end }))
})

describe("merge", () => {
  it("joins busy times that overlap or touch, with the providers of all of them in alphabetical order", () => {
    expect(ExternalBusyTimes.merge([outlook([9, 11], [20, 21]), google([10, 12], [12, 13], [15, 16])], day)).toEqual([
      { start: 9, end: 13, providers: ["google", "outlook"] },
      { start: 15, end: 16, providers: ["google"] },
      { start: 20, end: 21, providers: ["outlook"] }
    ])
  })

  it("cuts busy times at the bounds, and leaves out those outside of them", () => {
    expect(ExternalBusyTimes.merge([google([-5, 2], [-9, 0], [23, 30], [24, 25])], day)).toEqual([
      { start: 0, end: 2, providers: ["google"] },
      { start: 23, end: 24, providers: ["google"] }
    ])
  })

  const interval = fc
    .tuple(fc.integer({ min: -3, max: 27 }), fc.integer({ min: 0, max: 6 }))
    .map(([start, length]): Interval => ({ start, end: start + length }))
  const calendars = fc.uniqueArray(
    fc.record({
      provider: fc.constantFrom("google" as const, "outlook" as const, "apple" as const),
      busy: fc.array(interval, { maxLength: 6 })
    }),
    { selector: ({ provider }) => provider, maxLength: 3 }
  )

  const covers = (times: ReadonlyArray<Interval>, hour: number) =>
    times.some(({ end, start }) => start <= hour && hour < end)

  it("covers exactly the hours in which a calendar is busy, and no result touches another", () => {
    fc.assert(
      fc.property(calendars, (given) => {
        const merged = ExternalBusyTimes.merge(given, day)
        for (let hour = -3; hour < 30; hour++) {
          const isBusy = hour >= 0 && hour < 24 && given.some(({ busy }) => covers(busy, hour))
          expect(covers(merged, hour)).toBe(isBusy)
        }
        for (const [index, time] of merged.entries()) {
          expect(merged[index - 1]?.end ?? -1).toBeLessThan(time.start)
          expect(time.providers).toEqual(
            given
              .filter(({ busy }) => busy.some(({ end, start }) => end > start && start < time.end && end > time.start))
              .map(({ provider }) => provider)
              .toSorted()
          )
        }
      })
    )
  })
})
