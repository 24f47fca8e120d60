import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, EventId, EventUuid } from "@frontdesk/core/calendar/CalendarEvent"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CopyWriter from "../../src/CopyWriter.ts"
import { CurrentRequestLimits } from "../../src/request/Exchange.ts"
import { open } from "./connecting.ts"
import { type Asked, found, multistatus, object, type Reply, scripted } from "./scripted.ts"

const event: CalendarEvent = {
  ...Samples.newEvent(AccountId.make(1)),
  id: EventId.make(1),
  uuid: EventUuid.make("1c0f2f5e-8c3d-4a57-b4f1-4f6f0d4f6f0d")
}

/** The calendar of a server that answers as it is told. */
const calendarOf = Effect.fnUntraced(function* (answer: (asked: Asked) => Reply) {
  const server = yield* scripted(answer)
  return { calendar: yield* Effect.orDie(open(server)), server }
})

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

describe("a PUT", () => {
  const refused = (status: string, condition: string) =>
    multistatus(
      `<d:href>/calendar/x.ics</d:href><d:status>HTTP/1.1 ${status}</d:status><d:error><c:${condition}/></d:error>`
    )

  it.live.each([
    [{ status: 207, body: refused("412 Precondition Failed", "no-uid-conflict") }, "conflict"],
    [{ status: 207, body: refused("412 Precondition Failed", "valid-calendar-data") }, "invalid"],
    [{ status: 207, body: refused("403 Forbidden", "something-new") }, "unauthorized"],
    [{ status: 207, body: refused("507 Insufficient Storage", "something-new") }, "transport"],
    [{ status: 207, body: multistatus() }, "invalid"],
    [{ status: 207, body: "<html>" }, "transport"],
    [{ status: 207, body: "<html></html>" }, "invalid"],
    [{ status: 403, body: '<error xmlns="DAV:"><quota-not-exceeded/></error>' }, "invalid"],
    [{ status: 403, body: '<error xmlns="DAV:"><need-privileges/></error>' }, "unauthorized"],
    [
      { status: 403, body: '<error xmlns="DAV:"><max-resource-size xmlns="urn:ietf:params:xml:ns:caldav"/></error>' },
      "invalid"
    ],
    [{ status: 409, body: "no-uid-conflict" }, "conflict"],
    [{ status: 412 }, "conflict"],
    [{ status: 302, headers: { location: "/elsewhere/" } }, "invalid"],
    [{ status: 507 }, "transport"]
  ] as const)("that is answered by %o is %s", ([reply, reason]) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => reply)
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason })
    })
  )

  const rewritten = object(event.uuid, "DTSTART:20260101T000000Z", "SUMMARY:Rewritten", "X-FRONTDESK-VERSION:1")

  it.live.each([undefined, '"7"'])(
    "of what the server changes, with the ETag %s, is known as the server has it",
    (etag) =>
      Effect.gen(function* () {
        const { calendar } = yield* calendarOf(({ method }) =>
          method === "PUT"
            ? { status: 204, ...(etag === undefined ? {} : { headers: { etag } }) }
            : { status: 200, headers: { etag: '"7"' }, body: rewritten }
        )
        const copy = yield* calendar.create(event, "1")
        expect(copy).toMatchObject({ etag: '"7"', version: "1" })
        expect(Option.getOrThrow(yield* calendar.find(event, null))).toEqual(copy)
      })
  )

  it.live("that somebody changes at once is known as it was written", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) =>
        method === "PUT"
          ? { status: 201, headers: { etag: '"7"' } }
          : { status: 200, headers: { etag: '"8"' }, body: rewritten }
      )
      const copy = yield* calendar.create(event, "1")
      const found = Option.getOrThrow(yield* calendar.find(event, null))
      expect(copy.etag).toBe('"7"')
      expect(found.shown).not.toBe(copy.shown)
    })
  )

  it.live("whose event is not there afterwards is gone", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) => ({ status: method === "PUT" ? 201 : 404 }))
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason: "gone" })
    })
  )

  it.live("carries the account, its condition, and no METHOD, to the name of the event", () =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) => ({
        status: method === "PUT" ? 201 : 200,
        headers: { etag: '"1"' },
        body: rewritten
      }))
      yield* calendar.create(event, "0.17")
      expect(server.asked.map(({ method }) => method)).toEqual(["PUT", "GET"])
      expect(server.asked[0]).toMatchObject({
        method: "PUT",
        path: `/calendar/${event.uuid}.ics`,
        headers: {
          authorization: `Basic ${Buffer.from("ada:open sesame").toString("base64")}`,
          "content-type": "text/calendar; charset=utf-8",
          "if-none-match": "*"
        }
      })
      expect(server.asked[0]?.body).toContain("\r\nX-FRONTDESK-VERSION:0.17\r\nEND:VEVENT\r\n")
      expect(server.asked[0]?.body).not.toContain("METHOD")
    })
  )
})

describe("a replacement", () => {
  const stored = object(
    event.uuid,
    "DTSTART:20260101T000000Z",
    "SUMMARY:Old",
    "X-FRONTDESK-VERSION:1",
    "X-OTHER:theirs"
  )

  it.live.each([
    ['"7"', '"7"'],
    ['W/"7"', '"7"'],
    [undefined, "*"]
  ] as const)("of a copy with the ETag %s asks for %s", ([etag, condition]) =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) =>
        method === "GET"
          ? { status: 200, body: stored, ...(etag === undefined ? {} : { headers: { etag } }) }
          : { status: 204, headers: { etag: '"8"' } }
      )
      const copy = Option.getOrThrow(yield* calendar.find(event, null))
      yield* calendar.replace(event, "2", copy)
      const put = server.asked.find(({ method }) => method === "PUT")
      expect(put?.headers["if-match"]).toBe(condition)
      expect(put?.body).toContain("X-OTHER:theirs")
    })
  )

  it.live("that loses a race after it was read is a conflict", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) =>
        method === "GET" ? { status: 200, headers: { etag: '"7"' }, body: stored } : { status: 412 }
      )
      const copy = Option.getOrThrow(yield* calendar.find(event, null))
      expect(yield* Effect.flip(calendar.replace(event, "2", copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.live("of a copy that was deleted meanwhile is gone", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => ({ status: 410 }))
      const copy = { id: event.uuid, version: "1", shown: "x", etag: null }
      expect(yield* Effect.flip(calendar.replace(event, "2", copy))).toMatchObject({ reason: "gone" })
      expect(Option.isNone(yield* calendar.find(event, null))).toBe(true)
    })
  )

  it.live.each([
    { status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>Please log in</html>" },
    { status: 200 }
  ])("is not taken for written, nor the event for changed or cancelled, while all that comes is %o", (page) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => page)
      const known = { id: event.uuid, revision: "0.1 shown" }
      for (const copy of [undefined, known]) {
        for (const status of ["confirmed", "cancelled"] as const) {
          const write = CopyWriter.write(calendar, { ...event, status }, copy)
          expect(yield* Effect.flip(write)).toMatchObject({ reason: "transport" })
        }
      }
      // The event may be lost on the way back, too.
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason: "transport" })
    })
  )

  it.live("of what cannot be read is a conflict, a cancel takes its place", () =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) =>
        method === "GET"
          ? { status: 200, headers: { etag: '"7"' }, body: "BEGIN:VCALENDAR\r\nBROKEN" }
          : { status: 204, headers: { etag: '"8"' } }
      )
      const known = { id: event.uuid, revision: "0.1 shown" }
      expect(yield* Effect.flip(CopyWriter.write(calendar, event, known))).toMatchObject({ reason: "conflict" })
      yield* CopyWriter.write(calendar, { ...event, status: "cancelled", sequence: 1 }, known)
      const put = server.asked.find(({ method }) => method === "PUT")?.body
      expect(put).toContain("STATUS:CANCELLED")
    })
  )

  it.live("of a copy that lost its mark is written if it shows what was written, else a conflict", () =>
    Effect.gen(function* () {
      let body = ""
      const { calendar } = yield* calendarOf((asked) => {
        if (asked.method === "GET")
          return body === "" ? { status: 404 } : { status: 200, body, headers: { etag: '"7"' } }
        body = asked.body
        return { status: 201, headers: { etag: '"7"' } }
      })
      const known = (yield* CopyWriter.write(calendar, event, undefined)) ?? undefined
      const next = { ...event, title: "Next", sequence: 1 }
      body = body.replace(/X-FRONTDESK.*\r\n/, "")
      yield* CopyWriter.write(calendar, next, known)
      expect(body).toContain("SUMMARY:Next")
      body = body.replace(/X-FRONTDESK.*\r\n/, "").replace("SUMMARY:Next", "SUMMARY:By hand")
      const again = CopyWriter.write(calendar, { ...event, sequence: 2 }, known)
      expect(yield* Effect.flip(again)).toMatchObject({ reason: "conflict" })
    })
  )

  it.live("of a copy that somebody has made a series is one event again", () =>
    Effect.gen(function* () {
      const series = stored
        .replace("VERSION:2.0", "VERSION:2.0\r\nMETHOD:REQUEST")
        .replace(
          "END:VEVENT\r\n",
          `RRULE:FREQ=DAILY\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:${event.uuid}\r\nRECURRENCE-ID:20260102T000000Z\r\nDTSTART:20260102T010000Z\r\nEND:VEVENT\r\n`
        )
      const { calendar, server } = yield* calendarOf(({ method }) =>
        method === "GET"
          ? { status: 200, body: series, headers: { etag: '"7"' } }
          : { status: 204, headers: { etag: '"8"' } }
      )
      const copy = Option.getOrThrow(yield* calendar.find(event, null))
      yield* calendar.replace({ ...event, status: "cancelled" }, "2", copy)
      const put = server.asked.find(({ method }) => method === "PUT")?.body ?? ""
      expect(put).not.toContain("RRULE")
      expect(put).not.toContain("METHOD")
      expect(put.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    })
  )
})

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
    ["without a name", data("", hour), /a response names no resource/, "invalid"],
    [
      "that is an event without a calendar",
      data("/calendar/b.ics", hour.replace(/^.*?(?=BEGIN:VEVENT)/s, "").replace(/END:VCALENDAR\s*$/, "")),
      /b\.ics cannot be read: it is not one VCALENDAR/,
      "invalid"
    ],
    [
      "in a zone that nobody defines",
      data("/calendar/b.ics", object("b", "DTSTART;TZID=Mars/Olympus:20260310T100000", "DURATION:PT1H")),
      /b\.ics cannot be read: its time zone is not known: Mars\/Olympus/,
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
      /b\.ics cannot be read: its recurrence has too many occurrences/,
      "invalid"
    ],
    ["without its data", found("/calendar/b.ics", "<d:getetag>1</d:getetag>"), /b\.ics has no data/, "transport"],
    [
      "that says there are more",
      "<d:href>/calendar/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:error><d:number-of-matches-within-limits/></d:error>",
      /has no data, status 507/,
      "transport"
    ]
  ] as const)("are an error and not a part, with an object %s", ([_what, resource, says, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(busyOf([data("/calendar/a.ics", hour), resource]))
      expect(error).toMatchObject({ reason })
      expect(String(error.cause)).toMatch(says)
    })
  )

  it.live("are read from the whole list when the server cannot search for properties", () =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ body, method }) => {
        if (method === "PROPFIND") return { status: 207, body: multistatus(found("/calendar/", "")) }
        if (body.includes("time-range")) return { status: 207, body: multistatus() }
        if (!body.includes("prop-filter")) return { status: 207, body: multistatus(data("/calendar/a.ics", hour)) }
        return {
          status: 403,
          body: '<error xmlns="DAV:"><supported-filter xmlns="urn:ietf:params:xml:ns:caldav"/></error>'
        }
      })
      expect(yield* calendar.busy(from, DateTime.add(from, { days: 1 }))).toHaveLength(1)
      expect(server.asked.at(-1)?.body).not.toMatch(/prop-filter|time-range/)
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
      expect(String(error.cause)).toMatch(/the body is no XML/)
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
