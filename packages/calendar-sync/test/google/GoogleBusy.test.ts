import { expect, it } from "@effect/vitest"
import { union } from "@frontdesk/core/values/Interval"
import * as Property from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { problem } from "../fake/Google.ts"
import { openCalendar } from "./openCalendar.ts"

const hour = 3_600_000
const start = Date.parse("2031-03-04T10:00:00Z")
const at = (millis: number) => DateTime.makeUnsafe(millis)

const isFreeBusy = ({ url }: { readonly url: URL }) => url.pathname.endsWith("/freeBusy")

describe("busy times of Google Calendar", () => {
  it.effect("cancelled events and events shown as free are not busy", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* openCalendar
      google.addBusyTime({ start, end: start + hour }, { status: "cancelled" })
      google.addBusyTime({ start, end: start + hour }, { transparency: "transparent" })
      expect(yield* calendar.busy(at(start), at(start + hour))).toEqual([])
    })
  )

  it.effect("a long time range is read in several requests without gaps between them", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* openCalendar
      const interval = fc
        .tuple(fc.nat(4_000), fc.integer({ min: 1, max: 2_000 }))
        .map(([from, hours]) => ({ start: start + from * hour, end: start + (from + hours) * hour }))
      yield* Property.forAll(
        fc.tuple(fc.array(interval, { maxLength: 5 }), interval),
        ([taken, range]) =>
          Effect.gen(function* () {
            google.events.clear()
            for (const busy of taken) google.addBusyTime(busy)
            const found = yield* calendar.busy(at(range.start), at(range.end))
            const within = taken.map((busy) => ({
              start: Math.max(busy.start, range.start),
              end: Math.min(busy.end, range.end)
            }))
            expect(union(found)).toEqual(union(within))
          }),
        { numRuns: 30 }
      )
    })
  )

  it.effect("busy times fail for an error inside an answer, and when one of several requests fails", () =>
    Effect.gen(function* () {
      const { calendar, google, server } = yield* openCalendar
      google.busyError = "notFound"
      expect(yield* Effect.flip(calendar.busy(at(start), at(start + hour)))).toMatchObject({ reason: "gone" })
      google.busyError = "internalError"
      expect(yield* Effect.flip(calendar.busy(at(start), at(start + hour)))).toMatchObject({ reason: "transport" })
      google.busyError = null
      server.fail({ kind: "answer", reply: problem(503, "backendError") }, (request) => isFreeBusy(request))
      // 80 days are read in three requests.
      const long = calendar.busy(at(start), at(start + 80 * 24 * hour))
      expect(yield* Effect.flip(long)).toMatchObject({ reason: "transport" })
    })
  )

  it.effect.each([
    '{"calendars":{}}',
    '{"calendars":{"primary":{}}}',
    '{"calendars":{"a":{"busy":[]},"b":{"busy":[]}}}'
  ])("an answer without the busy times of exactly one calendar is an error, and does not count as free: %s", (body) =>
    Effect.gen(function* () {
      const { calendar, server } = yield* openCalendar
      server.fail({ kind: "garbled", body }, isFreeBusy)
      expect(yield* Effect.flip(calendar.busy(at(start), at(start + hour)))).toMatchObject({ reason: "invalid" })
    })
  )
})
