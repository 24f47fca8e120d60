import { expect, it } from "@effect/vitest"
import * as Arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as Property from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { connected } from "../fake/Connections.ts"
import { changed, newEvent } from "../fake/Events.ts"
import { fieldsIn } from "../fake/Json.ts"
import { opened, openedWith } from "./opened.ts"

describe("Google Calendar", () => {
  it.effect("an event has the digits of its UUID as its id (D-EXT-18)", () =>
    Effect.gen(function* () {
      const { google, write } = yield* opened
      const event = newEvent()
      const copy = yield* write(event)
      expect(copy?.id).toBe(event.uuid.replaceAll("-", ""))
      expect([...google.events.keys()]).toEqual([copy?.id])
    })
  )

  it.effect("what somebody has added survives a change and is no conflict", () =>
    Effect.gen(function* () {
      const { google, write } = yield* opened
      const event = newEvent({ description: "a < b & c" })
      const copy = yield* write(event)
      const added = {
        colorId: "7",
        reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 5 }] },
        attendees: [{ email: "zoe@example.com" }],
        conferenceData: { conferenceId: "abc" }
      }
      google.change(copy?.id ?? "", {
        ...added,
        extendedProperties: {
          ...fieldsIn(google.events.get(copy?.id ?? "")?.["extendedProperties"]),
          shared: { theirs: "1" }
        }
      })
      yield* write(changed(event, { title: "Moved" }), copy)
      expect(google.events.get(copy?.id ?? "")).toMatchObject({
        ...added,
        summary: "Moved",
        description: "a &lt; b &amp; c",
        extendedProperties: { shared: { theirs: "1" } }
      })
    })
  )

  it.effect("an event that is written again, or by somebody who was not answered, is only read", () =>
    Effect.gen(function* () {
      const { server, write } = yield* opened
      const event = newEvent()
      server.fail({ kind: "lost" }, ({ method }) => method === "POST" && server.asked.length > 1)
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "transport" })
      const copy = yield* write(event)
      expect(yield* write(event, copy)).toEqual(copy)
      const writes = server.asked.filter(({ method, url }) => method !== "GET" && url.pathname !== "/token")
      expect(writes).toHaveLength(1)
    })
  )

  it.effect("a create that is repeated at the same time finds the event of the other", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* opened
      const event = newEvent()
      const copies = yield* Effect.all([calendar.create(event, "1.1"), calendar.create(event, "1.1")], {
        concurrency: "unbounded"
      })
      expect(copies[0]).toEqual(copies[1])
      expect(google.events.size).toBe(1)
    })
  )

  it.effect("an event that was deleted before its copy was known is not made again (D-EXT-2)", () =>
    Effect.gen(function* () {
      const { google, write } = yield* opened
      const event = newEvent()
      const copy = yield* write(event)
      google.change(copy?.id ?? "", { status: "cancelled" })
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "gone", isRetryable: false })
    })
  )

  it.effect("whoever was slower is told of a conflict", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* opened
      const event = newEvent()
      const copy = yield* calendar.create(event, "1.1")
      google.change(copy.id, { summary: "Faster" })
      expect(yield* Effect.flip(calendar.replace(event, "2.2", copy))).toMatchObject({
        reason: "conflict",
        isRetryable: true
      })
      expect(google.events.get(copy.id)).toMatchObject({ summary: "Faster" })
    })
  )

  it.effect("what somebody has made an all-day event is changed by hand, and cancelled all the same", () =>
    Effect.gen(function* () {
      const { google, write } = yield* opened
      const event = newEvent()
      const copy = yield* write(event)
      const id = copy?.id ?? ""
      google.change(id, { start: { date: "2026-03-02" }, end: { date: "2026-03-03" }, summary: "Theirs" })
      expect(yield* Effect.flip(write(changed(event), copy))).toMatchObject({ reason: "conflict" })
      const cancelled = changed(event, { status: "cancelled" })
      const after = yield* write(cancelled, copy)
      expect(google.events.get(id)).toMatchObject({ status: "cancelled", summary: "Theirs" })
      yield* write(changed(cancelled, { status: "confirmed", sequence: 2 }), after)
      expect(google.events.get(id)).toMatchObject({
        status: "confirmed",
        summary: "Demo",
        start: { dateTime: "2026-03-02T10:00:00+01:00" }
      })
    })
  )

  it.effect("an event that takes no time is shown as free", () =>
    Effect.gen(function* () {
      const { calendar, google, write } = yield* opened
      const event = newEvent({ status: "no_show" })
      const copy = yield* write(event)
      expect(google.events.get(copy?.id ?? "")).toMatchObject({ transparency: "transparent" })
      const day = [DateTime.subtract(event.startTime, { hours: 1 }), DateTime.add(event.endTime, { hours: 1 })] as const
      expect(yield* calendar.busy(...day)).toEqual([])
      yield* write(changed(event, { status: "confirmed" }), copy)
      expect(yield* calendar.busy(...day)).toHaveLength(1)
    })
  )

  it.effect("a text that is too long for Google is cut, and its markup stays whole", () =>
    Effect.gen(function* () {
      const { google, write } = yield* opened
      const copy = yield* write(
        newEvent({ description: "<&>".repeat(3_333), videoConferenceUrl: "https://meet.example.com/a" })
      )
      expect(google.events.get(copy?.id ?? "")?.["description"]).toMatch(/^(&lt;&amp;&gt;)+(&lt;)?(&amp;)?…$/)
    })
  )

  it.effect("whatever an event says, it is one copy that nobody has changed", () =>
    Effect.gen(function* () {
      const { google, server, write } = yield* opened
      yield* Property.forAll(
        fc.tuple(Arbitrary.calendarEvent({ accountId: connected }), Arbitrary.calendarEvent({ accountId: connected })),
        ([first, second]) =>
          Effect.gen(function* () {
            google.events.clear()
            server.asked.length = 0
            const before = { ...first, sequence: 0 }
            const copy = yield* write(before)
            expect(yield* write(before, copy)).toEqual(copy)
            const after = { ...second, uuid: first.uuid, sequence: 1 }
            const next = yield* write(after, copy)
            expect(yield* write(after, next)).toEqual(next)
            // One that is cancelled before it was written is written nowhere.
            expect(google.events.size).toBe(copy === null && next === null ? 0 : 1)
            expect(server.asked.filter(({ method }) => method === "PATCH")).toHaveLength(copy === null ? 0 : 1)
          }),
        { numRuns: 50 }
      )
    })
  )

  it.effect.each([
    ["zoë/team+1%2F?#@example.com=", "zoë/team+1%2F?#@example.com="],
    ["zoe@example.com", "primary"]
  ] as const)("a calendar is written, read and tells its own id, whatever it is called: %s, %s", ([id, name]) =>
    Effect.gen(function* () {
      const { calendar, google, write } = yield* openedWith(id, name)
      const event = newEvent()
      const copy = yield* write(event)
      yield* write(changed(event, { title: "Moved" }), copy)
      expect(google.events.size).toBe(1)
      expect(yield* calendar.busy(event.startTime, event.endTime)).toHaveLength(1)
      expect(yield* calendar.check).toMatchObject({ isUsable: true })
      expect(yield* calendar.id).toBe(id)
    })
  )
})
