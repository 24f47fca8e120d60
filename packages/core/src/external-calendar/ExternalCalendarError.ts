import * as Schema from "effect/Schema"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarSyncReason } from "./CalendarSync.ts"

/** The server does not offer the provider, or has no public address for its authorization. */
export class CalendarNotOffered extends Schema.TaggedError<CalendarNotOffered>(
  "@frontdesk/core/external-calendar/CalendarNotOffered"
)("CalendarNotOffered", { provider: CalendarProviderKey }) {}

/** The account is not connected with a calendar of the provider. */
export class CalendarNotConnected extends Schema.TaggedError<CalendarNotConnected>(
  "@frontdesk/core/external-calendar/CalendarNotConnected"
)("CalendarNotConnected", { provider: CalendarProviderKey }) {}

/** The calendar cannot be used, so nothing was changed. */
export class CalendarNotUsable extends Schema.TaggedError<CalendarNotUsable>(
  "@frontdesk/core/external-calendar/CalendarNotUsable"
)("CalendarNotUsable", {
  provider: CalendarProviderKey,
  reason: CalendarSyncReason,
  /** What is wrong with the calendar, for the person who connects it. Null when the reason says it. */
  says: Schema.NullOr(Schema.String),
  /** What was requested and what the provider answered, for the operator's log. It never contains a credential. */
  cause: Schema.Defect()
}) {
  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return this.reason === "transport" || this.reason === "rate_limited"
  }
}
