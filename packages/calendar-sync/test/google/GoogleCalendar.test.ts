import { expect, it } from "@effect/vitest"
import * as Arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as Property from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { connected } from "../fake/Connections.ts"
import { changed, newEvent } from "../fake/Events.ts"
import { isCreate } from "../fake/Faults.ts"
import { fieldsIn } from "../fake/Json.ts"
import { openCalendar, openCalendarWith } from "./openCalendar.ts"

describe("Google Calendar", () => {
  it.effect("the id of a copy is made of the digits of the event's UUID (D-EXT-18)", () =>
    Effect.gen(function* () {
      const { google, write } = yield* openCalendar
      const event = newEvent()
      const copy = yield* write(event)
      expect(copy?.id).toBe(event.uuid.replaceAll("-", ""))
      expect([...google.events.keys()]).toEqual([copy?.id])
    })
  )

  it.effect("fields that a person has added survive a write and are not a conflict", () =>
    Effect.gen(function* () {
      const { google, write } = yield* openCalendar
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

  it.effect("an event that is already written is not written again, also when the first answer was lost", () =>
    Effect.gen(function* () {
      const { server, write } = yield* openCalendar
      const event = newEvent()
      server.fail({ kind: "lost" }, isCreate)
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "transport" })
      const copy = yield* write(event)
      expect(yield* write(event, copy)).toEqual(copy)
      const writes = server.requests.filter(({ method, url }) => method !== "GET" && url.pathname !== "/token")
      expect(writes).toHaveLength(1)
    })
  )

  it.effect("two simultaneous creates of one event return the same copy", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* openCalendar
      const event = newEvent()
      const copies = yield* Effect.all([calendar.create(event, "1.1"), calendar.create(event, "1.1")], {
        concurrency: "unbounded"
      })
      expect(copies[0]).toEqual(copies[1])
      expect(google.events.size).toBe(1)
    })
  )

  it.effect("an event whose copy a person deleted before its id was stored is not created again (D-EXT-2)", () =>
    Effect.gen(function* () {
      const { google, write } = yield* openCalendar
      const event = newEvent()
      const copy = yield* write(event)
      google.change(copy?.id ?? "", { status: "cancelled" })
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "gone", isRetryable: false })
    })
  )

  it.effect("a replace of a copy that has changed since it was read fails with a conflict", () =>
    Effect.gen(function* () {
      const { calendar, google } = yield* openCalendar
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

  it.effect(
    "a copy that a person made an all-day event is a conflict, and can still be cancelled and confirmed again",
    () =>
      Effect.gen(function* () {
        const { google, write } = yield* openCalendar
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

  it.effect("an event whose status does not block time is shown as free", () =>
    Effect.gen(function* () {
      const { calendar, google, write } = yield* openCalendar
      const event = newEvent({ status: "no_show" })
      const copy = yield* write(event)
      expect(google.events.get(copy?.id ?? "")).toMatchObject({ transparency: "transparent" })
      const day = [DateTime.subtract(event.startTime, { hours: 1 }), DateTime.add(event.endTime, { hours: 1 })] as const
      expect(yield* calendar.busy(...day)).toEqual([])
      yield* write(changed(event, { status: "confirmed" }), copy)
      expect(yield* calendar.busy(...day)).toHaveLength(1)
    })
  )

  it.effect("a description that is too long for Google is shortened between two escaped characters", () =>
    Effect.gen(function* () {
      const { google, write } = yield* openCalendar
      const copy = yield* write(
        newEvent({ description: "<&>".repeat(3_333), videoConferenceUrl: "https://meet.example.com/a" })
      )
      expect(google.events.get(copy?.id ?? "")?.["description"]).toMatch(/^(&lt;&amp;&gt;)+(&lt;)?(&amp;)?…$/)
    })
  )

  it.effect("any event leads to one copy, which never counts as changed by a person", () =>
    Effect.gen(function* () {
      const { google, server, write } = yield* openCalendar
      yield* Property.forAll(
        fc.tuple(Arbitrary.calendarEvent({ accountId: connected }), Arbitrary.calendarEvent({ accountId: connected })),
        ([first, second]) =>
          Effect.gen(function* () {
            google.events.clear()
            server.requests.length = 0
            const before = { ...first, sequence: 0 }
            const copy = yield* write(before)
            expect(yield* write(before, copy)).toEqual(copy)
            const after = { ...second, uuid: first.uuid, sequence: 1 }
            const next = yield* write(after, copy)
            expect(yield* write(after, next)).toEqual(next)
            // An event that is cancelled before its first write has no copy.
            expect(google.events.size).toBe(copy === null && next === null ? 0 : 1)
            expect(server.requests.filter(({ method }) => method === "PATCH")).toHaveLength(copy === null ? 0 : 1)
          }),
        { numRuns: 50 }
      )
    })
  )

  it.effect.each([
    ["zoë/team+1%2F?#@example.com=", "zoë/team+1%2F?#@example.com="],
    ["zoe@example.com", "primary"]
  ] as const)("a calendar with the id %s that is opened as %s can be written, read and identified", ([id, name]) =>
    Effect.gen(function* () {
      const { calendar, google, write } = yield* openCalendarWith(id, name)
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
