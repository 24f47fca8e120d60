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
import { type Asked, type Reply, scripted } from "./scripted.ts"

/** The account that is connected. */
export const connected = AccountId.make(1)

/** One that is connected to nothing. */
export const unconnected = AccountId.make(2)

/** A connection with the calendar of a server. */
export const connectionOf = ({ calendar, password, username }: Omit<Server, "url">) => {
  const at = DateTime.makeUnsafe(0)
  return {
    connection: { accountId: connected, provider: "apple" as const, calendar, createdAt: at, updatedAt: at },
    credentials: Caldav.credentials({ username, password: Redacted.make(password) })
  }
}

/** The calendar of a server, as the adapter has it. */
export const open = (server: Omit<Server, "url">) =>
  Caldav.make().pipe(
    Effect.flatMap((provider) => provider.open(connectionOf(server), () => Effect.succeed(true))),
    Effect.map((calendar) => ({
      ...calendar,
      busy: (from: DateTime.Utc, until: DateTime.Utc, timeZone = utc) => calendar.busy(from, until, timeZone)
    })),
    Effect.provide(FetchHttpClient.layer)
  )

/** The calendar of a server that answers as it is told. */
export const calendarOf = Effect.fnUntraced(function* (answer: (asked: Asked) => Reply) {
  const server = yield* scripted(answer)
  return { calendar: yield* Effect.orDie(open(server)), server }
})

/** The connections of one account with one calendar. */
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

/** The port over the calendar of a server, for accounts in a zone. */
export const sync = (server: Omit<Server, "url">, timeZone: TimeZone = utc) =>
  Layer.unwrap(Effect.map(Caldav.make(), (apple) => ExternalCalendars.layer({ apple }))).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide([connections(server), Accounts.layer(timeZone)])
  )
