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

/** The copy of a calendar event as the external calendar has it. */
export interface RemoteCopy {
  /** The id of the copy in the external calendar. */
  readonly id: string
  /** The version of the calendar event that Frontdesk last wrote, from its mark in the copy. Null without a mark. */
  readonly version: string | null
  /** A digest of those fields that Frontdesk writes. It changes when a person changes one of the fields. */
  readonly contentDigest: string
  /** The ETag that a conditional write sends, so that it fails after another write. Null when the calendar has none. */
  readonly etag: string | null
}

/** One calendar of one account at a provider. Each provider implements this interface. */
export interface RemoteCalendar {
  /** Finds the copy of a calendar event: by its id in the external calendar if that is known, otherwise by the event. */
  readonly find: (
    event: CalendarEvent,
    id: string | null
  ) => Effect.Effect<Option.Option<RemoteCopy>, CalendarSyncError>
  /**
   * Creates a copy, marked with the version. A repeat creates no second copy: it returns the first one, or fails with
   * `conflict`, after which `find` returns the first one. It can fail with `gone` when a person has deleted the first one.
   */
  readonly create: (event: CalendarEvent, version: string) => Effect.Effect<RemoteCopy, CalendarSyncError>
  /**
   * Creates the copy again after a person has deleted it, marked with the version. A repeat creates no second copy, as
   * with `create`.
   *
   * @param id the id of the deleted copy; null when it is not known
   */
  readonly restore: (
    event: CalendarEvent,
    version: string,
    id: string | null
  ) => Effect.Effect<RemoteCopy, CalendarSyncError>
  /**
   * Replaces the content of a copy by the calendar event as it is now. Fails with `conflict` when the copy has changed
   * since it was read, and with `gone` when it was deleted.
   */
  readonly replace: (
    event: CalendarEvent,
    version: string,
    copy: RemoteCopy
  ) => Effect.Effect<RemoteCopy, CalendarSyncError>
  /**
   * Returns the busy intervals between two instants, with the rules of `CalendarSync.busy`.
   *
   * @param timeZone the zone of whole days and of times without a zone, if the calendar has no zone of its own
   */
  readonly busy: (
    from: DateTime.Utc,
    until: DateTime.Utc,
    timeZone: TimeZone
  ) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError>
  /**
   * The calendar's own id, under which a connection is stored (see `CalendarCheck`). A name such as `primary` is not
   * enough, because it means a different calendar in each account.
   */
  readonly id: Effect.Effect<string, CalendarSyncError>
  /** Returns whether the calendar can be read and written. It writes nothing. */
  readonly check: Effect.Effect<Check, CalendarSyncError>
}

/** A provider of external calendars, as the operator has set it up. */
export interface RemoteProvider {
  /**
   * Opens the calendar of a connection.
   *
   * @param renewed stores the credentials with which the provider has replaced those of the connection. Returns false,
   *   and stores nothing, when the connection no longer has the old ones
   */
  readonly open: (
    connection: OpenConnection,
    renewed: (credentials: Redacted.Redacted<string>) => Effect.Effect<boolean, StorageError>
  ) => Effect.Effect<RemoteCalendar, CalendarSyncError | StorageError>
}
