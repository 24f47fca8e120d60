const string = { type: "string" }
const integer = { type: "integer" }
const boolean = { type: "boolean" }
const nullable = (schema: { readonly type: string }) => ({ ...schema, type: [schema.type, "null"] })
const object = (properties: Readonly<Record<string, object>>) => ({ type: "object", properties })

const text = (maxLength: number) => ({ type: "string", maxLength, format: "kept" })
const id = { type: "integer", minimum: 1 }

/**
 * Formats that a regular expression cannot describe: text that every database stores unchanged, text that is not blank,
 * and addresses.
 */
export const formats = {
  kept: (text: string) => !text.includes("\0") && text.isWellFormed(),
  filled: (text: string) => text.trim() !== "" && !text.includes("\0") && text.isWellFormed(),
  "email-or-none": (text: string) =>
    text === "" ||
    (text.length <= 254 &&
      /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}$/u.test(text)),
  "url-or-none": (text: string) => /^$|^https?:\/\/[^\s\p{C}<>"]+$/iu.test(text)
}

/** The body of a request that creates a calendar event. */
export const newEvent = {
  type: "object",
  required: ["title", "start_time", "end_time"],
  properties: {
    title: { type: "string", minLength: 1, maxLength: 255, format: "filled" },
    start_time: string,
    end_time: string,
    description: text(10_000),
    event_type: { type: "string", enum: ["meeting", "appointment", "busy", "voice_call", "video_call"] },
    status: { type: "string", enum: ["scheduled", "confirmed", "cancelled", "completed", "no_show"] },
    location: text(1_000),
    customer_name: text(255),
    customer_email: { type: "string", format: "email-or-none" },
    customer_phone: text(50),
    customer_notes: text(10_000),
    has_video_conference: boolean,
    video_conference_url: { ...text(2_048), allOf: [{ type: "string", format: "url-or-none" }] },
    video_conference_provider: text(100),
    is_reminder_enabled: boolean,
    remind_before_minutes: { type: "integer", minimum: 0, maximum: 40_320 },
    ai_agent_id: id,
    team_id: id,
    created_by_ai_agent: boolean,
    sync_external_calendars: boolean,
    send_notifications: boolean,
    reject_conflicts: boolean
  }
}

/** The path parameters of a calendar event. */
export const eventParams = {
  type: "object",
  properties: {
    event_id: {
      type: "string",
      pattern: "^([1-9]\\d{0,15}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"
    }
  }
}

/** A calendar event, from which Fastify generates a serializer. */
export const event = object({
  id: integer,
  uuid: string,
  title: string,
  event_type: string,
  status: string,
  start_time: string,
  end_time: string,
  duration_minutes: integer,
  location: nullable(string),
  has_video_conference: boolean,
  video_conference_url: string,
  created_by_ai_agent: boolean,
  ai_agent: object({ id: integer, name: string, assistant_id: string }),
  description: string,
  event_type_display: string,
  status_display: string,
  video_conference_provider: string,
  is_reminder_enabled: boolean,
  remind_before_minutes: integer,
  customer: object({ name: string, email: string, phone: string, notes: string }),
  team: { ...object({ id: integer, name: string }), nullable: true },
  external_calendars: { type: "object", additionalProperties: string },
  external_calendars_status: { type: "object", additionalProperties: object({ status: string, at: string }) },
  ics_url: string,
  created_at: string,
  updated_at: string
})

/** The answer to a request that creates a calendar event, from which Fastify generates a serializer. */
export const eventWritten = object({
  id: integer,
  uuid: string,
  title: string,
  start_time: string,
  end_time: string,
  status: string,
  message: string
})
