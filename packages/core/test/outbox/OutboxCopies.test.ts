import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/calendar/CalendarSync"
import { OutboxWorker } from "@frontdesk/core/outbox/OutboxWorker"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, Outside } from "../calendar/world.ts"

const body = { ...hour(), customerEmail: "jo@example.com" }

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** A new event, with these calendars connected. */
const make = (...providers: Outside["Service"]["providers"]) =>
  Effect.gen(function* () {
    const outside = yield* Outside
    outside.providers = providers
    return yield* (yield* CalendarEvents).create(body)
  })

describe("OutboxWorker, copies in outside calendars", () => {
  it.effect("each write is given what the calendar was last known to have, and keeps what it has now", () =>
    Effect.gen(function* () {
      const outside = yield* Outside
      const events = yield* CalendarEvents
      const known: Array<unknown> = []
      outside.copyOf = (provider, event) => {
        known.push(event.externalCalendars)
        return { id: `${provider}-1`, revision: `${event.title} shown` }
      }
      const { id } = yield* make("google")
      yield* drain
      outside.providers = ["google", "apple"]
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

  it.effect("a calendar that has nothing of the event leaves nothing to be kept", () =>
    Effect.gen(function* () {
      const outside = yield* Outside
      const events = yield* CalendarEvents
      outside.copyOf = (provider, event) => (event.title === "Demo" ? { id: provider, revision: "a" } : null)
      const { id, updatedAt } = yield* make("google")
      const missed = yield* events.create({ ...body, title: "Missed" })
      yield* drain
      expect((yield* events.get({ id: missed.id })).externalCalendars).toEqual({})
      // What was known of a copy stays when the calendar says nothing of it any more.
      outside.copyOf = () => null
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

  it.effect("a write that another was faster with is done at once with the event as it is then", () =>
    Effect.gen(function* () {
      const outside = yield* Outside
      const events = yield* CalendarEvents
      const principal = yield* Principal
      const { id } = yield* make("google")
      const written: Array<string> = []
      outside.onWrite = ({ title }) =>
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

  it.effect("what somebody has deleted in a calendar is not tried again, what is changed there is read anew", () =>
    Effect.gen(function* () {
      const outside = yield* Outside
      for (const [reason, tries] of [
        ["gone", 1],
        ["conflict", 4]
      ] as const) {
        let count = 0
        yield* make("google")
        outside.onWrite = () =>
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
})
