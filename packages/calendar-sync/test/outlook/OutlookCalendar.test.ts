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
import type { Asked } from "../fake/FakeServer.ts"
import { teams } from "../fake/Graph.ts"
import { fieldsIn, parsed } from "../fake/Json.ts"
import * as Opened from "../fake/Opened.ts"
import { opened, openedWith } from "./opened.ts"

const patches = (asked: ReadonlyArray<Asked>) => asked.filter(({ method }) => method === "PATCH").map(parsed)

describe("Outlook", () => {
  it.effect("only what differs is written, so that all else stays as somebody has made it", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* opened
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
      expect(patches(server.asked).map(Object.keys)).toEqual([["singleValueExtendedProperties", "location"]])
    })
  )

  it.effect("a Teams meeting that somebody adds is no conflict and survives another description (D-EXT-19)", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* opened
      const event = newEvent({ description: "Bring the papers", location: "Room 1" })
      const first = yield* write(event)
      const id = first?.id ?? ""
      graph.wrap(id, teams)
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

  it.effect("a description that looks like a meeting's is replaced like any other", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* opened
      const event = newEvent({ description: `Before ${"_".repeat(80)} after` })
      const first = yield* write(event)
      const moved = changed(event, { title: "Moved" })
      const second = yield* write(moved, first)
      yield* write(changed(moved, { description: "New" }), second)
      expect(patches(server.asked).map((patch) => "body" in patch)).toEqual([false, true])
      const { content } = fieldsIn(graph.events.get(first?.id ?? "")?.fields["body"])
      expect(content).toMatch(/<body>\s*New\s*<\/body>/)
    })
  )

  it.effect("a description that somebody has changed is a conflict (D-EXT-2)", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* opened
      const event = newEvent({ description: "Ours" })
      const copy = yield* write(event)
      graph.wrap(copy?.id ?? "", (inner) => inner.replace("Ours", "Theirs"))
      expect(yield* Effect.flip(write(changed(event), copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("an event that is written again, or by somebody who was not answered, is only read", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* opened
      const event = newEvent()
      server.fail({ kind: "lost" }, ({ method, url }) => method === "POST" && url.pathname.endsWith("/events"))
      expect(yield* Effect.flip(write(event))).toMatchObject({ reason: "transport" })
      const copy = yield* write(event)
      expect(yield* write(event, copy)).toEqual(copy)
      expect(graph.events.size).toBe(1)
      expect(server.asked.filter(({ method, url }) => method !== "GET" && url.pathname !== "/token")).toHaveLength(1)
    })
  )

  it.effect("a create that is repeated with another version answers the first, with the version it has", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* opened
      const event = newEvent()
      const first = yield* calendar.create(event, "0.1")
      const second = yield* calendar.create(changed(event), "1.2")
      expect(second).toEqual(first)
      expect(second.version).toBe("0.1")
      expect(graph.events.size).toBe(1)
    })
  )

  it.effect("a create that is refused as repeated, and of which nothing is found, is tried again", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* opened
      const event = newEvent()
      const { id } = yield* calendar.create(event, "0.1")
      const kept = graph.events.get(id)
      if (kept === undefined) throw new Error("it is not there")
      graph.events.set(id, { ...kept, properties: new Map() })
      expect(yield* Effect.flip(calendar.create(changed(event), "1.2"))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("an event is made in another calendar of the same mailbox, too", () =>
    Effect.gen(function* () {
      const { graph, server, write, urls } = yield* opened
      const event = newEvent()
      yield* write(event)
      // What is in the one calendar is not in the other; the mailbox knows what was made.
      for (const [id, kept] of graph.events) graph.events.set(id, { ...kept, properties: new Map() })
      graph.calendar = { ...graph.calendar, id: "AAMkADk1=" }
      graph.isPrimary = false
      const provider = yield* OutlookCalendar.make(Opened.options(urls))
      const other = yield* Opened.open("outlook", provider, graph.oauth, "AAMkADk1=")
      expect(yield* other.write(event)).not.toBeNull()
      expect(graph.events.size).toBe(2)
      expect(
        server.asked.filter(({ method, url }) => method === "POST" && url.pathname.endsWith("/events"))
      ).toHaveLength(2)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("of a duplicate that somebody has made, marks and all, the first is the copy", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* opened
      const event = newEvent()
      const copy = yield* calendar.create(event, "0.1")
      const kept = graph.events.get(copy.id)
      if (kept === undefined) throw new Error("it is not there")
      const fields = { ...kept.fields, createdDateTime: "2026-05-01T00:00:00Z" }
      graph.events.set("duplicate", { ...kept, id: "duplicate", fields })
      expect(yield* calendar.find(event, null)).toMatchObject({ value: { id: copy.id } })
    })
  )

  it.effect.each([true, false])(
    "whoever was slower is told of a conflict, whether If-Match is heeded or not",
    (heeds) =>
      Effect.gen(function* () {
        const { calendar, graph } = yield* opened
        graph.heedsEtags = heeds
        const event = newEvent()
        const copy = yield* calendar.create(event, "0.1")
        graph.change(copy.id, { subject: "Faster" })
        expect(yield* Effect.flip(calendar.replace(event, "1.2", copy))).toMatchObject({ reason: "conflict" })
        expect(graph.events.get(copy.id)?.fields).toMatchObject({ subject: "Faster" })
      })
  )

  it.effect(
    "a cancelled event says so in its subject and takes no time, also when the title is as long as can be",
    () =>
      Effect.gen(function* () {
        const { graph, write } = yield* opened
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

  it.effect("an event that is cancelled twice says so once", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* opened
      const event = newEvent()
      const copy = yield* write(event)
      const cancelled = changed(event, { status: "cancelled" })
      yield* write(changed(cancelled), yield* write(cancelled, copy))
      expect(graph.events.get(copy?.id ?? "")?.fields).toMatchObject({ subject: "Canceled: Demo" })
    })
  )

  it.effect("what somebody has made an all-day event is changed by hand", () =>
    Effect.gen(function* () {
      const { graph, write } = yield* opened
      const event = newEvent()
      const copy = yield* write(event)
      graph.change(copy?.id ?? "", { isAllDay: true })
      expect(yield* Effect.flip(write(changed(event), copy))).toMatchObject({ reason: "conflict" })
    })
  )

  it.effect("whatever an event says, it is one copy that nobody has changed", () =>
    Effect.gen(function* () {
      const { graph, server, write } = yield* opened
      yield* Property.forAll(
        fc.tuple(
          Arbitrary.calendarEvent({ accountId: connected }),
          Arbitrary.calendarEvent({ accountId: connected }),
          fc.boolean()
        ),
        ([first, second, isMeeting]) =>
          Effect.gen(function* () {
            graph.events.clear()
            server.asked.length = 0
            const before = { ...first, sequence: 0 }
            const copy = yield* write(before)
            if (copy !== null && isMeeting) graph.wrap(copy.id, teams)
            expect(yield* write(before, copy)).toEqual(copy)
            const after = { ...second, uuid: first.uuid, sequence: 1 }
            const next = yield* write(after, copy)
            expect(yield* write(after, next)).toEqual(next)
            // One that is cancelled before it was written is written nowhere.
            expect(graph.events.size).toBe(copy === null && next === null ? 0 : 1)
            expect(patches(server.asked)).toHaveLength(copy === null ? 0 : 1)
          }),
        { numRuns: 50 }
      )
    })
  )

  it.effect("a check tells whether the calendar can be written, and changes nothing", () =>
    Effect.gen(function* () {
      const { calendar, graph } = yield* opened
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
  ] as const)("a calendar is written, read and tells its own id, whatever it is called: %s, %s", ([id, name]) =>
    Effect.gen(function* () {
      const { calendar, graph, write } = yield* openedWith(id, name)
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
