import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { Interval } from "../values/Interval.ts"
import type { Check } from "../values/Check.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarConnection } from "./CalendarConnection.ts"
import type {
  CalendarEvent,
  CalendarProviderKey,
  CopyResolution,
  ExternalCopy
} from "../calendar-event/CalendarEvent.ts"

/**
 * The reason why an external calendar could not be used.
 *
 * - `invalid`: the provider rejects the request, or its answer is not as expected.
 * - `conflict`: a person has changed the copy, or another writer was faster.
 * - `gone`: the copy or the calendar does not exist any more.
 * - `unauthorized`: the provider does not accept the account's credentials.
 * - `rate_limited`: there were too many requests.
 * - `transport`: the provider cannot be reached, or fails.
 */
export const CalendarSyncReason = Schema.Literals([
  "invalid",
  "conflict",
  "gone",
  "unauthorized",
  "rate_limited",
  "transport"
])

/** The reason why an external calendar could not be used. */
export type CalendarSyncReason = typeof CalendarSyncReason.Type

/** The error of the port {@link CalendarSync}. */
export class CalendarSyncError extends Schema.TaggedError<CalendarSyncError>(
  "@frontdesk/core/external-calendar/CalendarSyncError"
)("CalendarSyncError", {
  reason: CalendarSyncReason,
  /** The wait that the provider requests before the next request, in milliseconds. Default: null, for none. */
  retryAfterMillis: Schema.NullOr(Schema.Int).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  /** Whether a person caused the `conflict` or `gone`. Only the owner's resolution ends it. Default: false. */
  isByHand: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  /**
   * Whether the URL itself states an address to which this server does not connect, such as 10.0.0.5. Only then a person may
   * be told so, because it reveals nothing of the network (D-EXT-22). Default: false.
   */
  isForbiddenAddress: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  /** What was requested and what the provider answered. It never contains a credential. */
  cause: Schema.Defect()
}) {
  /**
   * Whether the same call may succeed later. After a conflict with another writer it may, because each write reads the
   * copy again. After a change by a person it cannot.
   */
  get isRetryable(): boolean {
    if (this.isByHand) return false
    return this.reason === "rate_limited" || this.reason === "transport" || this.reason === "conflict"
  }
}

/**
 * A connected calendar. When `calendar` or `updatedAt` changes, data that was cached before the change is no longer
 * valid.
 */
export type ConnectedCalendar = Pick<CalendarConnection, "provider" | "calendar" | "updatedAt">

/** Port: writes calendar events to external calendars, and reads their busy times. */
export class CalendarSync extends Context.Service<
  CalendarSync,
  {
    /** Returns the external calendars to which the account is connected. */
    readonly connected: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ConnectedCalendar>, StorageError>
    /**
     * Writes a calendar event to an external calendar, and returns its copy. A cancelled event is written as cancelled.
     * Returns null when the event is cancelled and the calendar never had a copy.
     *
     * - Repeating a write is harmless, even when the answer to the first was lost: there is one copy.
     * - A copy that a person has changed or deleted since the last write (`event.externalCalendars`) is not
     *   overwritten. The write fails with `conflict` or `gone`, and `isByHand` (D-EXT-2).
     * - A cancelled event is written even over a person's change. When the copy is gone, the write succeeds.
     * - A copy in a calendar to which the account is no longer connected is ignored: the event gets a new copy (D-EXT-13).
     *
     * @param resolution how to resolve a conflict instead of failing, see `CopyResolution` (D-EXT-4). After
     *   `keep_theirs` the returned copy has `isKept`, and so have the copies of later writes until the calendar shows
     *   the event again
     */
    readonly write: (
      provider: CalendarProviderKey,
      event: CalendarEvent,
      resolution?: CopyResolution
    ) => Effect.Effect<ExternalCopy | null, CalendarSyncError | StorageError>
    /**
     * Returns the busy times of the account's calendar between two instants, in epoch milliseconds and in any order.
     * Each occurrence of a recurring event counts. Cancelled events, and events that are shown as free, do not count.
     * It fails rather than returning only a part of the busy times.
     */
    readonly busy: (
      provider: CalendarProviderKey,
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError | StorageError>
    /** Checks whether the account's calendar can be used with its connection. It writes nothing. */
    readonly check: (provider: CalendarProviderKey, accountId: AccountId) => Effect.Effect<Check, StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarSync") {
  /** An adapter without external calendars: no account is connected. */
  static readonly layerNone: Layer.Layer<CalendarSync> = Layer.sync(CalendarSync, () => {
    const none = (accountId: AccountId) =>
      Effect.fail(
        new CalendarSyncError({
          reason: "invalid",
          cause: `no external calendar is connected for account ${accountId}`
        })
      )
    return CalendarSync.of({
      connected: () => Effect.succeed([]),
      write: (_provider, event) => none(event.accountId),
      busy: (_provider, accountId) => none(accountId),
      check: () => Effect.succeed({ isUsable: false, says: "no external calendar is connected" })
    })
  })
}
