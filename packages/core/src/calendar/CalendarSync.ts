import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEvent, CalendarProviderKey } from "./CalendarEvent.ts"

/** Why an outside calendar could not be written. */
export const CalendarSyncReason = Schema.Literals([
  "invalid",
  "conflict",
  "gone",
  "unauthorized",
  "rate_limited",
  "transport"
])

/** The one error of outside calendars. */
export class CalendarSyncError extends Schema.TaggedError<CalendarSyncError>(
  "@frontdesk/core/calendar/CalendarSyncError"
)("CalendarSyncError", {
  reason: CalendarSyncReason,
  /** When the provider says it may be asked again, in milliseconds from now. */
  retryAfterMillis: Schema.NullOr(Schema.Int),
  cause: Schema.Defect()
}) {
  /** Whether the same call may succeed later. */
  get isRetryable(): boolean {
    return this.reason === "rate_limited" || this.reason === "transport"
  }
}

/** Port: writes events to outside calendars. A repeat of the same event is harmless. */
export class CalendarSync extends Context.Service<
  CalendarSync,
  {
    /** The outside calendars the account is connected to; none: nothing is synced. */
    readonly providers: (accountId: AccountId) => Effect.Effect<ReadonlyArray<CalendarProviderKey>>
    /**
     * Makes the outside calendar show the event as it is now (a cancelled one as cancelled), and answers the event's id
     * there.
     */
    readonly write: (
      provider: CalendarProviderKey,
      event: CalendarEvent
    ) => Effect.Effect<{ readonly externalId: string }, CalendarSyncError>
  }
>()("@frontdesk/core/calendar/CalendarSync") {
  /** No outside calendars. */
  static readonly layerNone: Layer.Layer<CalendarSync> = Layer.succeed(
    CalendarSync,
    CalendarSync.of({
      providers: () => Effect.succeed([]),
      write: (_provider, event) =>
        Effect.fail(
          new CalendarSyncError({
            reason: "invalid",
            retryAfterMillis: null,
            cause: `no outside calendar is connected for account ${event.accountId}`
          })
        )
    })
  )
}
