import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentRef } from "../agent/Agent.ts"
import * as JsonEncoder from "../values/JsonEncoder.ts"
import { Timestamp } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import { snakeCase } from "../values/Wire.ts"
import type { WebhookEvent } from "../webhook-event/WebhookEvent.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"
import {
  type CalendarEvent,
  CalendarEventId,
  CalendarEventType,
  CalendarEventUuid,
  durationMinutes
} from "./CalendarEvent.ts"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"
import type { CalendarLinks } from "./CalendarLinks.ts"
import type { CalendarWebhookEventName } from "./CalendarWebhookEventName.ts"

/** The payload of the webhook events about calendar events (C-6.2-2). */
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
        aiAgent: Schema.optionalKey(snakeCase(AgentRef).annotate({ identifier: "AgentRef" })),
        customer: Schema.Struct({ name: Schema.String, email: Schema.String, phone: Schema.String }).annotate({
          identifier: "WebhookCustomer"
        }),
        icsUrl: Schema.String
      })
    ).annotate({ identifier: "WebhookCalendarEvent" }),
    timestamp: Timestamp
  })
)

/** Returns the body of a webhook event about a calendar event, as JSON in UTF-8. */
export const payload = (
  eventType: CalendarWebhookEventName,
  event: CalendarEvent,
  icsUrl: string,
  timestamp: DateTime.Utc
): Uint8Array =>
  Utf8.encode(
    JSON.stringify(
      encode({
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

/** Returns the webhook event about a calendar event. Its payload shows the given state of the calendar event. */
export const make = (
  name: CalendarWebhookEventName,
  event: CalendarEvent,
  links: Pick<CalendarLinks["Service"], "icsUrl">
): WebhookEvent => ({
  accountId: event.accountId,
  name,
  subject: subjectOf(event.id),
  body: (createdAt) =>
    Effect.map(links.icsUrl(event, event.accountId), (icsUrl) => payload(name, event, icsUrl, createdAt))
})

/** Returns the subject of the webhook events about a calendar event. */
export const subjectOf = (id: CalendarEventId): string => `event:${id}`

const encode = JsonEncoder.compile(CalendarPayload)
