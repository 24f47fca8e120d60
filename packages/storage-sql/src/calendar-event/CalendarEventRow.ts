import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId, AgentRef } from "@frontdesk/core/agent/Agent"
import {
  CalendarEvent,
  CalendarEventId,
  CalendarEventType,
  CalendarEventUuid
} from "@frontdesk/core/calendar-event/CalendarEvent"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { Invitation } from "@frontdesk/core/calendar-event/Invitation"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as JsonEncoder from "@frontdesk/core/values/JsonEncoder"
import { isEmptyReadonlyRecord as isEmptyRecord } from "effect/Record"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { busyClass } from "./EventLengthClass.ts"

/** The column with the state of the event in each external calendar. */
const ExternalStates = Schema.toCodecJson(CalendarEvent.fields.externalCalendarsStatus)

/** The column with the invitation. */
const StoredInvitation = Schema.toCodecJson(Invitation)

const encodeInvitation = JsonEncoder.compile(StoredInvitation)

const encodeStates = JsonEncoder.compile(ExternalStates)

/** A row with the state of a calendar event in each external calendar. */
export const ExternalStateRow = Schema.Struct({ externalCalendarsStatus: Column.repeated(ExternalStates) })

/** A row of `calendar_event` with the names of its agent and team. */
export const CalendarEventRow = Schema.Struct({
  id: CalendarEventId,
  uuid: CalendarEventUuid,
  accountId: AccountId,
  title: Schema.String,
  description: Schema.String,
  eventType: CalendarEventType,
  status: CalendarEventStatus,
  startTime: Column.Time,
  endTime: Column.Time,
  location: Schema.NullOr(Schema.String),
  hasVideoConference: Column.Flag,
  videoConferenceUrl: Schema.String,
  videoConferenceProvider: Schema.String,
  createdByAiAgent: Column.Flag,
  isReminderEnabled: Column.Flag,
  remindBeforeMinutes: Schema.Int,
  customerName: Schema.String,
  customerEmail: Schema.String,
  customerPhone: Schema.String,
  customerNotes: Schema.String,
  contactId: Schema.NullOr(ContactId),
  aiAgentId: Schema.NullOr(AgentId),
  /** The agent as it was when it was linked. */
  aiAgent: Schema.NullOr(Column.repeated(AgentRef)),
  agentName: Schema.NullOr(Schema.String),
  agentAssistantId: Schema.NullOr(Schema.String),
  teamId: Schema.NullOr(TeamId),
  teamName: Schema.NullOr(Schema.String),
  externalCalendars: Column.repeated(CalendarEvent.fields.externalCalendars),
  externalCalendarsStatus: Column.repeated(ExternalStates),
  notifyOnCancel: Column.Flag,
  /**
   * NULL in rows of older versions, which did not store invitations. An empty address means that the customer was not
   * invited.
   */
  invitation: Schema.NullOr(Column.json(StoredInvitation)),
  sequence: Schema.Int,
  createdAt: Column.Time,
  updatedAt: Column.Time
})

/** A `SELECT` of every column of {@link CalendarEventRow}, to be followed by `WHERE`. */
export const select = `SELECT calendar_event.id, calendar_event.uuid, calendar_event.account_id, title, description,
  event_type, status, start_time, end_time, location, has_video_conference, video_conference_url,
  video_conference_provider, created_by_ai_agent, is_reminder_enabled, remind_before_minutes, customer_name,
  customer_email, customer_phone, customer_notes, contact_id, ai_agent_id, ai_agent, agent.name AS agent_name,
  agent.assistant_id AS agent_assistant_id, calendar_event.team_id, team.name AS team_name, external_calendars,
  external_calendars_status, notify_on_cancel, invitation, sequence, calendar_event.created_at, updated_at
FROM calendar_event
LEFT JOIN agent ON agent.id = calendar_event.ai_agent_id
LEFT JOIN team ON team.id = calendar_event.team_id`

/**
 * Returns the agent as it was when it was linked to the event.
 *
 * Events of older versions have no stored agent. Those were linked by the account that owns the agent, and have no
 * team. That account can always see its agent, so its current name is correct. The current name is also used when the
 * stored agent is another one: then a server of an older version has changed the link, without updating a column that
 * it does not know.
 */
const agentOf = (row: typeof CalendarEventRow.Type): AgentRef | null => {
  if (row.aiAgentId === null) return null
  if (row.aiAgent?.id === row.aiAgentId) return row.aiAgent
  return row.agentName === null || row.agentAssistantId === null
    ? null
    : { id: row.aiAgentId, name: row.agentName, assistantId: row.agentAssistantId }
}

/**
 * Returns the invitation of a row. For an event of an older version, which did not store invitations, the customer
 * counts as invited if `send_notifications` was on at creation. Which status was mailed is then unknown. The current
 * status is assumed, or `scheduled` if customers receive no mail about the current status.
 */
const invitationOf = (row: typeof CalendarEventRow.Type): CalendarEvent["invitation"] => {
  if (row.invitation !== null) return row.invitation.email === "" ? null : row.invitation
  if (!row.notifyOnCancel || row.customerEmail === "") return null
  const isMailed = row.status !== "completed" && row.status !== "no_show"
  return { email: row.customerEmail, isSent: true, status: isMailed ? row.status : "scheduled" }
}

/**
 * Returns the calendar event of a row. Fields are copied one by one, because a rest pattern (`...others`) would take
 * longer than decoding the row.
 */
export const toEvent = (row: typeof CalendarEventRow.Type): CalendarEvent => ({
  id: row.id,
  uuid: row.uuid,
  accountId: row.accountId,
  title: row.title,
  description: row.description,
  eventType: row.eventType,
  status: row.status,
  startTime: row.startTime,
  endTime: row.endTime,
  location: row.location,
  hasVideoConference: row.hasVideoConference,
  videoConferenceUrl: row.videoConferenceUrl,
  videoConferenceProvider: row.videoConferenceProvider,
  createdByAiAgent: row.createdByAiAgent,
  isReminderEnabled: row.isReminderEnabled,
  remindBeforeMinutes: row.remindBeforeMinutes,
  customer: {
    name: row.customerName,
    email: row.customerEmail,
    phone: row.customerPhone,
    notes: row.customerNotes
  },
  contactId: row.contactId,
  aiAgent: agentOf(row),
  team: row.teamId === null || row.teamName === null ? null : { id: row.teamId, name: row.teamName },
  externalCalendars: row.externalCalendars,
  externalCalendarsStatus: row.externalCalendarsStatus,
  notifyOnCancel: row.notifyOnCancel,
  invitation: invitationOf(row),
  sequence: row.sequence,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/** Returns the form by which an address is searched, in lower case. Returns null for an empty address. */
export const emailKey = (email: string): string | null => (email === "" ? null : email.toLowerCase())

/** The stored value for an event whose customer was not invited. */
const notInvited: typeof Invitation.Type = { email: "", isSent: false, status: "scheduled" }

/** Returns the columns that an insert and an update write. */
export const columns = (
  dialect: Dialect,
  event: Omit<CalendarEvent, "id" | "uuid" | "accountId" | "createdAt">
): Readonly<Record<string, unknown>> => ({
  team_id: event.team?.id ?? null,
  ai_agent_id: event.aiAgent?.id ?? null,
  ai_agent: event.aiAgent === null ? null : JSON.stringify(event.aiAgent),
  event_type: event.eventType,
  status: event.status,
  start_time: dialect.time(event.startTime),
  end_time: dialect.time(event.endTime),
  busy_class: busyClass(event),
  title: event.title,
  location: event.location,
  has_video_conference: event.hasVideoConference,
  video_conference_url: event.videoConferenceUrl,
  video_conference_provider: event.videoConferenceProvider,
  created_by_ai_agent: event.createdByAiAgent,
  is_reminder_enabled: event.isReminderEnabled,
  remind_before_minutes: event.remindBeforeMinutes,
  customer_name: event.customer.name,
  customer_email: event.customer.email,
  customer_email_key: emailKey(event.customer.email),
  customer_phone: event.customer.phone,
  contact_id: event.contactId,
  external_calendars: JSON.stringify(event.externalCalendars),
  external_calendars_status: isEmptyRecord(event.externalCalendarsStatus)
    ? "{}"
    : JSON.stringify(encodeStates(event.externalCalendarsStatus)),
  notify_on_cancel: event.notifyOnCancel,
  invitation: JSON.stringify(encodeInvitation(event.invitation ?? notInvited)),
  sequence: event.sequence,
  updated_at: dialect.time(event.updatedAt),
  customer_notes: event.customer.notes,
  description: event.description
})
