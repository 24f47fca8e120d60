import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CallId } from "@frontdesk/core/call/Call"
import type { Call } from "@frontdesk/core/call/Call"
import { ContactId } from "@frontdesk/core/contact/Contact"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"

export const accountId = AccountId.make(1)

export const at = DateTime.makeUnsafe("2026-03-08T13:00:00Z")

const agent = { id: AgentId.make(3), name: "Ada", assistantId: "asst_3" }

export const call = (changes: Partial<Call> = {}): Call => ({
  id: CallId.make(12),
  accountId,
  callId: "call_12",
  agent,
  status: "completed",
  type: "outbound",
  phoneNumber: PhoneNumber.make("+12025550123"),
  startedAt: DateTime.makeUnsafe("2026-03-08T12:00:00Z"),
  endedAt: DateTime.makeUnsafe("2026-03-08T12:01:05.500Z"),
  summary: "Booked.",
  transcript: "Hello.",
  recordingUrl: "https://recordings.example/12",
  contact: {
    id: ContactId.make(7),
    name: "Zoë",
    email: "zoe@example.com",
    company: "Acme",
    status: "new",
    stage: "lead",
    lastCallDate: null
  },
  team: null,
  billing: { status: "charged", initialCharge: Money.zero, finalCharge: Money.zero, pricePerMinute: Money.zero },
  endedReason: null,
  variables: {},
  metadata: null,
  submission: "accepted",
  providerCallId: null,
  reconcileAt: null,
  reconcileCount: 0,
  confirmedAt: null,
  reservedMinutes: 1,
  reserveAt: null,
  createdAt: at,
  updatedAt: at,
  ...changes
})

export const calendarEvent = (changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  id: CalendarEventId.make(5),
  uuid: CalendarEventUuid.make("0198c0de-0000-7000-8000-000000000005"),
  accountId,
  title: "Visit",
  description: "",
  eventType: "meeting",
  status: "scheduled",
  startTime: DateTime.makeUnsafe("2026-03-09T09:00:00Z"),
  endTime: DateTime.makeUnsafe("2026-03-09T09:45:00Z"),
  location: null,
  hasVideoConference: false,
  videoConferenceUrl: "",
  videoConferenceProvider: "",
  createdByAiAgent: true,
  isReminderEnabled: false,
  remindBeforeMinutes: 30,
  customer: { name: "Zoë", email: "zoe@example.com", phone: "", notes: "prefers mornings" },
  contactId: null,
  aiAgent: agent,
  team: null,
  externalCalendars: {},
  externalCalendarsStatus: {},
  notifyOnCancel: true,
  invitation: null,
  sequence: 0,
  createdAt: at,
  updatedAt: at,
  ...changes
})
