import type { AuditedKind } from "../audit/AuditTrail.ts"
import { idAs } from "../audit/FieldChanges.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"

/**
 * Calendar events in the audit log. The texts of an event and its customer are personal, and a link to a video conference
 * admits every person who has it, so they are only named (D-AUD-4).
 */
export const kind: AuditedKind<CalendarEvent> = {
  type: "calendar_event",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    uuid: "ignored",
    accountId: "ignored",
    title: "named",
    description: "named",
    status: "shown",
    startTime: "shown",
    endTime: "shown",
    location: "named",
    videoConferenceUrl: "named",
    videoConferenceProvider: "shown",
    eventType: "shown",
    hasVideoConference: "shown",
    createdByAiAgent: "shown",
    isReminderEnabled: "shown",
    remindBeforeMinutes: "shown",
    customer: "named",
    contactId: "shown",
    aiAgent: idAs("ai_agent_id"),
    team: idAs("team_id"),
    externalCalendars: "ignored",
    externalCalendarsStatus: "ignored",
    notifyOnCancel: "ignored",
    invitation: "ignored",
    sequence: "ignored",
    createdAt: "ignored",
    updatedAt: "ignored"
  }
}
