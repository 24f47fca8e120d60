import { describe, expect, it } from "@effect/vitest"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { calendarEventStatus } from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { busyClass, startsAfter } from "@frontdesk/storage-sql/calendar-event/EventLengthClass"

describe("busyClass", () => {
  it("is the least power of two of minutes that the event fits in", () => {
    expect(busyClass(event(0, 1))).toBe(0)
    expect(busyClass(event(0, minute))).toBe(0)
    expect(busyClass(event(0, minute + 1))).toBe(1)
    expect(busyClass(event(0, 30 * minute))).toBe(5)
    expect(busyClass(event(0, 32 * minute))).toBe(5)
    expect(busyClass(event(0, 2 ** 20 * minute))).toBe(20)
    expect(busyClass(event(0, 2 ** 20 * minute + 1))).toBe(21)
    expect(busyClass(event(0, 2 ** 33 * minute))).toBe(21)
  })

  it("law: an event has one when its status takes its time in the calendar, and none otherwise", () => {
    fc.assert(
      fc.property(calendarEventStatus(), length, (status, length) => {
        expect(busyClass({ ...event(0, length), status }) !== null).toBe(blocks(status))
      })
    )
  })

  it("law: whatever meets a range begins after the bound of its class", () => {
    fc.assert(
      fc.property(instant, length, fc.double({ min: 0, max: 1, noNaN: true }), (start, length, part) => {
        // A range that begins anywhere within the event, its first millisecond included, its end not.
        const from = start + Math.floor(part * (length - 1))
        const bound = startsAfter(DateTime.makeUnsafe(from))[busyClass(event(start, length)) ?? Number.NaN]
        expect(bound === undefined ? Number.NaN : DateTime.toEpochMillis(bound)).toBeLessThan(start)
      })
    )
  })

  it("law: an event as long as its class allows that began at the bound is over", () => {
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

/** A scheduled event of so many milliseconds. */
const event = (start: number, length: number) => ({
  status: "scheduled" as const,
  startTime: DateTime.makeUnsafe(start),
  endTime: DateTime.makeUnsafe(start + length)
})

/** From the year 0000 to 9999, most often of our time. */
const instant = fc.oneof(
  fc.constantFrom(-62_167_219_200_000, -62_135_596_800_000, 253_402_300_799_999),
  fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
  fc.integer({ min: -2_208_988_800_000, max: 4_102_444_800_000 })
)

/** Of every order of magnitude, and just around the classes. */
const length = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -2, max: 2 }))
  .map(([exponent, off]) => Math.max(1, 2 ** exponent * minute + off))
