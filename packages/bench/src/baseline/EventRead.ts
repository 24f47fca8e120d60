import { select } from "@frontdesk/storage-sql/calendar-event/CalendarEventRow"
import { createHmac } from "node:crypto"
import { type Caller, Refused } from "./Access.ts"
import type { Database } from "./Database.ts"

interface CalendarEventRow {
  readonly id: number
  readonly uuid: string
  readonly title: string
  readonly description: string
  readonly event_type: string
  readonly status: string
  readonly start_time: number
  readonly end_time: number
  readonly location: string | null
  readonly has_video_conference: number
  readonly video_conference_url: string
  readonly video_conference_provider: string
  readonly created_by_ai_agent: number
  readonly is_reminder_enabled: number
  readonly remind_before_minutes: number
  readonly customer_name: string
  readonly customer_email: string
  readonly customer_phone: string
  readonly customer_notes: string
  readonly ai_agent_id: number | null
  readonly ai_agent: string | null
  readonly agent_name: string | null
  readonly agent_assistant_id: string | null
  readonly team_id: number | null
  readonly team_name: string | null
  readonly external_calendars: string
  readonly external_calendars_status: string
  readonly created_at: number
  readonly updated_at: number
}

const visible = `${select}
  WHERE (calendar_event.account_id = ?1 OR calendar_event.team_id IN (SELECT value FROM json_each(?2)))
    AND calendar_event.`

const types: Readonly<Record<string, string>> = {
  meeting: "Meeting",
  appointment: "Appointment",
  busy: "Busy",
  voice_call: "Voice Call",
  video_call: "Video Call"
}

const statuses: Readonly<Record<string, string>> = {
  scheduled: "Scheduled",
  confirmed: "Confirmed",
  cancelled: "Cancelled",
  completed: "Completed",
  no_show: "No Show"
}

const time = (millis: number): string => new Date(millis).toISOString()

/** Makes the function that returns the signed link of a calendar event. */
export const linkSigner = (database: Database): ((uuid: string) => string) => {
  const secret = database.reader<{ readonly value: string }>(
    "SELECT value FROM installation_secret WHERE name = 'ics'"
  )()
  if (secret === undefined) throw new Error("The database has no secret that signs links.")
  return (uuid) => {
    const signature = createHmac("sha256", secret.value).update(`ics:${uuid}`).digest("base64url")
    return `/api/v1/calendar/events/${uuid}/ics?signature=${signature}`
  }
}

interface LinkedAgent {
  readonly id: number
  readonly name: string
  readonly assistantId: string
}

/** Returns the agent with the values that it had when it was linked. */
const agentOf = ({ agent_assistant_id, agent_name, ai_agent, ai_agent_id }: CalendarEventRow) => {
  if (ai_agent_id === null) return undefined
  if (ai_agent === null) return { id: ai_agent_id, name: agent_name, assistant_id: agent_assistant_id }
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
  const { assistantId, id, name }: LinkedAgent = JSON.parse(ai_agent)
  return { id, name, assistant_id: assistantId }
}

/** Makes the function that reads a calendar event that the caller may see. */
export const eventReader = (database: Database): ((caller: Caller, key: string) => object) => {
  const byId = database.reader<CalendarEventRow>(`${visible}id = ?3`)
  const byUuid = database.reader<CalendarEventRow>(`${visible}uuid = ?3`)
  const link = linkSigner(database)
  return (caller, key) => {
    const event = /^[1-9]\d{0,15}$/.test(key)
      ? byId(caller.accountId, caller.teamIds, Number(key))
      : byUuid(caller.accountId, caller.teamIds, key.toLowerCase())
    if (event === undefined) throw new Refused(404, "not_found", "No event has this id")
    return {
      id: event.id,
      uuid: event.uuid,
      title: event.title,
      event_type: event.event_type,
      status: event.status,
      start_time: time(event.start_time),
      end_time: time(event.end_time),
      duration_minutes: Math.floor((event.end_time - event.start_time) / 60_000),
      location: event.location,
      has_video_conference: event.has_video_conference === 1,
      video_conference_url: event.video_conference_url,
      created_by_ai_agent: event.created_by_ai_agent === 1,
      ai_agent: agentOf(event),
      description: event.description,
      event_type_display: types[event.event_type],
      status_display: statuses[event.status],
      video_conference_provider: event.video_conference_provider,
      is_reminder_enabled: event.is_reminder_enabled === 1,
      remind_before_minutes: event.remind_before_minutes,
      customer: {
        name: event.customer_name,
        email: event.customer_email,
        phone: event.customer_phone,
        notes: event.customer_notes
      },
      team: event.team_id === null ? null : { id: event.team_id, name: event.team_name },
      // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
      external_calendars: JSON.parse(event.external_calendars),
      // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
      external_calendars_status: JSON.parse(event.external_calendars_status),
      ics_url: link(event.uuid),
      created_at: time(event.created_at),
      updated_at: time(event.updated_at)
    }
  }
}
