import type { AccountId } from "@frontdesk/core/access/Account"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Interval } from "@frontdesk/core/values/Interval"
import type * as Effect from "effect/Effect"
import type { SuiteOptions } from "./Storage.ts"

/** A calendar event as an external calendar has it. */
export interface ExternalEvent {
  readonly externalId: string
  readonly title: string
  readonly isCancelled: boolean
}

/**
 * What the suite must know about a `CalendarSync`. `R` are the services of the layer with which a test looks into the
 * external calendars.
 */
export interface CalendarSyncSuiteOptions<R> extends SuiteOptions {
  /** Returns an account and the providers that it is connected to, at least one. */
  readonly connected: Effect.Effect<
    { readonly accountId: AccountId; readonly providers: ReadonlyArray<CalendarProviderKey> },
    never,
    R
  >
  /** An account without a connection. */
  readonly unconnected: AccountId
  /** Returns every calendar event that the external calendar has. */
  readonly listEvents: (provider: CalendarProviderKey) => Effect.Effect<ReadonlyArray<ExternalEvent>, never, R>
  /** Adds a busy time to the external calendar that does not come from Frontdesk. */
  readonly addBusyTime: (provider: CalendarProviderKey, busy: Interval) => Effect.Effect<void, never, R>
  /**
   * Adds a busy time that repeats every week, as often as `weeks` says. Without it recurring busy times are not tested.
   */
  readonly addWeeklyBusyTime?: (
    provider: CalendarProviderKey,
    first: Interval,
    weeks: number
  ) => Effect.Effect<void, never, R>
  /**
   * Runs a change when the external calendar receives the next write of the adapter, before it carries the write out.
   * Without it the tests of other writers are skipped.
   */
  readonly changeBeforeNextWrite?: (
    provider: CalendarProviderKey,
    change: Effect.Effect<void>
  ) => Effect.Effect<void, never, R>
  /**
   * Connects the account with the first or with another calendar of the provider. `listEvents` and `addBusyTime` then mean
   * that calendar. Without it the tests of a change of the calendar are skipped.
   */
  readonly connectCalendar?: (
    provider: CalendarProviderKey,
    calendar: "first" | "other"
  ) => Effect.Effect<void, never, R>
  /** Changes that a person makes in the external calendar. Without it the tests of such changes are skipped. */
  readonly userChanges?: {
    /** Changes the title of a calendar event. */
    readonly rename: (provider: CalendarProviderKey, id: string, title: string) => Effect.Effect<void, never, R>
    /** Deletes a calendar event. */
    readonly remove: (provider: CalendarProviderKey, id: string) => Effect.Effect<void, never, R>
  }
}
