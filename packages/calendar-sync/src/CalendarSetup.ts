import type { AccountNotFound } from "@frontdesk/core/access/AccessError"
import type { CalendarConnection, ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as CalendarCheck from "./CalendarCheck.ts"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/** A new connection, and what the check of its calendar said. */
export interface Connected {
  readonly connection: CalendarConnection
  readonly says: string
}

/**
 * Checks a calendar and connects an account with it, which replaces an earlier connection with the same provider. Fails as
 * `CalendarCheck.run` without a change when the calendar cannot be used.
 *
 * @param calendar the id of the calendar at the provider, its URL with CalDAV, or `primary` with Google and Outlook
 */
export const connect = Tracing.operation("CalendarSetup.connect")(function* (
  provider: RemoteProvider,
  key: ConnectionKey,
  calendar: string,
  credentials: Redacted.Redacted<string>
): Effect.fn.Return<
  Connected,
  AccountNotFound | CalendarSyncError | StorageError | ValidationError,
  CalendarConnections
> {
  const checked = yield* CalendarCheck.run(provider, key, calendar, credentials)
  const connections = yield* CalendarConnections
  const connection = yield* connections.connect(key, checked.calendar, checked.credentials)
  return { connection, says: checked.says }
})
