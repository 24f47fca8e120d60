import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CopyWriter from "../../src/CopyWriter.ts"
import { calendarOf } from "./caldavConnection.ts"
import { multistatus, object } from "./scriptedServer.ts"

const event: CalendarEvent = {
  ...Samples.newCalendarEvent(AccountId.make(1)),
  id: CalendarEventId.make(1),
  uuid: CalendarEventUuid.make("1c0f2f5e-8c3d-4a57-b4f1-4f6f0d4f6f0d")
}

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
  ] as const)("a PUT answered by %o fails with %s", ([reply, reason]) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => reply)
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason })
    })
  )

  const rewritten = object(event.uuid, "DTSTART:20260101T000000Z", "SUMMARY:Rewritten", "X-FRONTDESK-VERSION:1")

  it.live.each([undefined, '"7"'])(
    "an object that the server changes is returned as the server stores it, when the PUT returns the ETag %s",
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

  it.live("a copy that a person changes right after the PUT is returned as it was written", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) =>
        method === "PUT"
          ? { status: 201, headers: { etag: '"7"' } }
          : { status: 200, headers: { etag: '"8"' }, body: rewritten }
      )
      const copy = yield* calendar.create(event, "1")
      const found = Option.getOrThrow(yield* calendar.find(event, null))
      expect(copy.etag).toBe('"7"')
      expect(found.contentDigest).not.toBe(copy.contentDigest)
    })
  )

  it.live("a PUT after which the event does not exist fails with gone", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) => ({ status: method === "PUT" ? 201 : 404 }))
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason: "gone" })
    })
  )

  it.live("a PUT has credentials, a condition, and an object without METHOD, and its URL has the UUID", () =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) => ({
        status: method === "PUT" ? 201 : 200,
        headers: { etag: '"1"' },
        body: rewritten
      }))
      yield* calendar.create(event, "0.17")
      expect(server.requests.map(({ method }) => method)).toEqual(["PUT", "GET"])
      expect(server.requests[0]).toMatchObject({
        method: "PUT",
        path: `/calendar/${event.uuid}.ics`,
        headers: {
          authorization: `Basic ${Buffer.from("ada:open sesame").toString("base64")}`,
          "content-type": "text/calendar; charset=utf-8",
          "if-none-match": "*"
        }
      })
      expect(server.requests[0]?.body).toContain("\r\nX-FRONTDESK-VERSION:0.17\r\nEND:VEVENT\r\n")
      expect(server.requests[0]?.body).not.toContain("METHOD")
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
  ] as const)("a replacement of a copy with the ETag %s has the condition %s", ([etag, condition]) =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) =>
        method === "GET"
          ? { status: 200, body: stored, ...(etag === undefined ? {} : { headers: { etag } }) }
          : { status: 204, headers: { etag: '"8"' } }
      )
      const copy = Option.getOrThrow(yield* calendar.find(event, null))
      yield* calendar.replace(event, "2", copy)
      const put = server.requests.find(({ method }) => method === "PUT")
      expect(put?.headers["if-match"]).toBe(condition)
      expect(put?.body).toContain("X-OTHER:theirs")
    })
  )

  it.live("a replacement fails with a conflict when the copy changes after it was read", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(({ method }) =>
        method === "GET" ? { status: 200, headers: { etag: '"7"' }, body: stored } : { status: 412 }
      )
      const copy = Option.getOrThrow(yield* calendar.find(event, null))
      expect(yield* Effect.flip(calendar.replace(event, "2", copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.live("a replacement of a deleted copy fails with gone", () =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => ({ status: 410 }))
      const copy = { id: event.uuid, version: "1", contentDigest: "x", etag: null }
      expect(yield* Effect.flip(calendar.replace(event, "2", copy))).toMatchObject({ reason: "gone" })
      expect(Option.isNone(yield* calendar.find(event, null))).toBe(true)
    })
  )

  it.live("a replacement of a copy that a person made a series is a single event", () =>
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
      const put = server.requests.find(({ method }) => method === "PUT")?.body ?? ""
      expect(put).not.toContain("RRULE")
      expect(put).not.toContain("METHOD")
      expect(put.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    })
  )
})

describe("CopyWriter.write to a CalDAV calendar", () => {
  it.live.each([
    { status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>Please log in</html>" },
    { status: 200 }
  ])("a write fails with transport, and is neither done nor a conflict, while every answer is %o", (page) =>
    Effect.gen(function* () {
      const { calendar } = yield* calendarOf(() => page)
      const known = { id: event.uuid, revision: "0.1 shown" }
      for (const copy of [undefined, known]) {
        for (const status of ["confirmed", "cancelled"] as const) {
          const write = CopyWriter.write(calendar, { ...event, status }, copy)
          expect(yield* Effect.flip(write)).toMatchObject({ reason: "transport" })
        }
      }
      // A create reads the event back, and that answer is a page too.
      expect(yield* Effect.flip(calendar.create(event, "1"))).toMatchObject({ reason: "transport" })
    })
  )

  it.live("a write over an object that cannot be read is a conflict, and a cancellation replaces the object", () =>
    Effect.gen(function* () {
      const { calendar, server } = yield* calendarOf(({ method }) =>
        method === "GET"
          ? { status: 200, headers: { etag: '"7"' }, body: "BEGIN:VCALENDAR\r\nBROKEN" }
          : { status: 204, headers: { etag: '"8"' } }
      )
      const known = { id: event.uuid, revision: "0.1 shown" }
      expect(yield* Effect.flip(CopyWriter.write(calendar, event, known))).toMatchObject({ reason: "conflict" })
      yield* CopyWriter.write(calendar, { ...event, status: "cancelled", sequence: 1 }, known)
      const put = server.requests.find(({ method }) => method === "PUT")?.body
      expect(put).toContain("STATUS:CANCELLED")
    })
  )

  it.live("a copy without its mark is replaced if its content is unchanged, and is a conflict otherwise", () =>
    Effect.gen(function* () {
      let body = ""
      const { calendar } = yield* calendarOf((request) => {
        if (request.method === "GET")
          return body === "" ? { status: 404 } : { status: 200, body, headers: { etag: '"7"' } }
        body = request.body
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
})
