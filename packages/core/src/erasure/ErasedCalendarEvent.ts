import type * as DateTime from "effect/DateTime"
import * as Record from "effect/Record"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"

/** The title of a calendar event whose contact was erased. */
export const erasedTitle = "Erased"

/**
 * Returns a calendar event without the data of a person (D-ERASE-3). Time, status, type and agent stay, so that busy times do
 * not change. The next write of an external calendar replaces its copy as a whole, because the revision is unknown.
 */
export const erase = (event: CalendarEvent, now: DateTime.Utc): CalendarEvent => ({
  ...event,
  title: erasedTitle,
  description: "",
  location: null,
  hasVideoConference: false,
  videoConferenceUrl: "",
  videoConferenceProvider: "",
  isReminderEnabled: false,
  customer: { name: "", email: "", phone: "", notes: "" },
  externalCalendars: Record.map(event.externalCalendars, ({ id }) => ({ id, revision: null })),
  notifyOnCancel: false,
  invitation: null,
  sequence: event.sequence + 1,
  updatedAt: now
})

/** Returns whether a calendar event has no data of a person left that {@link erase} would remove. */
export const isErased = ({
  customer,
  description,
  invitation,
  location,
  title,
  videoConferenceUrl
}: CalendarEvent): boolean =>
  title === erasedTitle &&
  description === "" &&
  location === null &&
  videoConferenceUrl === "" &&
  invitation === null &&
  Object.values(customer).every((text) => text === "")
