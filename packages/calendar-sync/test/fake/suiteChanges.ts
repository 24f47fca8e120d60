import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { Interval } from "@frontdesk/core/values/Interval"
import * as Effect from "effect/Effect"
import * as Connections from "./Connections.ts"
import type { FakeServer } from "./FakeServer.ts"
import type { OAuthServer } from "./OAuthServer.ts"

/** What the functions of this module need of a fake that shows one calendar at a time. */
interface Shown<Event> {
  readonly oauth: OAuthServer
  readonly events: Map<string, Event>
  isPrimary: boolean
}

/** Returns the starts of a busy time that repeats weekly. The APIs of Google and Outlook expand recurring events. */
export const weekly = ({ end, start }: Interval, weeks: number): ReadonlyArray<Interval> =>
  Array.from({ length: weeks }, (_, index) => ({ start: start + index * week, end: end + index * week }))

const week = 604_800_000

/** Runs a change before the server carries out the next request that writes. */
export const changeBeforeNextWrite = (server: FakeServer, change: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.sync(() =>
    server.fail(
      { kind: "preceded", first: () => Effect.runPromise(change) },
      ({ method, url }) => /\/events(\/|$)/.test(url.pathname) && (method === "POST" || method === "PATCH")
    )
  )

/**
 * Returns a function that connects the account with the first or with another calendar of a fake. The fake then shows the
 * events of that calendar and has no other.
 *
 * @param rename gives the fake's calendar another id, and returns the calendar's name for the connection
 */
export const connecting = <Event>(
  provider: CalendarProviderKey,
  fake: Shown<Event>,
  rename: (calendar: "first" | "other") => string
) => {
  const stored = { first: new Map<string, Event>(), other: new Map<string, Event>() }
  let present: "first" | "other" = "first"
  return (calendar: "first" | "other"): Effect.Effect<void, never, CalendarConnections> =>
    Effect.gen(function* () {
      stored[present] = new Map(fake.events)
      present = calendar
      fake.events.clear()
      for (const [id, event] of stored[present]) fake.events.set(id, event)
      fake.isPrimary = calendar === "first"
      const { credentials } = Connections.connection(provider, fake.oauth.agree())
      const { connect } = yield* CalendarConnections
      yield* Effect.orDie(connect({ accountId: Connections.connected, provider }, rename(calendar), credentials))
    })
}
