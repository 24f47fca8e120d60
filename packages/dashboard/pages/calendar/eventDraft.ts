import type { CalendarEventPatch } from "@frontdesk/client"
import { rawTextIn, textIn } from "../ui/forms.ts"
import { eventStatuses, eventTypes } from "./eventValues.ts"

/** What a form says of an event, except for its times. */
export type EventDraft = Required<
  Omit<
    CalendarEventPatch,
    | "start_time"
    | "end_time"
    | "sync_external_calendars"
    | "send_notifications"
    | "reject_conflicts"
    | "require_available"
  >
>

/** The fields of a form that the API names in its problems, and below which a form shows them. */
export const draftFields = [
  "title",
  "description",
  "event_type",
  "status",
  "location",
  "customer_name",
  "customer_email",
  "customer_phone",
  "customer_notes",
  "video_conference_url",
  "video_conference_provider",
  "remind_before_minutes",
  "ai_agent_id",
  "team_id"
] as const satisfies ReadonlyArray<keyof EventDraft>

const idIn = (form: FormData, name: string): number | null => {
  const id = textIn(form, name)
  return id === "" ? null : Number(id)
}

/** Reads the form of an event. A field that the form does not have is undefined. */
export const draftIn = (form: FormData): { readonly [Name in keyof EventDraft]: EventDraft[Name] | undefined } => {
  const text = (name: string) => (form.has(name) ? textIn(form, name) : undefined)
  // The line ends of notes and descriptions are part of them.
  const texts = (name: string) => (form.has(name) ? rawTextIn(form, name) : undefined)
  const location = text("location")
  return {
    title: text("title"),
    description: texts("description"),
    event_type: eventTypes.find((type) => type === form.get("event_type")),
    status: eventStatuses.find((status) => status === form.get("status")),
    location: location === "" ? null : location,
    customer_name: text("customer_name"),
    customer_email: text("customer_email"),
    customer_phone: text("customer_phone"),
    customer_notes: texts("customer_notes"),
    has_video_conference: form.get("has_video_conference") !== null,
    video_conference_url: text("video_conference_url"),
    video_conference_provider: text("video_conference_provider"),
    is_reminder_enabled: form.get("is_reminder_enabled") !== null,
    remind_before_minutes: form.has("remind_before_minutes")
      ? Number(textIn(form, "remind_before_minutes"))
      : undefined,
    ai_agent_id: form.has("ai_agent_id") ? idIn(form, "ai_agent_id") : undefined,
    team_id: form.has("team_id") ? idIn(form, "team_id") : undefined
  }
}

/** Returns what a form has that is not the same in another one. Fields that the form does not have are left out. */
export const changedIn = (form: FormData, before: FormData): Partial<EventDraft> => {
  const then: Readonly<Record<string, unknown>> = draftIn(before)
  return Object.fromEntries(
    Object.entries(draftIn(form)).filter(([name, value]) => value !== undefined && value !== then[name])
  )
}

/** Returns the choices of a write that are no part of the event, as the API takes them. */
export const writeOptionsIn = (form: FormData, isMoved: boolean) => ({
  ...(isMoved && form.get("require_available") !== null && { require_available: true }),
  ...(form.get("send_notifications") === null && { send_notifications: false }),
  ...(form.get("sync_external_calendars") === null && { sync_external_calendars: false })
})
