import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Scope.ts"
import type { TeamId } from "../access/Team.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Interval } from "../values/Interval.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { CalendarEvent, CalendarEventId, CalendarEventType } from "./CalendarEvent.ts"
import type { ConflictCounts } from "./ConflictCounts.ts"
import type { CalendarEventKey } from "./CalendarEventKey.ts"
import type { CalendarEventStatus } from "./CalendarEventStatus.ts"

/** The filters of a list of calendar events. An event must match all of them (D-CAL-8). */
export interface CalendarEventFilter {
  /** The event starts at this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** The event starts before this instant. */
  readonly until?: DateTime.Utc | undefined
  /** The event ends after this instant. */
  readonly endsAfter?: DateTime.Utc | undefined
  readonly status?: CalendarEventStatus | undefined
  readonly eventType?: CalendarEventType | undefined
  readonly aiAgentId?: AgentId | undefined
  readonly teamId?: TeamId | undefined
  /** The comparison ignores upper and lower case. */
  readonly customerEmail?: string | undefined
  /** The event is of this contact (D-CAL-21). */
  readonly contact?: EventContact | undefined
}

/**
 * A contact whose calendar events are requested: those that were booked for it, that have one of its phone numbers, or that
 * have its e-mail address.
 */
export interface EventContact {
  readonly contactId: ContactId
  /** Each is compared with `customer.phone` exactly. */
  readonly phoneNumbers: ReadonlyArray<string>
  /** Null for none. The comparison ignores upper and lower case. */
  readonly email: string | null
}

/** The person whose calendar events are requested: a contact, phone numbers, or both. */
export interface EventCustomer {
  readonly contactId: ContactId | null
  /** Each is compared with `customer.phone` exactly. An empty text matches no event. */
  readonly phoneNumbers: ReadonlyArray<string>
}

/**
 * Port: stores calendar events. The agent of an event is returned as it was written. The team of an event is returned
 * with its present name. `insert` and `update` append to the statistics (`StatisticStore`).
 */
export class CalendarEventStore extends Context.Service<
  CalendarEventStore,
  {
    /**
     * Stores a new event, and returns it with its id. When its contact was deleted since the service read it, the event is
     * stored without a contact. Fails with reason `duplicate` when the UUID exists already.
     */
    readonly insert: (event: Omit<CalendarEvent, "id">) => Effect.Effect<CalendarEvent, StorageError>
    /** Returns an event in the scope. */
    readonly find: (scope: Scope, key: CalendarEventKey) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /** Returns an event in the scope, and locks it until the transaction ends. Call it inside `Transaction.run`. */
    readonly findForUpdate: (
      scope: Scope,
      key: CalendarEventKey
    ) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /**
     * Returns an event of any account. Only for a request with the event's signed link, and for workers that carry out
     * what a caller with permission has written.
     */
    readonly findAnywhere: (key: CalendarEventKey) => Effect.Effect<Option.Option<CalendarEvent>, StorageError>
    /**
     * Replaces every field except id, UUID, account and creation time. The contact must exist, as that of an event does that
     * `findForUpdate` has locked.
     */
    readonly update: (event: CalendarEvent) => Effect.Effect<void, StorageError>
    /** Returns a page of the events in the scope, ordered by start time, then id. */
    readonly list: (
      scope: Scope,
      filter: CalendarEventFilter,
      page: PageRequest
    ) => Effect.Effect<Page<CalendarEvent>, StorageError>
    /**
     * Returns the ids of all events that the account owns and that start at an instant or later, ordered by start time.
     * They are read in one statement, so they show the calendar at one moment.
     */
    readonly idsFrom: (
      accountId: AccountId,
      from: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<CalendarEventId>, StorageError>
    /**
     * Returns how many of the events that the account owns and that start at an instant or later have a copy in conflict in
     * each external calendar (`ConflictCounts.of`). A calendar without conflicts is absent.
     */
    readonly conflictsFrom: (accountId: AccountId, from: DateTime.Utc) => Effect.Effect<ConflictCounts, StorageError>
    /**
     * Returns the times of the account's own blocking events (`CalendarEventStatus.blocks`) that overlap `[from,
     * until)`, ordered by start. The cost does not depend on the number of other events of the account.
     *
     * @param except an event to leave out
     */
    readonly busy: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc,
      except: Option.Option<CalendarEventId>
    ) => Effect.Effect<ReadonlyArray<Interval>, StorageError>
    /**
     * Returns the account's own events that are ahead of a customer: scheduled or confirmed, not ended at `now`, and either
     * booked for the contact or with one of the phone numbers. They are ordered by start time, then id, at most `limit` of
     * them. The cost does not depend on the number of other events of the account.
     */
    readonly ofCustomer: (
      accountId: AccountId,
      customer: EventCustomer,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalendarEvent>, StorageError>
    /**
     * Locks the account's calendar until the transaction ends. Other transactions that lock it wait. Call it inside
     * `Transaction.run`, before {@link busy}.
     */
    readonly lockCalendar: (accountId: AccountId) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/calendar-event/CalendarEventStore") {}
