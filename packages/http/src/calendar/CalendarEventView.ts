import * as Events from "@frontdesk/core/calendar-event/CalendarEvent"
import { type CancelledCalendarEvent, maxNotesLength } from "@frontdesk/core/calendar-event/Cancellation"
import * as ConflictCounts from "@frontdesk/core/calendar-event/ConflictCounts"
import { isUnresolved } from "@frontdesk/core/external-calendar/ExternalStates"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { AgentRefView } from "../agent/AgentView.ts"

const event = Events.CalendarEvent.fields
const { notes: _notes, ...customer } = Events.CalendarEventCustomer.fields

const briefFields = {
  id: event.id,
  uuid: event.uuid,
  title: event.title,
  eventType: event.eventType,
  status: event.status,
  startTime: Timestamp,
  endTime: Timestamp,
  durationMinutes: Schema.Int,
  location: event.location,
  hasVideoConference: event.hasVideoConference,
  videoConferenceUrl: event.videoConferenceUrl,
  createdByAiAgent: event.createdByAiAgent,
  /** Absent when the event has no agent (C-2.5-6). */
  aiAgent: Schema.optionalKey(AgentRefView)
}

/** The JSON of a calendar event in a list (C-4.6-3). */
export const EventItem = Wire.snakeCase(
  Schema.Struct({
    ...briefFields,
    customer: Schema.Struct(customer),
    /**
     * The external calendars whose copy a person has changed or deleted, so that the owner has to decide (D-EXT-3). Absent when there
     * are none.
     */
    copyConflicts: Schema.optionalKey(Schema.Array(Schema.String))
  })
).annotate({ identifier: "CalendarEventItem" })

const brief = (event: Events.CalendarEvent) => ({
  id: event.id,
  uuid: event.uuid,
  title: event.title,
  eventType: event.eventType,
  status: event.status,
  startTime: event.startTime,
  endTime: event.endTime,
  durationMinutes: Events.durationMinutes(event),
  location: event.location,
  hasVideoConference: event.hasVideoConference,
  videoConferenceUrl: event.videoConferenceUrl,
  createdByAiAgent: event.createdByAiAgent,
  ...(event.aiAgent === null ? {} : { aiAgent: event.aiAgent })
})

/** Returns the view of a calendar event in a list. */
export const eventItem = (event: Events.CalendarEvent): typeof EventItem.Type => {
  const conflicts = Object.keys(ConflictCounts.of([event.externalCalendarsStatus]))
  return {
    ...brief(event),
    customer: { name: event.customer.name, email: event.customer.email, phone: event.customer.phone },
    ...(conflicts.length === 0 ? {} : { copyConflicts: conflicts })
  }
}

/** The state of the event's copy in each external calendar, and since when it has that state. */
const externalCalendarsStatus = Schema.Record(
  Schema.String,
  Schema.Struct({ status: Events.ExternalStatus, at: Timestamp })
)

/** The JSON of a calendar event (C-2.5-1). */
export const CalendarEventView = Wire.snakeCase(
  Schema.Struct({
    ...briefFields,
    description: event.description,
    eventTypeDisplay: Schema.String,
    statusDisplay: Schema.String,
    videoConferenceProvider: event.videoConferenceProvider,
    isReminderEnabled: event.isReminderEnabled,
    remindBeforeMinutes: event.remindBeforeMinutes,
    customer: event.customer,
    /** Null when the event has no team. Its fields are those of `TeamRef` (C-2.5-7). */
    team: event.team,
    externalCalendars: Schema.Record(Schema.String, Schema.String),
    externalCalendarsStatus,
    icsUrl: Schema.String,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
).annotate({ identifier: "CalendarEvent" })

/** Returns the view of a calendar event. `icsUrl` is the signed link to its calendar file (C-2.5-9). */
export const eventView = (event: Events.CalendarEvent, icsUrl: string): typeof CalendarEventView.Type => ({
  ...brief(event),
  description: event.description,
  eventTypeDisplay: Events.displayType(event.eventType),
  statusDisplay: CalendarEventStatus.display(event.status),
  videoConferenceProvider: event.videoConferenceProvider,
  isReminderEnabled: event.isReminderEnabled,
  remindBeforeMinutes: event.remindBeforeMinutes,
  customer: event.customer,
  team: event.team,
  // Of each copy, the answer has only the id (C-2.5-8).
  externalCalendars: Record.map(event.externalCalendars, ({ id }) => id),
  externalCalendarsStatus: event.externalCalendarsStatus,
  icsUrl,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt
})

const { id, uuid, title, startTime, endTime, status } = briefFields

/** The JSON of the answer to a create or an update (C-4.6-9, D-CAL-5). */
export const EventWritten = Wire.snakeCase(
  Schema.Struct({ id, uuid, title, startTime, endTime, status, message: Schema.String })
).annotate({ identifier: "CalendarEventWritten" })

/** Returns the function that makes the answer to a create or an update. */
export const eventWritten =
  (message: string) =>
  (event: Events.CalendarEvent): typeof EventWritten.Type => ({
    id: event.id,
    uuid: event.uuid,
    title: event.title,
    startTime: event.startTime,
    endTime: event.endTime,
    status: event.status,
    message
  })

/** The JSON of the answer to the resolution of a conflict. */
export const CopyResolved = Wire.snakeCase(
  Schema.Struct({ id, uuid, externalCalendarsStatus, message: Schema.String })
).annotate({ identifier: "CalendarEventCopyResolved" })

/** Returns the function that makes the answer to the resolution of a conflict. */
export const copyResolved =
  (provider: Events.CalendarProviderKey) =>
  ({ externalCalendarsStatus, id, uuid }: Events.CalendarEvent): typeof CopyResolved.Type => ({
    id,
    uuid,
    externalCalendarsStatus,
    message: isUnresolved({ externalCalendarsStatus }, provider)
      ? "The external calendar is being updated"
      : "There is no conflict in this external calendar"
  })

/** The JSON of the answer to a cancel (C-4.6-11). */
export const EventCancelled = Wire.snakeCase(
  Schema.Struct({
    id,
    uuid,
    status,
    message: Schema.String,
    /** True when the reason was shortened, because the customer notes would be too long. Absent otherwise. */
    reasonShortened: Schema.optionalKey(Schema.Literal(true))
  })
).annotate({ identifier: "CalendarEventCancelled" })

/** Returns the answer to a cancel. */
export const eventCancelled = ({
  event: { id, status, uuid },
  isReasonShortened
}: CancelledCalendarEvent): typeof EventCancelled.Type =>
  isReasonShortened
    ? { id, uuid, status, message: shortened, reasonShortened: true }
    : { id, uuid, status, message: "Event cancelled" }

const shortened = `Event cancelled. The reason was shortened, because customer_notes has at most ${maxNotesLength} characters`
