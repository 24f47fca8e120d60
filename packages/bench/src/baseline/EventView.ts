import { createHmac } from "node:crypto"

/** A row of a calendar event. Times are epoch milliseconds, flags are 0 or 1, and documents are JSON. */
export interface CalendarEventRow {
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

/** Makes the function that returns the signed link of a calendar event, from the secret that signs links. */
export const linkSigner =
  (secret: string | undefined) =>
  (uuid: string): string => {
    if (secret === undefined) throw new Error("The database has no secret that signs links.")
    const signature = createHmac("sha256", secret).update(`ics:${uuid}`).digest("base64url")
    return `/api/v1/calendar/events/${uuid}/ics?signature=${signature}`
  }

/** The statement that reads the secret that signs links. */
export const secretText = "SELECT value FROM installation_secret WHERE name = 'ics'"

/** Whether a key of a calendar event is its id. */
export const isId = (key: string): boolean => /^[1-9]\d{0,15}$/.test(key)

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

const time = (millis: number): string => new Date(millis).toISOString()

/** Returns the answer with a calendar event and its signed link. */
export const eventView = (event: CalendarEventRow, link: (uuid: string) => string): object => ({
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
})
