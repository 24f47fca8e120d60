import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { CurrentRequestLimits } from "../../src/request/Exchange.ts"
import { calendarOf } from "./caldavConnection.ts"
import { found, multistatus, object, type Reply } from "./scriptedServer.ts"

const from = Samples.at("2026-03-10T00:00:00Z")

const limits = { timeout: Duration.seconds(10), maxBytes: 10_000 }

/** Returns the busy intervals of a day from a server with resources and with properties of the calendar itself. */
const busyOf = Effect.fnUntraced(function* (resources: ReadonlyArray<string>, properties: string = "") {
  const { calendar } = yield* calendarOf(({ method }) => ({
    status: 207,
    body: method === "PROPFIND" ? multistatus(found("/calendar/", properties)) : multistatus(...resources)
  }))
  return yield* calendar.busy(from, DateTime.add(from, { days: 1 }))
})

const data = (href: string, text: string) =>
  found(href, `<c:calendar-data>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</c:calendar-data>`)

describe("the busy times of a calendar", () => {
  const hour = object("a", "DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")

  it.live("the busy intervals of an object are returned once", () =>
    Effect.gen(function* () {
      expect(yield* busyOf([data("/calendar/a.ics", hour)])).toEqual([
        { start: Date.parse("2026-03-10T10:00:00Z"), end: Date.parse("2026-03-10T11:00:00Z") }
      ])
    })
  )

  it.live.each(["\v", "\0", "\u001b", "\uffff", "&#11;", "&#x1B;"])(
    "an object whose title has a character that XML forbids is read: %j",
    (character) =>
      Effect.gen(function* () {
        const text = object("a", `SUMMARY:a${character}b`, "DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")
        expect(yield* busyOf([found("/calendar/a.ics", `<c:calendar-data>${text}</c:calendar-data>`)])).toHaveLength(1)
      })
  )

  it.live("whole days are in the zone that the calendar names", () =>
    Effect.gen(function* () {
      const zone = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR"
      const day = data("/calendar/a.ics", object("a", "DTSTART;VALUE=DATE:20260310"))
      const [interval] = yield* busyOf([day], `<c:calendar-timezone><![CDATA[${zone}]]></c:calendar-timezone>`)
      expect(interval?.start).toBe(Date.parse("2026-03-09T15:00:00Z"))
    })
  )

  it.live("an object that was deleted while the server made the list is ignored", () =>
    Effect.gen(function* () {
      const gone = "<d:href>/calendar/b.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status>"
      expect(yield* busyOf([gone, data("/calendar/a.ics", hour)])).toHaveLength(1)
    })
  )

  it.live.each([
    ["that is damaged", data("/calendar/b.ics", "BEGIN:VCALENDAR\r\nnonsense"), /b\.ics cannot be read/, "invalid"],
    ["without an href", data("", hour), /a response has no href/, "invalid"],
    [
      "that is a VEVENT without a VCALENDAR",
      data("/calendar/b.ics", hour.replace(/^.*?(?=BEGIN:VEVENT)/s, "").replace(/END:VCALENDAR\s*$/, "")),
      /b\.ics cannot be read: the object is not one VCALENDAR/,
      "invalid"
    ],
    [
      "in a zone without a definition",
      data("/calendar/b.ics", object("b", "DTSTART;TZID=Mars/Olympus:20260310T100000", "DURATION:PT1H")),
      /b\.ics cannot be read: the time zone is unknown: Mars\/Olympus/,
      "invalid"
    ],
    [
      "with a rule that cannot be read",
      data("/calendar/b.ics", object("b", "DTSTART:20260310T100000Z", "RRULE:FREQ=OFTEN")),
      /b\.ics cannot be read/,
      "invalid"
    ],
    [
      "that recurs every second without an end",
      data("/calendar/b.ics", object("b", "DTSTART:20200310T100000Z", "DURATION:P3650D", "RRULE:FREQ=SECONDLY")),
      /b\.ics cannot be read: the recurrence has too many occurrences/,
      "invalid"
    ],
    ["without its data", found("/calendar/b.ics", "<d:getetag>1</d:getetag>"), /b\.ics has no data/, "transport"],
    [
      "that reports an incomplete list",
      "<d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:error><d:number-of-matches-within-limits/></d:error>",
      /has no data, status 507/,
      "invalid"
    ]
  ] as const)("a resource %s makes the whole result an error", ([_what, resource, message, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(busyOf([data("/calendar/a.ics", hour), resource]))
      expect(error).toMatchObject({ reason })
      expect(String(error.cause)).toMatch(message)
    })
  )

  /** Reads a day from a server that returns `list` when all objects are requested. Returns busy times and REPORT requests. */
  const busyWithList = Effect.fnUntraced(function* (list: Reply) {
    const { calendar, server } = yield* calendarOf(({ body, method }) => {
      if (method === "PROPFIND") return { status: 207, body: multistatus(found("/calendar/", "")) }
      if (body.includes("time-range")) return { status: 207, body: multistatus(data("/calendar/a.ics", hour)) }
      if (!body.includes("prop-filter")) return list
      if (!body.includes("RRULE")) return { status: 207, body: multistatus() }
      const series = object("b", "DTSTART:20200310T140000Z", "DTEND:20200310T150000Z", "RRULE:FREQ=DAILY")
      return { status: 207, body: multistatus(data("/calendar/b.ics", series)) }
    })
    const busy = yield* calendar
      .busy(from, DateTime.add(from, { days: 1 }))
      .pipe(Effect.provideService(CurrentRequestLimits, { timeout: Duration.seconds(10), maxBytes: 5_000 }))
    return { busy, reports: server.requests.filter(({ method }) => method === "REPORT") }
  })

  it.live("one list of all objects is enough, and no search follows", () =>
    Effect.gen(function* () {
      const { busy, reports } = yield* busyWithList({ status: 207, body: multistatus(data("/calendar/a.ics", hour)) })
      expect(busy).toHaveLength(1)
      expect(reports).toHaveLength(1)
      expect(reports[0]?.body).not.toMatch(/prop-filter|time-range/)
    })
  )

  it.live.each([
    ["exceeds the limit of an answer", { status: 207, body: multistatus(data("/calendar/a.ics", hour.repeat(40))) }],
    [
      "is reported as incomplete",
      {
        status: 207,
        body: multistatus(
          data("/calendar/a.ics", hour),
          "<d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status>"
        )
      }
    ],
    [
      "has more objects than the server sends",
      { status: 507, body: '<error xmlns="DAV:"><number-of-matches-within-limits/></error>' }
    ],
    [
      "is refused because of its filter",
      {
        status: 403,
        body: '<error xmlns="DAV:"><valid-filter xmlns="urn:ietf:params:xml:ns:caldav"/></error>'
      }
    ]
  ] as const)("searches by time and for recurring or long objects follow when the list %s", ([_what, list]) =>
    Effect.gen(function* () {
      const { busy, reports } = yield* busyWithList(list)
      expect(busy.map(({ start }) => start)).toEqual(
        ["2026-03-10T10:00:00Z", "2026-03-10T14:00:00Z"].map((text) => Date.parse(text))
      )
      // The list, a search by time, and one search each for RRULE, RDATE and DURATION.
      expect(reports).toHaveLength(5)
    })
  )

  it.live(
    "an object that cannot be read is ignored when its dates are far from the window, and is an error otherwise",
    () =>
      Effect.gen(function* () {
        const mars = (day: string) =>
          data("/calendar/b.ics", object("b", `DTSTART;TZID=Mars:${day}T100000`, `DTEND;TZID=Mars:${day}T110000`))
        expect(yield* busyOf([data("/calendar/a.ics", hour), mars("20160310")])).toHaveLength(1)
        expect(yield* Effect.flip(busyOf([mars("20260312")]))).toMatchObject({ reason: "invalid" })
      })
  )

  /** An XML document whose entities expand to a billion characters. */
  const expandingEntities = `<!DOCTYPE multistatus [<!ENTITY a "ha">${"bcdefghij"
    .split("")
    .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(10)}">`)
    .join("")}]><multistatus xmlns="DAV:">&j;</multistatus>`

  it.live.each([
    ["entities that expand without limit", expandingEntities],
    [
      "an entity from a file",
      '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><multistatus xmlns="DAV:">&x;</multistatus>'
    ],
    ["unclosed elements", "<multistatus xmlns='DAV:'><response>"],
    ["text instead of XML", "It works!"],
    ["200,000 nested elements", `${"<a>".repeat(200_000)}${"</a>".repeat(200_000)}`]
  ] as const)("an answer with %s fails with transport", ([_what, body]) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => ({ status: 207, body }))
      const error = yield* Effect.flip(calendar.busy(from, DateTime.add(from, { days: 1 })))
      expect(error).toMatchObject({ reason: "transport" })
      expect(String(error.cause)).toMatch(/the body is not XML/)
    })
  )

  it.effect("a read without an answer fails with transport after the timeout", () =>
    Effect.gen(function* () {
      const received = yield* Deferred.make<void>()
      const run = Effect.runForkWith(yield* Effect.context())
      const { calendar } = yield* calendarOf(() => () => void run(Deferred.succeed(received, undefined)))
      const reading = yield* calendar
        .busy(from, DateTime.add(from, { days: 1 }))
        .pipe(Effect.flip, Effect.provideService(CurrentRequestLimits, limits), Effect.forkChild)
      yield* Deferred.await(received)
      yield* TestClock.adjust(limits.timeout)
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: "transport", retryAfterMillis: null })
    })
  )

  it.live.each([
    ["that exceeds the limit", { status: 207, body: "x".repeat(20_000) }, "invalid"],
    ["of 404", { status: 404 }, "gone"],
    ["of 503 with Retry-After", { status: 503, headers: { "retry-after": "120" } }, "transport"],
    ["of 429 with Retry-After", { status: 429, headers: { "retry-after": "7" } }, "rate_limited"]
  ] as const)(
    "an answer %s fails with its reason, and with its Retry-After time if it has one",
    ([_what, reply, reason]) =>
      Effect.gen(function* () {
        const { calendar } = yield* calendarOf(() => reply)
        const error = yield* calendar
          .busy(from, DateTime.add(from, { days: 1 }))
          .pipe(Effect.flip, Effect.provideService(CurrentRequestLimits, limits))
        expect(error.reason).toBe(reason)
        const millis = "headers" in reply ? Number(reply.headers["retry-after"]) * 1_000 : null
        expect(error.retryAfterMillis).toBe(millis)
      })
  )
})
