import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { CurrentRequestLimits } from "../../src/request/Exchange.ts"
import { calendarOf } from "./connecting.ts"
import { found, multistatus, object, type Reply } from "./scripted.ts"

const from = Samples.at("2026-03-10T00:00:00Z")

/** The busy times of a day, of a server that has these resources and says this of itself. */
const busyOf = Effect.fnUntraced(function* (resources: ReadonlyArray<string>, itself: string = "") {
  const { calendar } = yield* calendarOf(({ method }) => ({
    status: 207,
    body: method === "PROPFIND" ? multistatus(found("/calendar/", itself)) : multistatus(...resources)
  }))
  return yield* calendar.busy(from, DateTime.add(from, { days: 1 }))
})

const data = (href: string, text: string) =>
  found(href, `<c:calendar-data>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</c:calendar-data>`)

describe("the busy times of a calendar", () => {
  const hour = object("a", "DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")

  it.live("are those of each object once, however often it is found", () =>
    Effect.gen(function* () {
      expect(yield* busyOf([data("/calendar/a.ics", hour)])).toEqual([
        { start: Date.parse("2026-03-10T10:00:00Z"), end: Date.parse("2026-03-10T11:00:00Z") }
      ])
    })
  )

  it.live.each(["\v", "\0", "\u001b", "\uffff", "&#11;", "&#x1B;"])(
    "are read though a title has a character that XML forbids: %j",
    (character) =>
      Effect.gen(function* () {
        const text = object("a", `SUMMARY:a${character}b`, "DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")
        expect(yield* busyOf([found("/calendar/a.ics", `<c:calendar-data>${text}</c:calendar-data>`)])).toHaveLength(1)
      })
  )

  it.live("take whole days in the zone that the calendar names", () =>
    Effect.gen(function* () {
      const zone = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR"
      const day = data("/calendar/a.ics", object("a", "DTSTART;VALUE=DATE:20260310"))
      const [interval] = yield* busyOf([day], `<c:calendar-timezone><![CDATA[${zone}]]></c:calendar-timezone>`)
      expect(interval?.start).toBe(Date.parse("2026-03-09T15:00:00Z"))
    })
  )

  it.live("pass over an object that was deleted while the list was made", () =>
    Effect.gen(function* () {
      const gone = "<d:href>/calendar/b.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status>"
      expect(yield* busyOf([gone, data("/calendar/a.ics", hour)])).toHaveLength(1)
    })
  )

  it.live.each([
    ["that cannot be read", data("/calendar/b.ics", "BEGIN:VCALENDAR\r\nnonsense"), /b\.ics cannot be read/, "invalid"],
    ["without a name", data("", hour), /a response has no href/, "invalid"],
    [
      "that is an event without a calendar",
      data("/calendar/b.ics", hour.replace(/^.*?(?=BEGIN:VEVENT)/s, "").replace(/END:VCALENDAR\s*$/, "")),
      /b\.ics cannot be read: the object is not one VCALENDAR/,
      "invalid"
    ],
    [
      "in a zone that nobody defines",
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
      "every second for ever, a thousand times a second",
      data("/calendar/b.ics", object("b", "DTSTART:20200310T100000Z", "DURATION:P3650D", "RRULE:FREQ=SECONDLY")),
      /b\.ics cannot be read: the recurrence has too many occurrences/,
      "invalid"
    ],
    ["without its data", found("/calendar/b.ics", "<d:getetag>1</d:getetag>"), /b\.ics has no data/, "transport"],
    [
      "that says there are more",
      "<d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:error><d:number-of-matches-within-limits/></d:error>",
      /has no data, status 507/,
      "invalid"
    ]
  ] as const)("are an error and not a part, with an object %s", ([_what, resource, says, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(busyOf([data("/calendar/a.ics", hour), resource]))
      expect(error).toMatchObject({ reason })
      expect(String(error.cause)).toMatch(says)
    })
  )

  const listed = Effect.fnUntraced(function* (list: Reply) {
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
    return { busy, reports: server.asked.filter(({ method }) => method === "REPORT") }
  })

  it.live("are read from one list of everything, and no search is asked for", () =>
    Effect.gen(function* () {
      const { busy, reports } = yield* listed({ status: 207, body: multistatus(data("/calendar/a.ics", hour)) })
      expect(busy).toHaveLength(1)
      expect(reports).toHaveLength(1)
      expect(reports[0]?.body).not.toMatch(/prop-filter|time-range/)
    })
  )

  it.live.each([
    ["is too long for an answer", { status: 207, body: multistatus(data("/calendar/a.ics", hour.repeat(40))) }],
    [
      "does not come whole",
      {
        status: 207,
        body: multistatus(
          data("/calendar/a.ics", hour),
          "<d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status>"
        )
      }
    ],
    [
      "is more than the server tells",
      { status: 507, body: '<error xmlns="DAV:"><number-of-matches-within-limits/></error>' }
    ],
    [
      "is refused",
      {
        status: 403,
        body: '<error xmlns="DAV:"><valid-filter xmlns="urn:ietf:params:xml:ns:caldav"/></error>'
      }
    ]
  ] as const)("are searched for, by time and in all that recurs, when the list %s", ([_what, list]) =>
    Effect.gen(function* () {
      const { busy, reports } = yield* listed(list)
      expect(busy.map(({ start }) => start)).toEqual(
        ["2026-03-10T10:00:00Z", "2026-03-10T14:00:00Z"].map((text) => Date.parse(text))
      )
      expect(reports).toHaveLength(5)
    })
  )

  it.live("do not depend on an object that cannot be read when it lies far off", () =>
    Effect.gen(function* () {
      const mars = (day: string) =>
        data("/calendar/b.ics", object("b", `DTSTART;TZID=Mars:${day}T100000`, `DTEND;TZID=Mars:${day}T110000`))
      expect(yield* busyOf([data("/calendar/a.ics", hour), mars("20160310")])).toHaveLength(1)
      expect(yield* Effect.flip(busyOf([mars("20260312")]))).toMatchObject({ reason: "invalid" })
    })
  )

  const laughs = `<!DOCTYPE multistatus [<!ENTITY a "ha">${"bcdefghij"
    .split("")
    .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(10)}">`)
    .join("")}]><multistatus xmlns="DAV:">&j;</multistatus>`

  it.live.each([
    ["entities that grow", laughs],
    [
      "an entity from a file",
      '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><multistatus xmlns="DAV:">&x;</multistatus>'
    ],
    ["no end", "<multistatus xmlns='DAV:'><response>"],
    ["no XML", "It works!"],
    ["more levels than anybody needs", `${"<a>".repeat(200_000)}${"</a>".repeat(200_000)}`]
  ] as const)("are an error for an answer with %s", ([_what, body]) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => ({ status: 207, body }))
      const error = yield* Effect.flip(calendar.busy(from, DateTime.add(from, { days: 1 })))
      expect(error).toMatchObject({ reason: "transport" })
      expect(String(error.cause)).toMatch(/the body is not XML/)
    })
  )

  it.live.each([
    ["that hangs", () => {}, "transport"],
    ["that is too big", { status: 207, body: "x".repeat(20_000) }, "invalid"],
    ["from a calendar that is gone", { status: 404 }, "gone"],
    ["from a server that is busy", { status: 503, headers: { "retry-after": "120" } }, "transport"],
    ["from one that was asked too often", { status: 429, headers: { "retry-after": "7" } }, "rate_limited"]
  ] as const)("are an error for an answer %s", ([_what, reply, reason]) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => reply)
      const error = yield* calendar
        .busy(from, DateTime.add(from, { days: 1 }))
        .pipe(
          Effect.flip,
          Effect.provideService(CurrentRequestLimits, { timeout: Duration.millis(300), maxBytes: 10_000 })
        )
      expect(error.reason).toBe(reason)
      const seconds = "headers" in reply ? Number(reply.headers["retry-after"]) * 1_000 : null
      expect(error.retryAfterMillis).toBe(seconds)
    })
  )
})
