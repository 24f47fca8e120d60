import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { AgentId, AgentRef } from "../agent/Agent.ts"
import {
  durationMinutes,
  CalendarEventId,
  CalendarEventType,
  CalendarEventUuid
} from "../calendar-event/CalendarEvent.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStatus } from "../calendar-event/CalendarEventStatus.ts"
import { CallDirection, CallId, durationSeconds } from "../call/Call.ts"
import type { Call } from "../call/Call.ts"
import { CallStatus } from "../call/CallStatus.ts"
import { ContactId } from "../contact/Contact.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import { Timestamp } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import { snakeCase } from "../values/Wire.ts"
import type { CalendarEventName, CallEventName } from "./DomainEvent.ts"
import { WebhookId } from "../webhook/Webhook.ts"
import type { Webhook } from "../webhook/Webhook.ts"
import { WebhookEventName } from "./WebhookEvent.ts"

/** The payload of the events about calls (C-6.2-1). */
export const CallPayload = snakeCase(
  Schema.Struct({
    eventType: WebhookEventName,
    call: snakeCase(
      Schema.Struct({
        id: CallId,
        serviceCallId: Schema.String,
        agentId: AgentId,
        agentName: Schema.String,
        status: CallStatus,
        type: CallDirection,
        phoneNumber: PhoneNumber,
        startedAt: Schema.NullOr(Timestamp),
        endedAt: Schema.NullOr(Timestamp),
        /** Null until the call has ended; 0 when it was never answered. */
        durationSeconds: Schema.NullOr(Schema.Int),
        recordingUrl: Schema.NullOr(Schema.String),
        /** Absent until it is available. */
        summary: Schema.optionalKey(Schema.String),
        contact: Schema.NullOr(
          Schema.Struct({ id: ContactId, name: Schema.String, email: Schema.NullOr(Schema.String) })
        )
      })
    ),
    timestamp: Timestamp
  })
)

/** The payload of the events about calendar events (C-6.2-2). */
export const CalendarPayload = snakeCase(
  Schema.Struct({
    eventType: WebhookEventName,
    calendarEvent: snakeCase(
      Schema.Struct({
        id: CalendarEventId,
        uuid: CalendarEventUuid,
        title: Schema.String,
        eventType: CalendarEventType,
        status: CalendarEventStatus,
        startTime: Timestamp,
        endTime: Timestamp,
        durationMinutes: Schema.Int,
        location: Schema.NullOr(Schema.String),
        hasVideoConference: Schema.Boolean,
        videoConferenceUrl: Schema.String,
        createdByAiAgent: Schema.Boolean,
        /** Absent when no agent is associated. */
        aiAgent: Schema.optionalKey(snakeCase(AgentRef)),
        customer: Schema.Struct({ name: Schema.String, email: Schema.String, phone: Schema.String }),
        icsUrl: Schema.String
      })
    ),
    timestamp: Timestamp
  })
)

/** The payload of the event that an owner asks for to try a webhook out (D-HOOK-10). */
export const TestPayload = snakeCase(
  Schema.Struct({
    eventType: Schema.Literal("webhook.test"),
    webhook: Schema.Struct({ id: WebhookId, name: Schema.String }),
    timestamp: Timestamp
  })
)

/** The body of an event about a call, as the call is now. */
export const ofCall = (eventType: CallEventName, call: Call, timestamp: DateTime.Utc): Uint8Array =>
  Utf8.encode(
    JSON.stringify(
      encodeCall({
        eventType,
        call: {
          id: call.id,
          serviceCallId: call.callId,
          agentId: call.agent.id,
          agentName: call.agent.name,
          status: call.status,
          type: call.type,
          phoneNumber: call.phoneNumber,
          startedAt: call.startedAt,
          endedAt: call.endedAt,
          durationSeconds: durationSeconds(call),
          recordingUrl: call.recordingUrl,
          ...(call.summary === null ? {} : { summary: call.summary }),
          contact:
            call.contact === null ? null : { id: call.contact.id, name: call.contact.name, email: call.contact.email }
        },
        timestamp
      })
    )
  )

/** The body of an event about a calendar event, as it is now. */
export const ofCalendarEvent = (
  eventType: CalendarEventName,
  event: CalendarEvent,
  icsUrl: string,
  timestamp: DateTime.Utc
): Uint8Array =>
  Utf8.encode(
    JSON.stringify(
      encodeCalendarEvent({
        eventType,
        calendarEvent: {
          id: event.id,
          uuid: event.uuid,
          title: event.title,
          eventType: event.eventType,
          status: event.status,
          startTime: event.startTime,
          endTime: event.endTime,
          durationMinutes: durationMinutes(event),
          location: event.location,
          hasVideoConference: event.hasVideoConference,
          videoConferenceUrl: event.videoConferenceUrl,
          createdByAiAgent: event.createdByAiAgent,
          ...(event.aiAgent === null ? {} : { aiAgent: event.aiAgent }),
          customer: { name: event.customer.name, email: event.customer.email, phone: event.customer.phone },
          icsUrl
        },
        timestamp
      })
    )
  )

/** The body of a test event. */
export const ofTest = (webhook: Pick<Webhook, "id" | "name">, timestamp: DateTime.Utc): Uint8Array =>
  Utf8.encode(
    JSON.stringify(
      encodeTest({ eventType: "webhook.test", webhook: { id: webhook.id, name: webhook.name }, timestamp })
    )
  )

const encodeCall = Schema.encodeSync(CallPayload)
const encodeCalendarEvent = Schema.encodeSync(CalendarPayload)
const encodeTest = Schema.encodeSync(TestPayload)
