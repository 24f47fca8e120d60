import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/Team.ts"
import { AgentRef } from "../agent/Agent.ts"
import { isAhead } from "./CalendarEventStatus.ts"
import { Invitation } from "./Invitation.ts"
import { mailFields } from "./MailFields.ts"

/** Database id of a calendar event. */
export const CalendarEventId = DatabaseId.pipe(Schema.brand("CalendarEventId"))

/** Database id of a calendar event. */
export type CalendarEventId = typeof CalendarEventId.Type

/** The UUID of a calendar event, in lower case. */
export const CalendarEventUuid = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CalendarEventUuid"))

/** The UUID of a calendar event. */
export type CalendarEventUuid = typeof CalendarEventUuid.Type

/** What kind of event it is (C-2.5-2). */
export const CalendarEventType = Schema.Literals(["meeting", "appointment", "busy", "voice_call", "video_call"])

/** What kind of event it is. */
export type CalendarEventType = typeof CalendarEventType.Type

const typeLabels: { readonly [Type in CalendarEventType]: string } = {
  meeting: "Meeting",
  appointment: "Appointment",
  busy: "Busy",
  voice_call: "Voice Call",
  video_call: "Video Call"
}

/** The label of an event type, `event_type_display` (C-2.5-4). */
export const displayType = (type: CalendarEventType): string => typeLabels[type]

/** An outside calendar that events are written to (D-EXT-1). */
export const CalendarProviderKey = Schema.Literals(["google", "outlook", "apple"])

/** An outside calendar that events are written to. */
export type CalendarProviderKey = typeof CalendarProviderKey.Type

/** What an outside calendar has of an event. */
export const ExternalCopy = Schema.Struct({
  /** The event's id there. */
  id: Schema.String,
  /**
   * What was last written and what the calendar then showed, in the words of the adapter, which tells by it whether
   * somebody has changed the copy since; null when the adapter needs none.
   */
  revision: Schema.NullOr(Schema.String),
  /** True while the copy differs from the event because a change by hand was accepted (`keep_theirs`). */
  isKept: Schema.optionalKey(Schema.Boolean)
})

/** What an outside calendar has of an event. */
export type ExternalCopy = typeof ExternalCopy.Type

/**
 * How an event stands in an external calendar.
 *
 * - `pending`: a write waits, or is tried again.
 * - `synced`: the copy was written as the event is.
 * - `conflict`: somebody has changed the copy there. It is not written until that is resolved.
 * - `gone`: somebody has deleted the copy there. It is not written until that is resolved.
 * - `kept`: a change or a deletion there was accepted.
 * - `failed`: the write was given up; the outbox says why.
 */
export const ExternalStatus = Schema.Literals(["pending", "synced", "conflict", "gone", "kept", "failed"])

/** How an event stands in an external calendar. */
export type ExternalStatus = typeof ExternalStatus.Type

/** How an event stands in an external calendar, and since when. */
export const ExternalState = Schema.Struct({ status: ExternalStatus, at: Schema.DateTimeUtc })

/** How an event stands in an external calendar, and since when. */
export type ExternalState = typeof ExternalState.Type

/**
 * What becomes of a copy that somebody has changed or deleted in an external calendar.
 *
 * - `overwrite`: the event is written over the change; a deleted copy is made again.
 * - `keep_theirs`: a change stays until the event changes again, which then is written over it. A deleted copy stays
 *   deleted. Nothing of it becomes part of the event.
 */
export const CopyResolution = Schema.Literals(["overwrite", "keep_theirs"])

/** What becomes of a copy that somebody has changed or deleted. */
export type CopyResolution = typeof CopyResolution.Type

/** Whom the event is with (C-2.5-5); what is not known is "". */
export const CalendarEventCustomer = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  phone: Schema.String,
  notes: Schema.String
})

/** Whom the event is with. */
export type CalendarEventCustomer = typeof CalendarEventCustomer.Type

/** A calendar event (C-2.5-1). */
export const CalendarEvent = Schema.Struct({
  id: CalendarEventId,
  uuid: CalendarEventUuid,
  accountId: AccountId,
  ...mailFields,
  eventType: CalendarEventType,
  hasVideoConference: Schema.Boolean,
  createdByAiAgent: Schema.Boolean,
  isReminderEnabled: Schema.Boolean,
  remindBeforeMinutes: Schema.Int,
  customer: CalendarEventCustomer,
  /** The agent as it was when it was linked. */
  aiAgent: Schema.NullOr(AgentRef),
  team: Schema.NullOr(TeamRef),
  /** The event's copy in each outside calendar it has been written to; the API shows the ids alone (C-2.5-8). */
  externalCalendars: Schema.Record(Schema.String, ExternalCopy),
  /** How the event stands in each external calendar that it was to be written to. */
  externalCalendarsStatus: Schema.Record(Schema.String, ExternalState),
  /** Whether `send_notifications` was on at creation: a cancel is then mailed also to whoever was not invited. */
  notifyOnCancel: Schema.Boolean,
  /** Null when the present address was not invited. */
  invitation: Schema.NullOr(Invitation),
  /** The SEQUENCE of RFC 5545: raised by a change of time, place, status or the customer's address (D-CAL-19). */
  sequence: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** A calendar event. */
export type CalendarEvent = typeof CalendarEvent.Type

/** How long the event is in whole minutes, a begun one not counted (D-CAL-14; derived, D-VAL-2). */
export const durationMinutes = (event: Pick<CalendarEvent, "startTime" | "endTime">): number =>
  Math.floor((DateTime.toEpochMillis(event.endTime) - DateTime.toEpochMillis(event.startTime)) / 60_000)

/** Whether the customer can be written to: an e-mail address is known. */
export const hasContactData = (event: Pick<CalendarEvent, "customer">): boolean => event.customer.email !== ""

/** Whether the event is scheduled or confirmed and has not ended: worth an invitation and a reminder. */
export const isUpcoming = (event: Pick<CalendarEvent, "status" | "endTime">, now: DateTime.Utc): boolean =>
  isAhead(event.status) && DateTime.isGreaterThan(event.endTime, now)
