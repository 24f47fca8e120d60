import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Principal.ts"
import type { TeamId } from "../access/Team.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { CalendarEvent, CalendarEventId, CalendarEventType } from "./CalendarEvent.ts"
import type { CalendarEventKey } from "./CalendarEventKey.ts"
import type { CalendarEventStatus } from "./CalendarEventStatus.ts"

/** Which events a list holds; each filter given narrows it (D-CAL-8). */
export interface CalendarEventFilter {
  /** Starts at this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** Starts before this instant. */
  readonly until?: DateTime.Utc | undefined
  readonly status?: CalendarEventStatus | undefined
  readonly eventType?: CalendarEventType | undefined
  readonly aiAgentId?: AgentId | undefined
  readonly teamId?: TeamId | undefined
  /** In any case. */
  readonly customerEmail?: string | undefined
}

/** Half-open instants `[start, end)` in epoch milliseconds. */
export interface BusyInterval {
  readonly start: number
  readonly end: number
}

/**
 * Port: where calendar events are stored. The agent is stored with the event and shown as it was written; the team is
 * shown under its present name.
 */
export class CalendarEventStore extends Context.Service<
  CalendarEventStore,
  {
    /** Keeps a new event. Fails with reason `duplicate` when the UUID is taken. */
    readonly insert: (event: Omit<CalendarEvent, "id">) => Effect.Effect<CalendarEvent, StorageError>
    /** An event in the scope. */
    readonly find: (scope: Scope, key: CalendarEventKey) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /** An event in the scope, held until the transaction ends. Used inside `Transaction.run`. */
    readonly findForUpdate: (
      scope: Scope,
      key: CalendarEventKey
    ) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /**
     * An event of any account: only for a caller who has shown the event's signed link, and for workers that act on
     * what a caller was allowed to write.
     */
    readonly findAnywhere: (key: CalendarEventKey) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /** Replaces everything but id, UUID, account and creation time. */
    readonly update: (event: CalendarEvent) => Effect.Effect<void, StorageError>
    /** Events in the scope by start time, then id. */
    readonly list: (
      scope: Scope,
      filter: CalendarEventFilter,
      page: PageRequest
    ) => Effect.Effect<Page<CalendarEvent>, StorageError>
    /** The ids of all of the account's own events that start at an instant or later, by start time, as of one moment. */
    readonly idsFrom: (
      accountId: AccountId,
      from: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<CalendarEventId>, StorageError>
    /**
     * When the account's own blocking events (`CalendarEventStatus.blocks`) that meet `[from, until)` are, by start. Costs the
     * same however many other events the account has.
     */
    readonly busy: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc,
      except: Option.Option<CalendarEventId>
    ) => Effect.Effect<ReadonlyArray<BusyInterval>, StorageError>
    /**
     * Makes every other transaction that locks the same calendar wait until this one ends. Used inside
     * `Transaction.run`, before reading what is busy.
     */
    readonly lockCalendar: (accountId: AccountId) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/calendar-event/CalendarEventStore") {}
