import type { Interval } from "@frontdesk/core/values/Interval"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { OpenConnection } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { Check } from "@frontdesk/core/values/Check"
import type { TimeZone } from "@frontdesk/core/values/TimeZone"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"

/** The copy of an event as an outside calendar has it. */
export interface RemoteEvent {
  readonly id: string
  /** The version of the event that Frontdesk last wrote: the mark it left there; null when there is none. */
  readonly version: string | null
  /** A digest of what the calendar shows of what Frontdesk writes: another one once somebody has changed that. */
  readonly shown: string
  /** Under which it may be replaced if nobody has written since; null: the calendar gives none. */
  readonly etag: string | null
}

/** A calendar of one account: what each provider does in its own way. */
export interface RemoteCalendar {
  /** The copy of an event, by its id there when that is known, else by the event; none when there is none. */
  readonly find: (
    event: CalendarEvent,
    id: string | null
  ) => Effect.Effect<Option.Option<RemoteEvent>, CalendarSyncError>
  /**
   * Makes a copy, marked with the version. A repeat makes no second one: it answers the first, or fails with `conflict`,
   * and `find` finds it.
   */
  readonly create: (event: CalendarEvent, version: string) => Effect.Effect<RemoteEvent, CalendarSyncError>
  /**
   * Makes a copy anew after somebody has deleted the one there, marked with the version. A repeat makes no second one, as
   * with `create`.
   *
   * @param id of the copy that was deleted; null when it is not known
   */
  readonly restore: (
    event: CalendarEvent,
    version: string,
    id: string | null
  ) => Effect.Effect<RemoteEvent, CalendarSyncError>
  /** Puts the event as it is now in the place of the copy; `conflict` when somebody was faster. */
  readonly replace: (
    event: CalendarEvent,
    version: string,
    copy: RemoteEvent
  ) => Effect.Effect<RemoteEvent, CalendarSyncError>
  /**
   * See `CalendarSync.busy`.
   *
   * @param timeZone of whole days and of times without a zone, where the calendar itself has none
   */
  readonly busy: (
    from: DateTime.Utc,
    until: DateTime.Utc,
    timeZone: TimeZone
  ) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError>
  /**
   * The calendar's own id, which names no other one: `primary` is another calendar with each account. The calendar that
   * a connection is made with; see `CalendarCheck`.
   */
  readonly id: Effect.Effect<string, CalendarSyncError>
  /** See `CalendarSync.check`. */
  readonly check: Effect.Effect<Check, CalendarSyncError>
}

/** A provider of calendars, as the operator has set it up. */
export interface RemoteProvider {
  /**
   * The calendar of a connection.
   *
   * @param renewed keeps credentials that the provider has given in the place of the connection's; false: it has others by now
   */
  readonly open: (
    connection: OpenConnection,
    renewed: (credentials: Redacted.Redacted<string>) => Effect.Effect<boolean, StorageError>
  ) => Effect.Effect<RemoteCalendar, CalendarSyncError | StorageError>
}
