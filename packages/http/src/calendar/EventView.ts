import * as Events from "@frontdesk/core/calendar/CalendarEvent"
import * as EventStatus from "@frontdesk/core/calendar/EventStatus"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { AgentRefView } from "../agent/AgentView.ts"

const event = Events.CalendarEvent.fields
const { notes: _notes, ...customer } = Events.EventCustomer.fields

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
  /** Absent when no agent is associated. */
  aiAgent: Schema.optionalKey(AgentRefView)
}

/** A calendar event in a list (Contract 4.6). */
export const EventItem = Wire.snakeCase(Schema.Struct({ ...briefFields, customer: Schema.Struct(customer) })).annotate({
  identifier: "CalendarEventItem"
})

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

/** A calendar event in a list. */
export const eventItem = (event: Events.CalendarEvent): typeof EventItem.Type => ({
  ...brief(event),
  customer: { name: event.customer.name, email: event.customer.email, phone: event.customer.phone }
})

/** A calendar event (Contract 2.5). */
export const EventView = Wire.snakeCase(
  Schema.Struct({
    ...briefFields,
    description: event.description,
    eventTypeDisplay: Schema.String,
    statusDisplay: Schema.String,
    videoConferenceProvider: event.videoConferenceProvider,
    isReminderEnabled: event.isReminderEnabled,
    remindBeforeMinutes: event.remindBeforeMinutes,
    customer: event.customer,
    /** Null when the event is in no team. */
    team: event.team,
    externalCalendars: Schema.Record(Schema.String, Schema.String),
    icsUrl: Schema.String,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
).annotate({ identifier: "CalendarEvent" })

/** A calendar event. */
export const eventView = (event: Events.CalendarEvent, icsUrl: string): typeof EventView.Type => ({
  ...brief(event),
  description: event.description,
  eventTypeDisplay: Events.displayType(event.eventType),
  statusDisplay: EventStatus.display(event.status),
  videoConferenceProvider: event.videoConferenceProvider,
  isReminderEnabled: event.isReminderEnabled,
  remindBeforeMinutes: event.remindBeforeMinutes,
  customer: event.customer,
  team: event.team,
  externalCalendars: Record.map(event.externalCalendars, ({ id }) => id),
  icsUrl,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt
})

const { id, uuid, title, startTime, endTime, status } = briefFields

/** The answer to a create or an update (Contract 4.6, Decisions 7). */
export const EventWritten = Wire.snakeCase(
  Schema.Struct({ id, uuid, title, startTime, endTime, status, message: Schema.String })
).annotate({ identifier: "CalendarEventWritten" })

/** The answer to a create or an update. */
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

/** The answer to a cancel (Contract 4.6). */
export const EventCancelled = Schema.Struct({ id, uuid, status, message: Schema.String }).annotate({
  identifier: "CalendarEventCancelled"
})
