import type { ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/** A calendar that can be used. Its id and credentials are the arguments of `CalendarConnections.connect`. */
export interface UsableCalendar {
  /** The calendar's own id, also when it was checked under a name such as `primary`. */
  readonly calendar: string
  /** The credentials to store: the given ones, or those with which the provider has replaced them. */
  readonly credentials: Redacted.Redacted<string>
  /** The name and the state of the calendar, as a sentence for the operator. */
  readonly says: string
}

/**
 * Checks a calendar before an account is connected with it. It writes nothing.
 *
 * Fails with `invalid` when the calendar can be reached but not be used: it cannot be written, is not a calendar, or
 * supports no events. Any other failure is the provider's own.
 */
export const run = Tracing.operation("CalendarCheck.run")(function* (
  provider: RemoteProvider,
  key: ConnectionKey,
  calendar: string,
  credentials: Redacted.Redacted<string>
): Effect.fn.Return<UsableCalendar, CalendarSyncError | StorageError> {
  const latest = yield* Ref.make(credentials)
  const now = yield* DateTime.now
  const connection = { ...key, calendar, createdAt: now, updatedAt: now }
  const remote = yield* provider.open({ connection, credentials }, (renewed) =>
    Effect.as(Ref.set(latest, renewed), true)
  )
  const { isUsable, says } = yield* remote.check
  if (!isUsable) return yield* new CalendarSyncError({ reason: "invalid", cause: says })
  return { calendar: yield* remote.id, credentials: yield* Ref.get(latest), says }
})
