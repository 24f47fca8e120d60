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
 * Why an outside calendar could not be used.
 *
 * - `invalid`: it refuses what it was given, or answers what it should not.
 * - `conflict`: somebody has changed the copy there, or another writer was faster.
 * - `gone`: the copy or the calendar is not there any more.
 * - `unauthorized`: the account's credentials are not, or no longer, good.
 * - `rate_limited`: it was asked too often.
 * - `transport`: it cannot be reached, or fails.
 */
export const CalendarSyncReason = Schema.Literals([
  "invalid",
  "conflict",
  "gone",
  "unauthorized",
  "rate_limited",
  "transport"
])

/** Why an outside calendar could not be used. */
export type CalendarSyncReason = typeof CalendarSyncReason.Type

/** The one error of outside calendars. */
export class CalendarSyncError extends Schema.TaggedError<CalendarSyncError>(
  "@frontdesk/core/external-calendar/CalendarSyncError"
)("CalendarSyncError", {
  reason: CalendarSyncReason,
  /**
   * When the provider says it may be asked again, in milliseconds from now; null, unless given, when it does not say.
   */
  retryAfterMillis: Schema.NullOr(Schema.Int).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  /** Whether a person has changed or deleted the copy, of a `conflict` or `gone`: only a resolution ends that. */
  isByHand: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  /** What was asked and answered; never a credential. */
  cause: Schema.Defect()
}) {
  /**
   * Whether the same call may succeed later. A conflict may: with a writer that was faster, not with a person; it is
   * read anew each time.
   */
  get isRetryable(): boolean {
    if (this.isByHand) return false
    return this.reason === "rate_limited" || this.reason === "transport" || this.reason === "conflict"
  }
}

/** A calendar that is connected: once it is another, or connected anew, what the one before has said counts no more. */
export type ConnectedCalendar = Pick<CalendarConnection, "provider" | "calendar" | "updatedAt">

/** Port: writes calendar events to external calendars, and reads their busy times. */
export class CalendarSync extends Context.Service<
  CalendarSync,
  {
    /** The outside calendars the account is connected to; none: nothing is synced. */
    readonly connected: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ConnectedCalendar>, StorageError>
    /**
     * Makes the outside calendar show the event as it is now (a cancelled one as cancelled), and answers its copy there.
     * Null: the calendar never had the event, and has no use for one that is cancelled.
     *
     * A repeat of the same event is harmless, also when the answer to the first was lost: there is one copy. What
     * somebody has changed in the copy, or deleted, since `event.externalCalendars` was answered is not overwritten:
     * `conflict`, `gone`, with `isByHand`. A cancel alone is written all the same, and of a copy that is gone it is done. A copy in
     * another calendar than the one that is connected now is not known: the event is written as if it never had been.
     *
     * @param resolution what becomes of such a change or deletion instead; see `CopyResolution`. What `keep_theirs`
     *   answers has `isKept`, and so has every later answer until the calendar shows the event again
     */
    readonly write: (
      provider: CalendarProviderKey,
      event: CalendarEvent,
      resolution?: CopyResolution
    ) => Effect.Effect<ExternalCopy | null, CalendarSyncError | StorageError>
    /**
     * When the account's calendar is busy between two instants, in any order, in epoch milliseconds. Each occurrence of
     * a recurring event counts; what is cancelled or shown as free does not. All there is, or an error: never a part of
     * it.
     */
    readonly busy: (
      provider: CalendarProviderKey,
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Interval>, CalendarSyncError | StorageError>
    /** Whether the account's calendar can be used as it is connected; writes nothing. */
    readonly check: (provider: CalendarProviderKey, accountId: AccountId) => Effect.Effect<Check, StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarSync") {
  /** No outside calendars. */
  static readonly layerNone: Layer.Layer<CalendarSync> = Layer.sync(CalendarSync, () => {
    const none = (accountId: AccountId) =>
      Effect.fail(
        new CalendarSyncError({
          reason: "invalid",
          cause: `no outside calendar is connected for account ${accountId}`
        })
      )
    return CalendarSync.of({
      connected: () => Effect.succeed([]),
      write: (_provider, event) => none(event.accountId),
      busy: (_provider, accountId) => none(accountId),
      check: () => Effect.succeed({ isUsable: false, says: "no outside calendar is connected" })
    })
  })
}
