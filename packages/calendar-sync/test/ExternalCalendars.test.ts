import { describe, expect, it } from "@effect/vitest"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ExternalCalendars from "../src/ExternalCalendars.ts"
import type { RemoteCalendar, RemoteCopy, RemoteProvider } from "../src/RemoteCalendar.ts"
import * as Accounts from "./fake/Accounts.ts"
import * as Connections from "./fake/Connections.ts"
import { changed, newEvent } from "./fake/Events.ts"

/**
 * Returns external calendars in memory, and a layer that provides `CalendarSync` with them. `calendar` is the name of the
 * connected calendar. `calendars` has the copies in each calendar, by its name. `afterWrite` runs after each write.
 */
const makeWorld = () => {
  const calendars = new Map<string, Map<string, RemoteCopy>>()
  const world = { calendar: "work", calendars, afterWrite: () => {} }
  const open = (name: string): RemoteCalendar => {
    const copies = calendars.get(name) ?? new Map<string, RemoteCopy>()
    calendars.set(name, copies)
    const put = (event: CalendarEvent, version: string) =>
      Effect.sync(() => {
        const copy: RemoteCopy = { id: event.uuid, version, contentDigest: event.title, etag: null }
        copies.set(event.uuid, copy)
        world.afterWrite()
        return copy
      })
    return {
      find: (event) => Effect.sync(() => Option.fromUndefinedOr(copies.get(event.uuid))),
      create: put,
      restore: put,
      replace: put,
      busy: () => Effect.succeed([]),
      id: Effect.succeed(name),
      check: Effect.succeed({ isUsable: true, says: "" })
    }
  }
  const google: RemoteProvider = { open: ({ connection }) => Effect.sync(() => open(connection.calendar)) }
  const connections = Layer.effect(
    CalendarConnections,
    Effect.map(CalendarConnections, (fake) =>
      CalendarConnections.of({
        ...fake,
        open: () => Effect.sync(() => Option.some(Connections.connection("google", "secret", world.calendar)))
      })
    )
  ).pipe(Layer.provide(Connections.layer(Connections.connection("google", "secret"))))
  return { world, layer: ExternalCalendars.layer({ google }).pipe(Layer.provide([connections, Accounts.layer()])) }
}

const write = Effect.fnUntraced(function* (event: CalendarEvent) {
  const copy = yield* (yield* CalendarSync).write("google", event)
  return copy === null ? event : { ...event, externalCalendars: { google: copy } }
})

describe("ExternalCalendars.write", () => {
  it.effect(
    "an event whose copy is in another calendar gets a copy in the connected calendar, and keeps the old copy",
    () => {
      const { layer, world } = makeWorld()
      return Effect.gen(function* () {
        const event = yield* write(newEvent())
        world.calendar = "home"
        yield* write(event)
        expect([...world.calendars.values()].map(({ size }) => size)).toEqual([1, 1])
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect(
    "an event is written to the new calendar when the account was connected with it during the previous write",
    () => {
      const { layer, world } = makeWorld()
      return Effect.gen(function* () {
        world.afterWrite = () => {
          world.calendar = "home"
        }
        const event = yield* write(newEvent())
        yield* write(changed(event, { title: "Later" }))
        expect(world.calendars.get("home")?.get(event.uuid)?.contentDigest).toBe("Later")
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("a copy deleted by a person is still reported after the account had another calendar for some time", () => {
    const { layer, world } = makeWorld()
    return Effect.gen(function* () {
      const event = yield* write(newEvent())
      world.calendars.get("work")?.clear()
      expect(yield* Effect.flip(write(changed(event, { title: "Later" })))).toMatchObject({ reason: "gone" })
      world.calendar = "home"
      world.calendar = "work"
      expect(yield* Effect.flip(write(changed(event, { title: "Later" })))).toMatchObject({ reason: "gone" })
    }).pipe(Effect.provide(layer))
  })

  it.effect("an event that is cancelled after a change of the calendar is not created in the new calendar", () => {
    const { layer, world } = makeWorld()
    return Effect.gen(function* () {
      const event = yield* write(newEvent())
      world.calendar = "home"
      const copy = yield* (yield* CalendarSync).write("google", changed(event, { status: "cancelled" }))
      expect(copy).toBeNull()
      expect(world.calendars.get("home")?.size).toBe(0)
    }).pipe(Effect.provide(layer))
  })
})
