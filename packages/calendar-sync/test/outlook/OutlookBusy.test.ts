import { expect, it } from "@effect/vitest"
import { type Interval, union } from "@frontdesk/core/values/Interval"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import * as FakeServer from "../fake/FakeServer.ts"
import { problem } from "../fake/Graph.ts"
import { openCalendar } from "./openCalendar.ts"

const hour = 3_600_000
const start = Date.parse("2031-03-04T10:00:00Z")
const at = (millis: number) => DateTime.makeUnsafe(millis)
const hours = (from: number, until: number): Interval => ({ start: start + from * hour, end: start + until * hour })
const day = [at(start - 24 * hour), at(start + 24 * hour)] as const

const isView = ({ url }: { readonly url: URL }) => url.pathname.endsWith("/calendarView")

const allDay = { isAllDay: true }
const dates = { start: Date.parse("2031-03-04T00:00:00Z"), end: Date.parse("2031-03-05T00:00:00Z") }

describe("busy times of Outlook", () => {
  it.effect(
    "cancelled, free and working-elsewhere events are not busy; tentative, away and unknown ones are (D-EXT-19)",
    () =>
      Effect.gen(function* () {
        const { calendar, graph } = yield* openCalendar
        for (const showAs of ["free", "workingElsewhere"]) graph.addBusyTime(hours(0, 1), { showAs })
        graph.addBusyTime(hours(0, 1), { isCancelled: true })
        expect(yield* calendar.busy(...day)).toEqual([])
        for (const [index, showAs] of ["tentative", "busy", "oof", "unknown", "something new"].entries()) {
          graph.addBusyTime(hours(index, index + 1), { showAs })
        }
        expect(union(yield* calendar.busy(...day))).toEqual([hours(0, 5)])
      })
  )

  it.effect(
    "an all-day event outside the window in UTC is busy if it overlaps the window in the mailbox's zone (D-EXT-19)",
    () =>
      Effect.gen(function* () {
        const { calendar, graph } = yield* openCalendar
        const midnight = dates.end
        graph.addBusyTime(dates, allDay)
        graph.timeZone = "Pacific Standard Time"
        expect(yield* calendar.busy(at(midnight), at(midnight + hour))).toEqual([
          { start: dates.start + 8 * hour, end: dates.end + 8 * hour }
        ])
        expect(yield* calendar.busy(at(midnight + 8 * hour), at(midnight + 9 * hour))).toEqual([])
        graph.timeZone = "Tokyo Standard Time"
        expect(yield* calendar.busy(at(dates.start - hour), at(dates.start))).toHaveLength(1)
        expect(yield* calendar.busy(at(dates.start - 10 * hour), at(dates.start - 9 * hour))).toEqual([])
      })
  )

  it.effect("all pages are read, and an error on one of them is an error", () =>
    Effect.gen(function* () {
      const { calendar, graph, server } = yield* openCalendar
      for (let index = 0; index < 7; index++) graph.addBusyTime(hours(index, index + 0.5))
      expect(yield* calendar.busy(...day)).toHaveLength(7)
      expect(server.requests.filter(isView)).toHaveLength(4)
      server.fail(
        { kind: "answer", reply: problem(503, "ServiceUnavailable") },
        ({ url }) => url.searchParams.get("$skip") === "4"
      )
      expect(yield* Effect.flip(calendar.busy(...day))).toMatchObject({ reason: "transport" })
    })
  )

  it.effect("a link to a next page on another host is an error, and no token is sent there", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      const elsewhere = yield* FakeServer.start(() => ({ status: 200, body: { value: [] } }))
      for (let index = 0; index < 3; index++) graph.addBusyTime(hours(index, index + 1))
      graph.nextLinkBase = elsewhere.url
      expect(yield* Effect.flip(calendar.busy(...day))).toMatchObject({ reason: "invalid" })
      expect(elsewhere.requests).toEqual([])
    })
  )

  it.effect("an endless sequence of pages is an error", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      graph.addBusyTime(hours(0, 1))
      graph.pageSize = 0
      expect(yield* Effect.flip(calendar.busy(...day))).toMatchObject({ reason: "invalid" })
    })
  )

  it.effect.each([
    ["Pacific Standard Time", "2031-03-04T08:00:00Z", "2031-03-05T08:00:00Z"],
    ["W. Europe Standard Time", "2031-03-03T23:00:00Z", "2031-03-04T23:00:00Z"],
    ["Asia/Tokyo", "2031-03-03T15:00:00Z", "2031-03-04T15:00:00Z"],
    ["UTC", "2031-03-04T00:00:00Z", "2031-03-05T00:00:00Z"],
    ["Customized Time Zone", "2031-03-03T10:00:00Z", "2031-03-05T12:00:00Z"],
    [null, "2031-03-03T10:00:00Z", "2031-03-05T12:00:00Z"]
  ] as const)("an all-day event is busy on its dates in the zone of the mailbox: %s", ([zone, from, until]) =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      graph.timeZone = zone
      graph.addBusyTime(dates, allDay)
      expect(yield* calendar.busy(...day)).toEqual([{ start: Date.parse(from), end: Date.parse(until) }])
    })
  )

  it.effect("busy times fail when the zone of the mailbox cannot be read because of an outage", () =>
    Effect.gen(function* () {
      const { calendar, graph, server } = yield* openCalendar
      graph.addBusyTime(dates, allDay)
      const fits = ({ url }: FakeServer.ReceivedRequest) => url.pathname.endsWith("/timeZone")
      server.fail({ kind: "answer", reply: problem(503, "ServiceUnavailable") }, fits)
      expect(yield* Effect.flip(calendar.busy(...day))).toMatchObject({ reason: "transport" })
    })
  )

  it.effect.each(["2031-02-30T10:00:00", "2031-03-04T25:00:00", "soon", ""])(
    "an invalid time is an error: %s",
    (dateTime) =>
      Effect.gen(function* () {
        const { calendar, server } = yield* openCalendar
        const end = { dateTime: "2031-03-04T10:00:00.0000000", timeZone: "UTC" }
        const occurrence = { start: { ...end, dateTime }, end, isAllDay: true, isCancelled: false, showAs: "busy" }
        server.fail({ kind: "answer", reply: { status: 200, body: { value: [occurrence] } } }, isView)
        expect(yield* Effect.flip(calendar.busy(...day))).toMatchObject({ reason: "invalid" })
      })
  )
})
