import type { ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type { RemoteProvider } from "./RemoteCalendar.ts"

/** A calendar that can be used: what an account is connected with by `CalendarConnections.connect`. */
export interface Tried {
  /** The calendar's own id, also when it was tried by a name such as `primary`. */
  readonly calendar: string
  /** The credentials to keep: those that were given, or what the provider has renewed them to. */
  readonly credentials: Redacted.Redacted<string>
  /** What the calendar says of itself, for people. */
  readonly says: string
}

/**
 * Tries a calendar before an account is connected with it; writes nothing.
 *
 * Fails when it cannot be used: with `invalid` when it can be reached and not be written, and as the provider does else.
 */
export const run = Effect.fn("CalendarCheck.run")(function* (
  provider: RemoteProvider,
  key: ConnectionKey,
  calendar: string,
  credentials: Redacted.Redacted<string>
): Effect.fn.Return<Tried, CalendarSyncError | StorageError> {
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
