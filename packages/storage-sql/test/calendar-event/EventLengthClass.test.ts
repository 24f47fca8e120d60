import { describe, expect, it } from "@effect/vitest"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { calendarEventStatus } from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { busyClass, startsAfter } from "@frontdesk/storage-sql/calendar-event/EventLengthClass"

describe("the length class of a calendar event", () => {
  it("is the exponent of the smallest power of two of minutes that is at least its length, or 21", () => {
    expect(busyClass(event(0, 1))).toBe(0)
    expect(busyClass(event(0, minute))).toBe(0)
    expect(busyClass(event(0, minute + 1))).toBe(1)
    expect(busyClass(event(0, 30 * minute))).toBe(5)
    expect(busyClass(event(0, 32 * minute))).toBe(5)
    expect(busyClass(event(0, 2 ** 20 * minute))).toBe(20)
    expect(busyClass(event(0, 2 ** 20 * minute + 1))).toBe(21)
    expect(busyClass(event(0, 2 ** 33 * minute))).toBe(21)
  })

  it("law: an event has a class exactly when its status blocks its time", () => {
    fc.assert(
      fc.property(calendarEventStatus(), length, (status, length) => {
        expect(busyClass({ ...event(0, length), status }) !== null).toBe(blocks(status))
      })
    )
  })

  it("law: an event that reaches into a range begins after the bound of its class", () => {
    fc.assert(
      fc.property(instant, length, fc.double({ min: 0, max: 1, noNaN: true }), (start, length, part) => {
        // The range begins anywhere within the event, including its first millisecond and excluding its end.
        const from = start + Math.floor(part * (length - 1))
        const bound = startsAfter(DateTime.makeUnsafe(from))[busyClass(event(start, length)) ?? Number.NaN]
        expect(bound === undefined ? Number.NaN : DateTime.toEpochMillis(bound)).toBeLessThan(start)
      })
    )
  })

  it("law: an event of the maximum length of its class that began at the bound has ended", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 20 }), (from, busyClass) => {
        const bound = startsAfter(DateTime.makeUnsafe(from))[busyClass]
        const start = bound === undefined ? Number.NaN : DateTime.toEpochMillis(bound)
        expect(start + 2 ** busyClass * minute).toBeLessThanOrEqual(from)
      })
    )
  })
})

const minute = 60_000

/** Returns a scheduled calendar event with a start and a length in milliseconds. */
const event = (start: number, length: number) => ({
  status: "scheduled" as const,
  startTime: DateTime.makeUnsafe(start),
  endTime: DateTime.makeUnsafe(start + length)
})

/** Instants from the year 0 to 9999, many of them from 1900 to 2100. */
const instant = fc.oneof(
  fc.constantFrom(-62_167_219_200_000, -62_135_596_800_000, 253_402_300_799_999),
  fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
  fc.integer({ min: -2_208_988_800_000, max: 4_102_444_800_000 })
)

/** Lengths of every order of magnitude, and just around the limits of the classes. */
const length = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -2, max: 2 }))
  .map(([exponent, off]) => Math.max(1, 2 ** exponent * minute + off))
