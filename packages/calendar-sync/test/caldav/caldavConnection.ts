import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { Server } from "@frontdesk/provider-fakes/caldav/CaldavServer"
import { type TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Caldav from "../../src/caldav/Caldav.ts"
import * as ExternalCalendars from "../../src/ExternalCalendars.ts"
import * as Accounts from "../fake/Accounts.ts"
import { type ReceivedRequest, type Reply, scriptedServer } from "./scriptedServer.ts"

/** The account that has a connection. */
export const connected = AccountId.make(1)

/** An account without a connection. */
export const unconnected = AccountId.make(2)

/** Returns a connection with the calendar of a server. */
export const connectionOf = ({ calendar, password, username }: Omit<Server, "url">) => {
  const at = DateTime.makeUnsafe(0)
  return {
    connection: { accountId: connected, provider: "apple" as const, calendar, createdAt: at, updatedAt: at },
    credentials: Caldav.credentials({ username, password: Redacted.make(password) })
  }
}

/** Opens the calendar of a server with the adapter. */
export const open = (server: Omit<Server, "url">) =>
  Caldav.make().pipe(
    Effect.flatMap((provider) => provider.open(connectionOf(server), () => Effect.succeed(true))),
    Effect.map((calendar) => ({
      ...calendar,
      busy: (from: DateTime.Utc, until: DateTime.Utc, timeZone = utc) => calendar.busy(from, until, timeZone)
    })),
    Effect.provide(FetchHttpClient.layer)
  )

/** Starts a server with scripted answers, and opens its calendar with the adapter. */
export const calendarOf = Effect.fnUntraced(function* (answer: (request: ReceivedRequest) => Reply) {
  const server = yield* scriptedServer(answer)
  return { calendar: yield* Effect.orDie(open(server)), server }
})

/** Provides `CalendarConnections` with one connection: that of {@link connected} with the calendar of a server. */
const connections = (server: Omit<Server, "url">): Layer.Layer<CalendarConnections> => {
  const none = () => Effect.die("not used")
  const connection = connectionOf(server)
  return Layer.succeed(
    CalendarConnections,
    CalendarConnections.of({
      connect: none,
      disconnect: none,
      renew: none,
      list: (accountId) => Effect.succeed(accountId === connected ? [connection.connection] : []),
      open: ({ accountId }) => Effect.succeed(accountId === connected ? Option.some(connection) : Option.none())
    })
  )
}

/** Provides `CalendarSync` for the calendar of a server. All accounts are in one time zone. */
export const sync = (server: Omit<Server, "url">, timeZone: TimeZone = utc) =>
  Layer.unwrap(Effect.map(Caldav.make(), (apple) => ExternalCalendars.layer({ apple }))).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide([connections(server), Accounts.layer(timeZone)])
  )
