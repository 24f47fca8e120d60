import { expect, it } from "@effect/vitest"
import * as Arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as fc from "fast-check"
import { describe } from "vitest"
import { OutlookCalendar } from "@frontdesk/calendar-sync"
import { connected } from "../fake/Connections.ts"
import { changed, newEvent } from "../fake/Events.ts"
import type { ReceivedRequest } from "../fake/FakeServer.ts"
import { teams } from "../fake/Graph.ts"
import { fieldsIn, parsed } from "../fake/Json.ts"
import * as CalendarOpening from "../fake/CalendarOpening.ts"
import { openCalendar, openCalendarWith } from "./openCalendar.ts"

const patches = (requests: ReadonlyArray<ReceivedRequest>) =>
  requests.filter(({ method }) => method === "PATCH").map(parsed)

describe("Outlook", () => {
  it.effect("only fields that differ are written, so that the changes of a person to other fields stay", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* openCalendar
      const event = newEvent({ location: "Room 1", description: "a < b\nc" })
      const copy = yield* write(event)
      const id = copy?.id ?? ""
      graph.change(id, { categories: ["Red"], importance: "high", attendees: [{ type: "required" }] })
      yield* write(changed(event, { location: "Room 2" }), copy)
      expect(graph.events.get(id)?.fields).toMatchObject({
        categories: ["Red"],
        importance: "high",
        attendees: [{ type: "required" }],
        location: { displayName: "Room 2" }
      })
      expect(patches(server.requests).map(Object.keys)).toEqual([["singleValueExtendedProperties", "location"]])
    })
  )

  it.effect("a Teams meeting that a person adds is not a conflict, and survives a new description (D-EXT-19)", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* openCalendar
      const event = newEvent({ description: "Bring the papers", location: "Room 1" })
      const first = yield* write(event)
      const id = first?.id ?? ""
      graph.changeBody(id, teams)
      graph.change(id, { location: { displayName: "Room 1; Réunion Microsoft Teams" } })
      const moved = changed(event, { title: "Moved" })
      const second = yield* write(moved, first)
      yield* write(changed(moved, { description: "Bring nothing" }), second)
      const { content } = fieldsIn(graph.events.get(id)?.fields["body"])
      expect(content).toContain("https://teams.microsoft.com/l/meetup-join/1")
      expect(content).toContain("Bring nothing")
      expect(content).not.toContain("papers")
      expect(graph.events.get(id)?.fields).toMatchObject({
        subject: "Moved",
        location: { displayName: "Room 1; Réunion Microsoft Teams" }
      })
    })
  )

  it.effect("a description with a line of underscores, as before a meeting, is replaced completely", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* openCalendar
      const event = newEvent({ description: `Before ${"_".repeat(80)} after` })
      const first = yield* write(event)
      const moved = changed(event, { title: "Moved" })
      const second = yield* write(moved, first)
      yield* write(changed(moved, { description: "New" }), second)
      expect(patches(server.requests).map((patch) => "body" in patch)).toEqual([false, true])
      const { content } = fieldsIn(graph.events.get(first?.id ?? "")?.fields["body"])
      expect(content).toMatch(/<body>\s*New\s*<\/body>/)
    })
  )

  it.effect("a description that a person has changed is a conflict (D-EXT-2)", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* openCalendar
      const event = newEvent({ description: "Ours" })
      const copy = yield* write(event)
      graph.changeBody(copy?.id ?? "", (inner) => inner.replace("Ours", "Theirs"))
      expect(yield* Effect.flip(write(changed(event), copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("an event that is already written is not written again, also when the first answer was lost", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* openCalendar
      const event = newEvent()
      server.fail({ kind: "lost" }, ({ method, url }) => method === "POST" && url.pathname.endsWith("/events"))
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "transport" })
      const copy = yield* write(event)
      expect(yield* write(event, copy)).toEqual(copy)
      expect(graph.events.size).toBe(1)
      expect(server.requests.filter(({ method, url }) => method !== "GET" && url.pathname !== "/token")).toHaveLength(1)
    })
  )

  it.effect("a create repeated with another version returns the first copy with its own version", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      const event = newEvent()
      const first = yield* calendar.create(event, "0.1")
      const second = yield* calendar.create(changed(event), "1.2")
      expect(second).toEqual(first)
      expect(second.version).toBe("0.1")
      expect(graph.events.size).toBe(1)
    })
  )

  it.effect("a create refused as a duplicate, whose first copy is not found, fails with a retryable conflict", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      const event = newEvent()
      const { id } = yield* calendar.create(event, "0.1")
      const stored = graph.events.get(id)
      if (stored === undefined) throw new Error("The copy is not in the calendar")
      graph.events.set(id, { ...stored, properties: new Map() })
      expect(yield* Effect.flip(calendar.create(changed(event), "1.2"))).toMatchObject({
        reason: "conflict",
        isRetryable: true
      })
    })
  )

  it.effect("an event can be created in a second calendar of the same mailbox", () =>
    Effect.gen(function* () {
      const { graph, server, write, urls } = yield* openCalendar
      const event = newEvent()
      yield* write(event)
      // The second calendar does not have the copy of the first, but the mailbox still knows its `transactionId`.
      for (const [id, stored] of graph.events) graph.events.set(id, { ...stored, properties: new Map() })
      graph.calendar = { ...graph.calendar, id: "AAMkADk1=" }
      graph.isPrimary = false
      const provider = yield* OutlookCalendar.make(CalendarOpening.options(urls))
      const other = yield* CalendarOpening.open("outlook", provider, graph.oauth, "AAMkADk1=")
      expect(yield* other.write(event)).not.toBeNull()
      expect(graph.events.size).toBe(2)
      expect(
        server.requests.filter(({ method, url }) => method === "POST" && url.pathname.endsWith("/events"))
      ).toHaveLength(2)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("the copy is the oldest event with the mark when a person has duplicated it", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      const event = newEvent()
      const copy = yield* calendar.create(event, "0.1")
      const stored = graph.events.get(copy.id)
      if (stored === undefined) throw new Error("The copy is not in the calendar")
      const fields = { ...stored.fields, createdDateTime: "2026-05-01T00:00:00Z" }
      graph.events.set("duplicate", { ...stored, id: "duplicate", fields })
      expect(yield* calendar.find(event, null)).toMatchObject({ value: { id: copy.id } })
    })
  )

  it.effect.each([true, false])(
    "a replace of a copy that has changed since it was read fails with a conflict, when Graph checks If-Match: %s",
    (checksEtags) =>
      Effect.gen(function* () {
        const { calendar, graph } = yield* openCalendar
        graph.checksEtags = checksEtags
        const event = newEvent()
        const copy = yield* calendar.create(event, "0.1")
        graph.change(copy.id, { subject: "Faster" })
        expect(yield* Effect.flip(calendar.replace(event, "1.2", copy))).toMatchObject({ reason: "conflict" })
        expect(graph.events.get(copy.id)?.fields).toMatchObject({ subject: "Faster" })
      })
  )

  it.effect(
    "a cancelled event with the longest title has a shortened subject with a prefix and is free, until it is scheduled again",
    () =>
      Effect.gen(function* () {
        const { graph, write } = yield* openCalendar
        const event = newEvent({ title: "日".repeat(255) })
        const copy = yield* write(event)
        const cancelled = changed(event, { status: "cancelled" })
        const after = yield* write(cancelled, copy)
        expect(graph.events.get(copy?.id ?? "")?.fields).toMatchObject({
          subject: `Canceled: ${"日".repeat(244)}…`,
          showAs: "free"
        })
        const again = changed(cancelled)
        yield* write(changed(again, { status: "scheduled" }), yield* write(again, after))
        expect(graph.events.get(copy?.id ?? "")?.fields).toMatchObject({ subject: "日".repeat(255), showAs: "busy" })
      })
  )

  it.effect("an event that is cancelled twice has the prefix once", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* openCalendar
      const event = newEvent()
      const copy = yield* write(event)
      const cancelled = changed(event, { status: "cancelled" })
      yield* write(changed(cancelled), yield* write(cancelled, copy))
      expect(graph.events.get(copy?.id ?? "")?.fields).toMatchObject({ subject: "Canceled: Demo" })
    })
  )

  it.effect("a copy that a person made an all-day event is a conflict", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* openCalendar
      const event = newEvent()
      const copy = yield* write(event)
      graph.change(copy?.id ?? "", { isAllDay: true })
      expect(yield* Effect.flip(write(changed(event), copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("any event leads to one copy, which never counts as changed by a person", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* openCalendar
      yield* Property.forAll(
        fc.tuple(
          Arbitrary.calendarEvent({ accountId: connected }),
          Arbitrary.calendarEvent({ accountId: connected }),
          fc.boolean()
        ),
        ([first, second, isMeeting]) =>
          Effect.gen(function* () {
            graph.events.clear()
            server.requests.length = 0
            const before = { ...first, sequence: 0 }
            const copy = yield* write(before)
            if (copy !== null && isMeeting) graph.changeBody(copy.id, teams)
            expect(yield* write(before, copy)).toEqual(copy)
            const after = { ...second, uuid: first.uuid, sequence: 1 }
            const next = yield* write(after, copy)
            expect(yield* write(after, next)).toEqual(next)
            // An event that is cancelled before its first write has no copy.
            expect(graph.events.size).toBe(copy === null && next === null ? 0 : 1)
            expect(patches(server.requests)).toHaveLength(copy === null ? 0 : 1)
          }),
        { numRuns: 50 }
      )
    })
  )

  it.effect("a check returns whether the calendar can be written, and writes nothing", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* openCalendar
      expect(yield* calendar.check).toEqual({ isUsable: true, says: '"Calendar" can be read and written' })
      graph.calendar = { ...graph.calendar, canEdit: false }
      expect(yield* calendar.check).toMatchObject({ isUsable: false })
      expect(yield* Effect.flip(calendar.create(newEvent(), "0.1"))).toMatchObject({ reason: "unauthorized" })
      graph.calendar = { ...graph.calendar, id: "other" }
      expect(yield* Effect.flip(calendar.check)).toMatchObject({ reason: "gone" })
      expect(graph.events.size).toBe(0)
    })
  )

  it.effect.each([
    ["zoë/team+1%2F?#@example.com=", "zoë/team+1%2F?#@example.com="],
    ["AAMkADk0=", "primary"]
  ] as const)("a calendar with the id %s that is opened as %s can be written, read and identified", ([id, name]) =>
    Effect.gen(function* () {
      const { calendar, graph, write } = yield* openCalendarWith(id, name)
      const event = newEvent()
      const copy = yield* write(event)
      yield* write(changed(event, { title: "Moved" }), copy)
      expect(graph.events.size).toBe(1)
      expect(yield* calendar.busy(event.startTime, event.endTime)).toHaveLength(1)
      expect(yield* calendar.check).toMatchObject({ isUsable: true })
      expect(yield* calendar.id).toBe(id)
    })
  )
})
