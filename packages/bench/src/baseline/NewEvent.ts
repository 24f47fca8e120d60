import { randomUUID } from "node:crypto"
import { type Caller, Refused } from "./Access.ts"

/** The body of a request that creates a calendar event. Its schema was checked, and fields that were null are absent. */
export interface NewEvent {
  readonly title: string
  readonly start_time: string
  readonly end_time: string
  readonly description?: string
  readonly event_type?: string
  readonly status?: string
  readonly location?: string
  readonly customer_name?: string
  readonly customer_email?: string
  readonly customer_phone?: string
  readonly customer_notes?: string
  readonly has_video_conference?: boolean
  readonly video_conference_url?: string
  readonly video_conference_provider?: string
  readonly is_reminder_enabled?: boolean
  readonly remind_before_minutes?: number
  readonly ai_agent_id?: number
  readonly team_id?: number
  readonly created_by_ai_agent?: boolean
  readonly send_notifications?: boolean
  readonly reject_conflicts?: boolean
}

/** The columns of a new calendar event, in the order of {@link NewRow.values}. */
export const columns = [
  "uuid",
  "account_id",
  "created_at",
  "team_id",
  "ai_agent_id",
  "ai_agent",
  "event_type",
  "status",
  "start_time",
  "end_time",
  "busy_class",
  "title",
  "location",
  "has_video_conference",
  "video_conference_url",
  "video_conference_provider",
  "created_by_ai_agent",
  "is_reminder_enabled",
  "remind_before_minutes",
  "customer_name",
  "customer_email",
  "customer_email_key",
  "customer_phone",
  "external_calendars",
  "notify_on_cancel",
  "sequence",
  "updated_at",
  "customer_notes",
  "description",
  "invitation"
]

/** The invitation of a customer who was not mailed, because no measured server sends mail. */
const noInvitation = JSON.stringify({ email: "", isSent: false, status: "scheduled" })

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/** Returns the epoch milliseconds of a time with an offset, or of a local time in the time zone of the account. */
const instant = (text: string, zone: string): number => {
  const match = timeForm.exec(text)
  const millis =
    match === null
      ? Number.NaN
      : match[3] === undefined
        ? Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
        : Date.parse(text)
  if (Number.isNaN(millis)) throw new Refused(400, "invalid_datetime_format", "Expected YYYY-MM-DDTHH:MM:SS")
  return millis
}

const blocking = new Set(["scheduled", "confirmed", "completed"])

const ahead = new Set(["scheduled", "confirmed"])

const busyClass = (millis: number): number => {
  let found = 0
  while (found < 21 && millis > 60_000 * 2 ** found) found++
  return found
}

/** The agent of a new calendar event. */
export interface Agent {
  readonly id: number
  readonly name: string
  readonly assistant_id: string
}

/** The times of a calendar event in epoch milliseconds. */
export interface Times {
  readonly startTime: number
  readonly endTime: number
}

/** Returns the times of a body. Refuses an end that is not after the start. */
export const timesOf = (caller: Caller, body: NewEvent): Times => {
  const startTime = instant(body.start_time, caller.settings.timeZone)
  const endTime = instant(body.end_time, caller.settings.timeZone)
  if (endTime <= startTime) throw new Refused(400, "invalid_time_range", "end_time must be after start_time")
  return { startTime, endTime }
}

/** Returns whether a new calendar event must not overlap another one. */
export const isExclusive = (caller: Caller, body: NewEvent): boolean =>
  blocking.has(body.status ?? "scheduled") && (body.reject_conflicts === true || caller.settings.rejectConflicts)

/** Returns the accounts whose agents the caller may link. Clients of a partner are not measured. */
export const agentAccounts = (caller: Caller): ReadonlyArray<number> =>
  caller.role === "client" && caller.partnerId !== null ? [caller.accountId, caller.partnerId] : [caller.accountId]

/** Refuses a team that the caller does not belong to. */
export const requireTeam = (caller: Caller, id: number, isKnown: boolean): number => {
  if (!isKnown) throw new Refused(404, "team_not_found", "No team has this id")
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
  const own: ReadonlyArray<number> = JSON.parse(caller.teamIds)
  if (!own.includes(id)) throw new Refused(403, "team_access_denied", "The team is not yours")
  return id
}

/** How a database stores times and flags. */
export interface Stored<Value> {
  readonly time: (millis: number) => Value
  readonly flag: (flag: boolean) => Value
}

/** A calendar event that is about to be stored. */
export interface NewRow<Value> {
  readonly values: ReadonlyArray<Value | string | number | null>
  /** When its reminder is due, in epoch milliseconds. Undefined without one. */
  readonly reminderAt: number | undefined
  /** Returns the body of its webhook event. */
  readonly payload: (id: number, link: (uuid: string) => string) => Buffer
  /** Returns the answer to the request. */
  readonly answer: (id: number) => object
}

/** Returns the row of a new calendar event, with what follows from it. */
export const newRow = <Value>(
  stored: Stored<Value>,
  caller: Caller,
  body: NewEvent,
  { endTime, startTime }: Times,
  agent: Agent | undefined,
  teamId: number | null,
  now: number
): NewRow<Value> => {
  const status = body.status ?? "scheduled"
  const event = {
    uuid: randomUUID(),
    type: body.event_type ?? "meeting",
    location: body.location ?? null,
    hasConference: body.has_video_conference ?? false,
    conferenceUrl: body.video_conference_url ?? "",
    isByAgent: body.created_by_ai_agent ?? false,
    remindBefore: body.remind_before_minutes ?? 30,
    name: body.customer_name ?? "",
    email: body.customer_email ?? "",
    phone: body.customer_phone ?? ""
  }
  const hasReminder = body.is_reminder_enabled === true && ahead.has(status) && endTime > now
  const times = { start_time: new Date(startTime).toISOString(), end_time: new Date(endTime).toISOString() }
  return {
    values: [
      event.uuid,
      caller.accountId,
      stored.time(now),
      teamId,
      agent?.id ?? null,
      agent === undefined ? null : JSON.stringify({ id: agent.id, name: agent.name, assistantId: agent.assistant_id }),
      event.type,
      status,
      stored.time(startTime),
      stored.time(endTime),
      blocking.has(status) ? busyClass(endTime - startTime) : null,
      body.title,
      event.location,
      stored.flag(event.hasConference),
      event.conferenceUrl,
      body.video_conference_provider ?? "",
      stored.flag(event.isByAgent),
      stored.flag(body.is_reminder_enabled ?? false),
      event.remindBefore,
      event.name,
      event.email,
      event.email === "" ? null : event.email.toLowerCase(),
      event.phone,
      "{}",
      stored.flag(body.send_notifications ?? true),
      0,
      stored.time(now),
      body.customer_notes ?? "",
      body.description ?? "",
      noInvitation
    ],
    reminderAt: hasReminder ? startTime - event.remindBefore * 60_000 : undefined,
    payload: (id, link) =>
      Buffer.from(
        JSON.stringify({
          event_type: "calendar.created",
          calendar_event: {
            id,
            uuid: event.uuid,
            title: body.title,
            event_type: event.type,
            status,
            ...times,
            duration_minutes: Math.floor((endTime - startTime) / 60_000),
            location: event.location,
            has_video_conference: event.hasConference,
            video_conference_url: event.conferenceUrl,
            created_by_ai_agent: event.isByAgent,
            ai_agent: agent && { id: agent.id, name: agent.name, assistant_id: agent.assistant_id },
            customer: { name: event.name, email: event.email, phone: event.phone },
            ics_url: link(event.uuid)
          },
          timestamp: new Date(now).toISOString()
        })
      ),
    answer: (id) => ({ id, uuid: event.uuid, title: body.title, ...times, status, message: "Event created" })
  }
}

/** The refusal of a calendar event that overlaps another one. */
export const overlap = (): Refused =>
  new Refused(409, "slot_unavailable", "Something else is in the calendar at that time")

/** The refusal of an agent that the caller may not link, or that does not exist. */
export const noAgent = (): Refused => new Refused(404, "agent_not_found", "No agent has this id")
