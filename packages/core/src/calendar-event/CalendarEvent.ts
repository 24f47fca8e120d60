import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/TeamRef.ts"
import { AgentRef } from "../agent/Agent.ts"
import { ContactId } from "../contact/Contact.ts"
import { isAhead } from "./CalendarEventStatus.ts"
import { Invitation } from "./Invitation.ts"
import { mailFields } from "./MailFields.ts"

/** The database id of a calendar event. */
export const CalendarEventId = DatabaseId.pipe(Schema.brand("CalendarEventId"))

/** The database id of a calendar event. */
export type CalendarEventId = typeof CalendarEventId.Type

/** The UUID of a calendar event, in lower case. */
export const CalendarEventUuid = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CalendarEventUuid"))

/** The UUID of a calendar event. */
export type CalendarEventUuid = typeof CalendarEventUuid.Type

/** The type of a calendar event (C-2.5-2). */
export const CalendarEventType = Schema.Literals(["meeting", "appointment", "busy", "voice_call", "video_call"])

/** The type of a calendar event. */
export type CalendarEventType = typeof CalendarEventType.Type

const typeLabels: { readonly [Type in CalendarEventType]: string } = {
  meeting: "Meeting",
  appointment: "Appointment",
  busy: "Busy",
  voice_call: "Voice Call",
  video_call: "Video Call"
}

/** Returns the label of a type, which the API shows as `event_type_display` (C-2.5-4). */
export const displayType = (type: CalendarEventType): string => typeLabels[type]

/** The provider of an external calendar to which calendar events are written (D-EXT-1). */
export const CalendarProviderKey = Schema.Literals(["google", "outlook", "apple"])

/** The provider of an external calendar to which calendar events are written. */
export type CalendarProviderKey = typeof CalendarProviderKey.Type

/** The copy of a calendar event in an external calendar. */
export const ExternalCopy = Schema.Struct({
  /** The id of the copy in the external calendar. */
  id: Schema.String,
  /**
   * What the adapter last wrote, and how the external calendar showed it, in a format of the adapter. The adapter
   * compares it with the copy to find out whether a person has changed the copy. Null when the adapter does not need
   * it.
   */
  revision: Schema.NullOr(Schema.String),
  /**
   * True while the copy differs from the calendar event because the owner accepted a person's change (`keep_theirs`).
   */
  isKept: Schema.optionalKey(Schema.Boolean)
})

/** The copy of a calendar event in an external calendar. */
export type ExternalCopy = typeof ExternalCopy.Type

/**
 * The status of a calendar event's copy in an external calendar.
 *
 * - `pending`: a write of the copy waits, or failed and will be tried again.
 * - `synced`: the copy shows the calendar event as it is.
 * - `conflict`: a person has changed the copy. It is not written until the owner resolves the conflict.
 * - `gone`: a person has deleted the copy. It is not written until the owner resolves the conflict.
 * - `kept`: the owner has accepted a person's change or deletion.
 * - `failed`: the write was dead-lettered. The task in the outbox has the reason.
 */
export const ExternalStatus = Schema.Literals(["pending", "synced", "conflict", "gone", "kept", "failed"])

/** The status of a calendar event's copy in an external calendar. */
export type ExternalStatus = typeof ExternalStatus.Type

/** The status of a copy in an external calendar, and the instant since which the copy has it. */
export const ExternalState = Schema.Struct({ status: ExternalStatus, at: Schema.DateTimeUtc })

/** The status of a copy in an external calendar, and the instant since which the copy has it. */
export type ExternalState = typeof ExternalState.Type

/**
 * How the owner resolves a conflict: a copy that a person has changed or deleted in an external calendar.
 *
 * - `overwrite`: the calendar event is written over the change, and a deleted copy is created again.
 * - `keep_theirs`: a changed copy stays as it is until the calendar event changes again, which overwrites it. A deleted
 *   copy stays deleted. The person's change does not change the calendar event.
 */
export const CopyResolution = Schema.Literals(["overwrite", "keep_theirs"])

/** How the owner resolves a conflict. */
export type CopyResolution = typeof CopyResolution.Type

/** The person that a calendar event is with (C-2.5-5). An unknown value is "". */
export const CalendarEventCustomer = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  phone: Schema.String,
  notes: Schema.String
})

/** The person that a calendar event is with. */
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
  /**
   * The contact for whom an agent booked the calendar event, or null. It is also null after the contact was deleted.
   * Neither the API nor the facade shows it.
   */
  contactId: Schema.NullOr(ContactId),
  /**
   * The agent as it was when it was linked to the calendar event (D-CAL-17). The API omits the field without an agent
   * (C-2.5-6).
   */
  aiAgent: Schema.NullOr(AgentRef),
  team: Schema.NullOr(TeamRef),
  /** The copy in each external calendar that has one, by provider. The API shows only the ids (C-2.5-8). */
  externalCalendars: Schema.Record(Schema.String, ExternalCopy),
  /** The state of the copy in each external calendar that should have one, by provider. */
  externalCalendarsStatus: Schema.Record(Schema.String, ExternalState),
  /**
   * Whether `send_notifications` was on at creation. A cancel is then mailed even to a customer who was not invited, and
   * reminders are mailed (D-NOTIFY-1).
   */
  notifyOnCancel: Schema.Boolean,
  /** Null when the customer's present address was not invited. */
  invitation: Schema.NullOr(Invitation),
  /**
   * The SEQUENCE of RFC 5545. A change of time, location, video link, status or the customer's address raises it
   * (D-CAL-19).
   */
  sequence: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** A calendar event. */
export type CalendarEvent = typeof CalendarEvent.Type

/**
 * Returns the duration in whole minutes, rounded down (D-CAL-14). It is computed from the times, not stored (D-VAL-2).
 */
export const durationMinutes = (event: Pick<CalendarEvent, "startTime" | "endTime">): number =>
  Math.floor((DateTime.toEpochMillis(event.endTime) - DateTime.toEpochMillis(event.startTime)) / 60_000)

/** Returns whether the customer has an e-mail address (D-NOTIFY-2). */
export const hasContactData = (event: Pick<CalendarEvent, "customer">): boolean => event.customer.email !== ""

/**
 * Returns whether the event is scheduled or confirmed and has not ended. Only then invitations and reminders are sent.
 */
export const isUpcoming = (event: Pick<CalendarEvent, "status" | "endTime">, now: DateTime.Utc): boolean =>
  isAhead(event.status) && DateTime.isGreaterThan(event.endTime, now)
