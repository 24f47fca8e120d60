import { AccountId } from "@frontdesk/core/access/Account"
import type { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { CalendarConnection } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections, type OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Accounts from "./Accounts.ts"

/** The account that has a connection. */
export const connected = AccountId.make(1)

/** An account without a connection. */
export const unconnected = AccountId.make(2)

/** Returns a connection of {@link connected} whose credentials have a refresh token. */
export const connection = (
  provider: CalendarProviderKey,
  refreshToken: string,
  calendar = "primary"
): OpenConnection => {
  const now = DateTime.makeUnsafe("2026-03-02T09:00:00Z")
  const about: CalendarConnection = { accountId: connected, provider, calendar, createdAt: now, updatedAt: now }
  return { connection: about, credentials: Redacted.make(JSON.stringify({ refreshToken })) }
}

/** Provides `CalendarConnections` with one connection in memory, and accounts whose time zone is UTC. */
export const layer = (initial: OpenConnection): Layer.Layer<AccountStore | CalendarConnections> =>
  Layer.sync(CalendarConnections, () => {
    let stored = initial
    return CalendarConnections.of({
      connect: (key, calendar, credentials) =>
        Effect.sync(() => {
          stored = { connection: { ...stored.connection, ...key, calendar }, credentials }
          return stored.connection
        }),
      disconnect: () => Effect.die("not for this test"),
      list: (accountId) => Effect.sync(() => (accountId === stored.connection.accountId ? [stored.connection] : [])),
      open: ({ accountId }) =>
        Effect.sync(() => (accountId === stored.connection.accountId ? Option.some(stored) : Option.none())),
      renew: (_key, before, after) =>
        Effect.sync(() => {
          if (!Equal.equals(stored.credentials, before)) return false
          stored = { ...stored, credentials: after }
          return true
        })
    })
  }).pipe(Layer.merge(Accounts.layer()))
