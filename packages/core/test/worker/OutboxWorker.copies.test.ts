import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Page from "@frontdesk/core/values/Page"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, inAccount, FakeAdapters } from "../calendar/services.ts"
import { collect } from "@frontdesk/testing/LogCapture"

const body = { ...hour(), customerEmail: "jo@example.com" }

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** Creates a calendar event, with these external calendars connected. */
const make = (...providers: FakeAdapters["Service"]["providers"]) =>
  Effect.gen(function* () {
    const fakes = yield* FakeAdapters
    fakes.providers = providers
    return yield* (yield* CalendarEvents).create(body)
  })

describe("OutboxWorker with copies in external calendars", () => {
  it.effect("each write receives the last known copy, and its result is stored as the new one", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const known: Array<unknown> = []
      fakes.copyOf = (provider, event) => {
        known.push(event.externalCalendars)
        return { id: `${provider}-1`, revision: `${event.title} shown` }
      }
      const { id } = yield* make("google")
      yield* drain
      fakes.providers = ["google", "apple"]
      yield* events.patch({ id }, { title: "Moved" })
      yield* drain
      const [google, apple] = [
        { id: "google-1", revision: "Moved shown" },
        { id: "apple-1", revision: "Moved shown" }
      ]
      expect((yield* events.get({ id })).externalCalendars).toEqual({ google, apple })
      expect(known[0]).toEqual({})
      expect(known[1]).toEqual({ google: { id: "google-1", revision: "Demo shown" } })
    }).pipe(inAccount())
  )

  it.effect("a write that returns no copy stores none, and keeps a copy that is already stored", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      fakes.copyOf = (provider, event) => (event.title === "Demo" ? { id: provider, revision: "a" } : null)
      const { id, updatedAt } = yield* make("google")
      const missed = yield* events.create({ ...body, title: "Missed" })
      yield* drain
      expect((yield* events.get({ id: missed.id })).externalCalendars).toEqual({})
      // A stored copy stays when a later write returns none.
      fakes.copyOf = () => null
      yield* TestClock.adjust("1 hour")
      yield* events.patch({ id }, { status: "cancelled" })
      const cancelledAt = (yield* events.get({ id })).updatedAt
      yield* TestClock.adjust("1 hour")
      yield* drain
      const event = yield* events.get({ id })
      expect(event.externalCalendars).toEqual({ google: { id: "google", revision: "a" } })
      expect(event.updatedAt).toEqual(cancelledAt)
      expect(event.updatedAt).not.toEqual(updatedAt)
    }).pipe(inAccount())
  )

  it.effect("a write that met another write is repeated at once with the present calendar event", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const principal = yield* Principal
      const { id } = yield* make("google")
      const written: Array<string> = []
      fakes.onWrite = ({ title }) =>
        Effect.gen(function* () {
          written.push(title)
          if (written.length > 1) return
          yield* Effect.orDie(events.patch({ id }, { title: "Moved" }))
          return yield* new CalendarSyncError({ reason: "conflict", cause: "another was faster" })
        }).pipe(Effect.provideService(Principal, principal))
      yield* drain
      expect(written.slice(0, 2)).toEqual(["Demo", "Moved"])
    }).pipe(inAccount())
  )

  it.effect("a write to a deleted copy is not retried, and a write to a changed copy is", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      for (const [reason, tries] of [
        ["gone", 1],
        // A conflict is tried twice at once, and twice at its retry.
        ["conflict", 4]
      ] as const) {
        let count = 0
        yield* make("google")
        fakes.onWrite = () =>
          Effect.suspend(() => {
            count += 1
            return Effect.fail(new CalendarSyncError({ reason, cause: "by hand" }))
          })
        yield* drain
        yield* TestClock.adjust("10 seconds")
        yield* drain
        expect([reason, count]).toEqual([reason, tries])
      }
    }).pipe(inAccount())
  )

  const status = (id: CalendarEvent["id"]) =>
    Effect.gen(function* () {
      const { externalCalendarsStatus } = yield* (yield* CalendarEvents).get({ id })
      return Record.map(externalCalendarsStatus, ({ at, status }) => [status, DateTime.toEpochMillis(at)])
    })

  const byHand = (reason: "conflict" | "gone") => () =>
    Effect.fail(new CalendarSyncError({ reason, isByHand: true, cause: "by hand" }))

  it.effect(
    "the status of a copy is pending before the write, synced after it, and failed when the task is dead-lettered",
    () =>
      Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        const events = yield* CalendarEvents
        const { id } = yield* make("google")
        expect(yield* status(id)).toEqual({ google: ["pending", 0] })
        yield* TestClock.adjust("1 second")
        yield* drain
        expect(yield* status(id)).toEqual({ google: ["synced", 1_000] })
        fakes.onWrite = () => Effect.fail(new CalendarSyncError({ reason: "unauthorized", cause: "401" }))
        yield* TestClock.adjust("1 second")
        yield* events.patch({ id }, { title: "Moved" })
        expect(yield* status(id)).toEqual({ google: ["pending", 2_000] })
        yield* TestClock.adjust("1 second")
        yield* drain
        expect(yield* status(id)).toEqual({ google: ["failed", 3_000] })
        fakes.onWrite = () => Effect.void
        yield* events.patch({ id }, { title: "Third", syncExternalCalendars: false })
        expect(yield* status(id)).toEqual({ google: ["failed", 3_000] })
      }).pipe(inAccount())
  )

  it.effect("a dead-lettered task leaves the status synced when a later task has written the copy", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const { id } = yield* make("google")
      fakes.onWrite = () => Effect.fail(new CalendarSyncError({ reason: "rate_limited", cause: "429" }))
      yield* drain
      fakes.onWrite = () => Effect.void
      yield* events.patch({ id }, { title: "Moved" })
      yield* drain
      expect((yield* status(id))["google"]?.[0]).toBe("synced")
      fakes.onWrite = () => Effect.fail(new CalendarSyncError({ reason: "invalid", cause: "400" }))
      yield* TestClock.adjust("10 seconds")
      yield* drain
      expect((yield* (yield* OutboxStore).deadLettered({}, { page: 1, limit: 1 })).count).toBe(1)
      expect((yield* status(id))["google"]?.[0]).toBe("synced")
    }).pipe(inAccount())
  )

  it.effect.each(["conflict", "gone"] as const)(
    "a copy with the status %s is shown on the event and logged once, and its task is completed",
    (reason) =>
      collect((lines) =>
        Effect.gen(function* () {
          const fakes = yield* FakeAdapters
          const events = yield* CalendarEvents
          const { id, updatedAt } = yield* make("google")
          fakes.onWrite = byHand(reason)
          yield* drain
          expect(yield* status(id)).toEqual({ google: [reason, 0] })
          expect((yield* events.get({ id })).updatedAt).toEqual(updatedAt)
          yield* TestClock.adjust("1 second")
          yield* events.patch({ id }, { title: "Moved" })
          expect(yield* status(id)).toEqual({ google: [reason, 0] })
          yield* drain
          yield* TestClock.adjust("1 day")
          yield* drain
          const warnings = lines.filter(({ level }) => level === "Warn")
          expect(warnings.map(({ event }) => event)).toEqual(["calendar.conflict"])
          expect((yield* (yield* OutboxStore).deadLettered({}, { page: 1, limit: 1 })).count).toBe(0)
        })
      ).pipe(inAccount())
  )

  it.effect.each([
    ["overwrite", undefined, "synced"],
    ["keep_theirs", true, "kept"]
  ] as const)("a conflict is resolved by %s", ([resolution, isKept, after]) =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const { id } = yield* make("google")
      fakes.onWrite = byHand("conflict")
      yield* drain
      fakes.onWrite = () => Effect.void
      fakes.written.splice(0)
      fakes.copyOf = () => ({ id: "g", revision: "a", ...(isKept === undefined ? {} : { isKept }) })
      const resolved = yield* events.resolveCopy({ id }, "google", { resolution })
      expect(resolved.externalCalendarsStatus["google"]?.status).toBe("pending")
      yield* drain
      expect(fakes.written.map(({ resolution }) => resolution)).toEqual([resolution])
      expect(yield* status(id)).toEqual({ google: [after, 0] })
      // A second resolution has no effect.
      expect(
        (yield* events.resolveCopy({ id }, "google", { resolution })).externalCalendarsStatus["google"]?.status
      ).toBe(after)
      expect((yield* events.resolveCopy({ id }, "apple", { resolution })).externalCalendarsStatus).not.toHaveProperty(
        "apple"
      )
      yield* drain
      expect(fakes.written).toHaveLength(1)
    }).pipe(inAccount())
  )

  it.effect.each(["conflict", "gone"] as const)(
    "a %s that was resolved with keep_theirs can still be overwritten",
    (reason) =>
      Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        const events = yield* CalendarEvents
        const { id } = yield* make("google")
        fakes.onWrite = byHand(reason)
        yield* drain
        fakes.onWrite = () => Effect.void
        fakes.copyOf = () => ({ id: "g", revision: "a", isKept: true })
        yield* events.resolveCopy({ id }, "google", { resolution: "keep_theirs" })
        yield* drain
        expect((yield* status(id))["google"]?.[0]).toBe("kept")
        fakes.written.splice(0)
        fakes.copyOf = () => ({ id: "g", revision: "b" })
        const resolved = yield* events.resolveCopy({ id }, "google", { resolution: "overwrite" })
        expect(resolved.externalCalendarsStatus["google"]?.status).toBe("pending")
        yield* drain
        expect(fakes.written.map(({ resolution }) => resolution)).toEqual(["overwrite"])
        expect((yield* status(id))["google"]?.[0]).toBe("synced")
      }).pipe(inAccount())
  )

  it.effect("only the owner of a calendar event sees and resolves its copies (D-EXT-7)", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const events = yield* CalendarEvents
      const team = yield* makeTeam()
      const [owner, mate] = [yield* account({}, [team.id]), yield* account({}, [team.id])]
      fakes.providers = ["google"]
      const { id } = yield* events.create({ ...body, teamId: team.id }).pipe(as(owner))
      yield* drain
      fakes.onWrite = byHand("conflict")
      yield* events.patch({ id }, { title: "Moved" }).pipe(as(owner))
      yield* drain
      const resolve = events.resolveCopy({ id }, "google", { resolution: "overwrite" })
      expect(yield* Effect.flip(resolve.pipe(as(mate)))).toMatchObject({ _tag: "NotOwner", action: "resolve_copy" })
      const listed = Effect.map(events.list({}, Page.request({})), ({ items }) => items)
      const seen = yield* Effect.all([
        events.get({ id }),
        Effect.map(listed, ([event]) => event ?? expect.fail("the list is empty")),
        events.patch({ id }, { description: "New" }),
        events.put({ id }, { title: "New" }),
        Effect.map(events.cancel({ id }, {}), ({ event }) => event)
      ]).pipe(as(mate))
      for (const event of seen) {
        expect([event.externalCalendars, event.externalCalendarsStatus]).toEqual([{}, {}])
      }
      const own = yield* events.get({ id }).pipe(as(owner))
      expect(own.externalCalendars).toHaveProperty("google")
      expect(own.externalCalendarsStatus["google"]?.status).toBe("conflict")
      expect((yield* resolve.pipe(as(owner))).externalCalendarsStatus["google"]?.status).toBe("pending")
    }).pipe(inAccount())
  )

  it.effect("resolveCopy fails with CalendarEventNotFound for a calendar event that the caller cannot see", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* make("google")
      const foreign = events.resolveCopy({ id }, "google", { resolution: "overwrite" }).pipe(as(yield* account()))
      expect(yield* Effect.flip(foreign)).toMatchObject({ _tag: "CalendarEventNotFound" })
    }).pipe(inAccount())
  )
})
