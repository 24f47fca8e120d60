import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, type CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import {
  isInstalled,
  type Kind,
  radicale,
  request,
  type Server,
  xandikos
} from "@frontdesk/provider-fakes/caldav/CaldavServer"
import { calendarEvent } from "@frontdesk/testing/arbitrary/calendar"
import * as Property from "@frontdesk/testing/Property"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import * as CalendarObject from "../../src/caldav/CalendarObject.ts"
import * as Caldav from "../../src/caldav/Caldav.ts"
import { connected, open, sync } from "./caldavConnection.ts"
import { anySeries, busyModel, textOf } from "../recurrence/busyModel.ts"
import { object } from "./scriptedServer.ts"
import { runningServer } from "./runningServer.ts"

class Running extends Context.Service<
  Running,
  { readonly server: Server; readonly calendar: Effect.Success<ReturnType<typeof open>> }
>()("@frontdesk/calendar-sync/test/caldav/Caldav.test/Running") {}

let events = 0

const newEvent = (fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...Samples.newCalendarEvent(AccountId.make(1)),
  id: CalendarEventId.make(++events),
  ...fields
})

const put = (url: string, text: string) =>
  Effect.promise(async () => {
    const answer = await request("PUT", url, { headers: { "content-type": "text/calendar" }, body: text })
    if (answer.status !== 201 && answer.status !== 204) throw new Error(`${answer.status}: ${await answer.text()}`)
  })

const get = (url: string) =>
  Effect.promise(async () => (await (await request("GET", url)).text()).replace(/\r?\n[ \t]/g, ""))

const suite = (kind: Kind): void => {
  const started = Layer.effect(
    Running,
    Effect.gen(function* () {
      const server = yield* runningServer(kind)
      return { server, calendar: yield* Effect.orDie(open(server)) }
    })
  )

  layer(started, { excludeTestServices: true, timeout: 20_000 })("a calendar", (it) => {
    it.effect("a copy of any calendar event is found as it was written", () =>
      Effect.gen(function* () {
        const { calendar } = yield* Running
        yield* Property.forAll(
          calendarEvent(),
          Effect.fnUntraced(function* (any) {
            const event = { ...any, uuid: newEvent().uuid }
            const written = yield* calendar.create(event, "version 1")
            expect(written).toMatchObject({ id: event.uuid, version: "version 1" })
            expect(Option.getOrThrow(yield* calendar.find(event, null))).toEqual(written)
            // Xandikos converts the two characters "\\n" to a line break. Texts with a backslash are therefore not compared.
            if (kind === xandikos && JSON.stringify(event).includes("\\\\")) return
            expect(written.contentDigest).toBe(
              CalendarObject.copyOf(CalendarObject.objectOf(event, "1"), event.uuid, null).contentDigest
            )
          }),
          { numRuns: 8 }
        )
      })
    )

    it.effect("a second create of an event fails with a conflict and creates no second copy (D-EXT-18)", () =>
      Effect.gen(function* () {
        const { calendar } = yield* Running
        const event = newEvent()
        expect(Option.isNone(yield* calendar.find(event, null))).toBe(true)
        const copy = yield* calendar.create(event, "1")
        expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason: "conflict" })
        expect(Option.getOrThrow(yield* calendar.find(event, copy.id))).toEqual(copy)
      })
    )

    it.effect("a replace of a copy that has changed since it was read fails with a conflict", () =>
      Effect.gen(function* () {
        const { calendar, server } = yield* Running
        const event = newEvent()
        const copy = yield* calendar.create(event, "1")
        const url = `${server.calendar}${event.uuid}.ics`
        yield* put(url, (yield* get(url)).replace("SUMMARY:Demo", "SUMMARY:Theirs"))
        expect(yield* Effect.flip(calendar.replace(event, "2", copy))).toMatchObject({ reason: "conflict" })
        expect(yield* get(url)).toContain("SUMMARY:Theirs")
      })
    )

    it.effect(
      "a replace writes the new values, and keeps the properties that other programs have added to the copy",
      () =>
        Effect.gen(function* () {
          const { calendar, server } = yield* Running
          const event = newEvent({ description: "Bring the plan" })
          yield* calendar.create(event, "1")
          const url = `${server.calendar}${event.uuid}.ics`
          const theirs = [
            "ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.com",
            "CATEGORIES:Work",
            "COLOR:turquoise",
            "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC"
          ]
          const alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT15M", "END:VALARM"]
          const added = (yield* get(url)).replace("END:VEVENT", [...theirs, ...alarm, "END:VEVENT"].join("\r\n"))
          yield* put(url, added.replace(/SEQUENCE:\d+/, "SEQUENCE:7"))
          const found = Option.getOrThrow(yield* calendar.find(event, null))
          const next = {
            ...event,
            title: "Later",
            description: "",
            startTime: Samples.later(60),
            endTime: Samples.later(90)
          }
          yield* calendar.replace({ ...next, sequence: 1 }, "2", found)
          const text = yield* get(url)
          for (const line of [...theirs, ...alarm]) expect(text).toContain(line)
          expect(text).toContain("SUMMARY:Later")
          expect(text).toContain("X-FRONTDESK-VERSION:2")
          expect(text).toContain("DTSTART:20260302T100000Z")
          expect(text).toContain("SEQUENCE:8")
          expect(text).not.toContain("Bring the plan")
          expect(text).not.toContain("METHOD")
          expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
        })
    )

    it.effect("the busy times have every kind of busy event, also those that the server's search does not find", () =>
      Effect.gen(function* () {
        const { calendar, server } = yield* Running
        const kinds: ReadonlyArray<readonly [name: string, ...lines: ReadonlyArray<string>]> = [
          ["plain", "DTSTART:20400310T100000Z", "DTEND:20400310T110000Z"],
          ["series", "DTSTART:20300101T120000Z", "DTEND:20300101T123000Z", "RRULE:FREQ=DAILY"],
          ["dates", "DTSTART:20300101T130000Z", "DTEND:20300101T133000Z", "RDATE:20400310T130000Z"],
          ["days", "DTSTART:20400306T200000Z", "DURATION:P5D"],
          ["date", "DTSTART;VALUE=DATE:20400310", "DTEND;VALUE=DATE:20400311"],
          ["paris", "DTSTART;TZID=Europe/Paris:20400310T170000", "DTEND;TZID=Europe/Paris:20400310T180000"],
          ["free", "DTSTART:20400310T060000Z", "DTEND:20400310T070000Z", "TRANSP:TRANSPARENT"],
          ["off", "DTSTART:20400310T060000Z", "DTEND:20400310T070000Z", "STATUS:CANCELLED"],
          ["past", "DTSTART:20400301T060000Z", "DTEND:20400301T070000Z"]
        ]
        for (const [name, ...lines] of kinds) {
          yield* put(`${server.calendar}${name}.ics`, object(name, ...lines, `SUMMARY:${name}`))
        }
        const intervals = yield* calendar.busy(Samples.at("2040-03-10T00:00:00Z"), Samples.at("2040-03-11T00:00:00Z"))
        const found = intervals.map(({ end, start }) =>
          [start, end].map((millis) => DateTime.formatIso(DateTime.makeUnsafe(millis)).slice(5, 16)).join(" ")
        )
        expect(found.toSorted()).toEqual([
          "03-06T20:00 03-11T20:00",
          "03-10T00:00 03-11T00:00",
          "03-10T10:00 03-10T11:00",
          "03-10T12:00 03-10T12:30",
          "03-10T13:00 03-10T13:30",
          "03-10T16:00 03-10T17:00"
        ])
        for (const [name] of kinds) yield* Effect.promise(() => request("DELETE", `${server.calendar}${name}.ics`))
      })
    )

    it.effect("the calendar is busy at the occurrences of a series that the model finds", () =>
      Effect.gen(function* () {
        const { server } = yield* Running
        const own = new URL("../model/", server.calendar).href
        yield* Effect.promise(() => request("MKCALENDAR", own))
        const calendar = yield* Effect.orDie(open({ ...server, calendar: own }))
        const url = `${own}one.ics`
        const months = fc.integer({ min: 0, max: 20 })
        // Both servers write 24 hours as one day, which has another length when the clocks change.
        const shortSeries = anySeries.map((series) => ({ ...series, minutes: Math.min(series.minutes, 1_439) }))
        yield* Property.forAll(
          fc.tuple(shortSeries, months),
          Effect.fnUntraced(function* ([series, month]) {
            const from = DateTime.add(Samples.at("2025-01-01T00:00:00Z"), { months: month })
            const until = DateTime.add(from, { days: 45 })
            yield* put(url, textOf(series))
            const found = yield* calendar.busy(from, until)
            yield* Effect.promise(() => request("DELETE", url))
            const window = { start: DateTime.toEpochMillis(from), end: DateTime.toEpochMillis(until) }
            expect(found.toSorted((one, other) => one.start - other.start || one.end - other.end)).toEqual(
              busyModel(series, window)
            )
          }),
          { numRuns: 5 }
        )
      })
    )

    it.effect("whole days and times without a zone are in the account's zone if the calendar names none", () =>
      Effect.gen(function* () {
        const { server } = yield* Running
        const url = `${server.calendar}date.ics`
        const from = Samples.at("2041-03-08T00:00:00Z")
        for (const [lines, zone, start] of [
          [["DTSTART;VALUE=DATE:20410310"], "Pacific/Auckland", "2041-03-09T11:00:00Z"],
          [["DTSTART;VALUE=DATE:20410310"], "America/New_York", "2041-03-10T05:00:00Z"],
          [["DTSTART:20410310T090000", "DURATION:PT1H"], "Pacific/Auckland", "2041-03-09T20:00:00Z"]
        ] as const) {
          yield* put(url, object("date", ...lines, "SUMMARY:Off"))
          const intervals = yield* Effect.flatMap(CalendarSync, ({ busy }) =>
            busy("apple", connected, from, DateTime.add(from, { days: 5 }))
          ).pipe(Effect.provide(sync(server, TimeZone.make(zone))))
          expect(intervals.map(({ start }) => start)).toEqual([Date.parse(start)])
        }
        yield* Effect.promise(() => request("DELETE", url))
      })
    )

    it.effect("an event with a character that XML forbids is read", () =>
      Effect.gen(function* () {
        const { calendar, server } = yield* Running
        yield* put(
          `${server.calendar}word.ics`,
          object("word", "DTSTART:20420310T100000Z", "DURATION:PT1H", "SUMMARY:a\vb")
        )
        const from = Samples.at("2042-03-10T00:00:00Z")
        expect(yield* calendar.busy(from, DateTime.add(from, { days: 1 }))).toHaveLength(1)
        yield* Effect.promise(() => request("DELETE", `${server.calendar}word.ics`))
      })
    )

    it.effect(
      "a check accepts a calendar, rejects another collection, and fails with gone for a missing collection",
      () =>
        Effect.gen(function* () {
          const { calendar, server } = yield* Running
          const usual = yield* calendar.check
          expect(usual.isUsable).toBe(true)
          expect(usual.says).toMatch(/can be read and written/)
          const parent = yield* Effect.orDie(open({ ...server, calendar: new URL("..", server.calendar).href }))
          const ofParent = yield* parent.check
          expect(ofParent.isUsable).toBe(false)
          expect(ofParent.says).toMatch(/is not a calendar/)
          const nowhere = yield* Effect.orDie(open({ ...server, calendar: `${server.calendar}nowhere/` }))
          expect(yield* Effect.flip(nowhere.check)).toMatchObject({ reason: "gone" })
        })
    )

    it.effect("a check fails while an event cannot be read, and names the event", () =>
      Effect.gen(function* () {
        const { calendar, server } = yield* Running
        const lines = ["DTSTART;TZID=GMT+0200:20410310T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY", "SUMMARY:Off"]
        yield* put(`${server.calendar}odd.ics`, object("odd", ...lines))
        const error = yield* Effect.flip(calendar.check)
        yield* Effect.promise(() => request("DELETE", `${server.calendar}odd.ics`))
        expect(String(error.cause)).toMatch(/odd\.ics cannot be read: the time zone is unknown: GMT\+0200/)
      })
    )

    it.effect("a calendar is found from the server's root, from the calendar's URL, and from a URL between them", () =>
      Effect.gen(function* () {
        const { server } = yield* Running
        const find = (url: string) =>
          Caldav.calendars({ url, username: server.username, password: Redacted.make(server.password) }).pipe(
            Effect.provide(FetchHttpClient.layer)
          )
        const work = { url: server.calendar, isWritable: true }
        const discovered = (url: string) =>
          Effect.map(find(url), (all) => all.map(({ isWritable, url }) => ({ url, isWritable })))
        expect(yield* discovered(server.url)).toContainEqual(work)
        expect(yield* discovered(new URL("../..", server.calendar).href)).toContainEqual(work)
        expect(yield* discovered(server.calendar)).toEqual([work])
      })
    )
  })
}

describe.each([radicale, xandikos])("CalDAV", (kind) => {
  describe.skipIf(!isInstalled(kind))(`on ${kind.command}, if it is installed`, () => {
    suite(kind)
  })
})

describe.skipIf(!isInstalled(radicale))("CalDAV, radicale", () => {
  it.live("every request with a wrong password fails with unauthorized", () =>
    Effect.gen(function* () {
      const server = { ...(yield* runningServer(radicale)), password: "wrong" }
      const calendar = yield* Effect.orDie(open(server))
      const refused = <A>(attempt: Effect.Effect<A, CalendarSyncError>) =>
        Effect.map(Effect.flip(attempt), ({ reason }) => expect(reason).toBe("unauthorized"))
      yield* refused(calendar.check)
      yield* refused(calendar.find(newEvent(), null))
      yield* refused(calendar.create(newEvent(), "1"))
      yield* refused(calendar.busy(Samples.now, Samples.later(60)))
      yield* refused(
        Caldav.calendars({ ...server, password: Redacted.make(server.password) }).pipe(
          Effect.provide(FetchHttpClient.layer)
        )
      )
    })
  )
})
