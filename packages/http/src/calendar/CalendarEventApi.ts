import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarProviderKey, CalendarEventType } from "@frontdesk/core/calendar-event/CalendarEvent"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  CalendarEventQuery,
  PatchCalendarEvent,
  PutCalendarEvent,
  ResolveCopy
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { maxListed } from "@frontdesk/core/delivery/Delivery"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, FieldCodes, OperationName, SignedBy, TextAnswer } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { pageFields } from "../PageView.ts"
import { BooleanText, dateQuery, EventKeyText, idText, onlyPageQuery, pageQuery, SearchText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { DeliveryPage } from "../webhook/WebhookView.ts"
import { CopyResolved, EventCancelled, EventItem, CalendarEventView, EventWritten } from "./CalendarEventView.ts"

const params = Wire.snakeCase(Schema.Struct({ eventId: EventKeyText }))

const query = Wire.snakeCase(
  Schema.Struct({
    ...dateQuery,
    status: Schema.optionalKey(CalendarEventStatus),
    eventType: Schema.optionalKey(CalendarEventType),
    aiAgentId: Schema.optionalKey(idText(AgentId)),
    teamId: Schema.optionalKey(idText(TeamId)),
    customerEmail: Schema.optionalKey(SearchText),
    contactId: Schema.optionalKey(idText(ContactId)),
    overlapping: Schema.optionalKey(BooleanText),
    ...pageQuery
  })
).pipe(Input.decodes(CalendarEventQuery))

const timeCodes = { start_time: "invalid_datetime_format", end_time: "invalid_datetime_format" } as const

const writeCodes = [
  "invalid_datetime_format",
  "invalid_time_range",
  "agent_not_found",
  "agent_archived",
  "team_not_found",
  "team_access_denied",
  "slot_unavailable",
  "calendar_unavailable"
] as const

/**
 * The endpoints of calendar events (C-4.6-1 to C-4.6-11, D-CAL-1 to D-CAL-9). A list returns one page (C-4.6-2). A path
 * has the id or the UUID of a calendar event (C-4.6-4).
 */
export const CalendarEventApi = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/calendar/events", {
      query,
      success: Schema.Struct({ ...pageFields, events: Schema.Array(EventItem) }),
      error: errors()
    })
      .annotate(OperationName, "events.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List calendar events")
      .annotate(
        OpenApi.Description,
        "The dates select events by their start. With `overlapping=true` the list also has events that began before `start_date` and end after it has begun. `contact_id` selects the events that were booked for a contact, or that have one of its phone numbers or its e-mail address. It needs the permission `can_read_contacts`."
      ),
    HttpApiEndpoint.post("create", "/api/v1/calendar/events/create", {
      payload: Wire.snakeCase(CreateCalendarEvent).annotate({ identifier: "CalendarEventCreate" }),
      success: EventWritten.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "missing_parameter", ...writeCodes, "limit_reached")
    })
      .annotate(OperationName, "events.create")
      .annotate(FieldCodes, timeCodes)
      .annotate(OpenApi.Summary, "Create a calendar event")
      .annotate(
        OpenApi.Description,
        "The event may overlap others unless the account or the body sets `reject_conflicts`. Then an overlap is `slot_unavailable`. With `require_available` the event is created only in a time that availability offers. External calendars are read before."
      ),
    HttpApiEndpoint.get("get", "/api/v1/calendar/events/:event_id", {
      params,
      success: CalendarEventView,
      error: errors("not_found")
    })
      .annotate(OperationName, "events.get")
      .annotate(OpenApi.Summary, "Get a calendar event by its id or UUID"),
    HttpApiEndpoint.get("deliveries", "/api/v1/calendar/events/:event_id/deliveries", {
      params,
      query: onlyPageQuery,
      success: DeliveryPage,
      error: errors("not_found")
    })
      .annotate(OperationName, "events.deliveries")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the deliveries about a calendar event")
      .annotate(
        OpenApi.Description,
        `Returns the deliveries of webhook events about the calendar event to all webhooks of the account, with their attempts, newest first, one page at a time. At most the newest ${maxListed} are listed. Needs the permission \`can_read_webhooks\`.`
      ),
    HttpApiEndpoint.put("put", "/api/v1/calendar/events/:event_id/update", {
      params,
      payload: Wire.snakeCase(PutCalendarEvent).annotate({ identifier: "CalendarEventPut" }),
      success: EventWritten,
      error: errors(...bodyCodes, ...writeCodes, "not_found")
    })
      .annotate(OperationName, "events.put")
      .annotate(FieldCodes, timeCodes)
      .annotate(OpenApi.Summary, "Replace a calendar event")
      .annotate(
        OpenApi.Description,
        "A title, time or status that the body omits stays as it is. Every other field that the body omits gets its default."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/calendar/events/:event_id/update", {
      params,
      payload: Wire.snakeCase(PatchCalendarEvent).annotate({ identifier: "CalendarEventPatch" }),
      success: EventWritten,
      error: errors(...bodyCodes, ...writeCodes, "not_found")
    })
      .annotate(OperationName, "events.patch")
      .annotate(FieldCodes, timeCodes)
      .annotate(OpenApi.Summary, "Change a calendar event")
      .annotate(
        OpenApi.Description,
        "Changes only the fields in the body. Null clears `location`, `ai_agent_id` and `team_id`."
      ),
    HttpApiEndpoint.post("cancel", "/api/v1/calendar/events/:event_id/cancel", {
      params,
      payload: Wire.snakeCase(CancelCalendarEvent).annotate({ identifier: "CalendarEventCancel" }),
      success: EventCancelled,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "events.cancel")
      .annotate(OpenApi.Summary, "Cancel a calendar event")
      .annotate(
        OpenApi.Description,
        "Sets the status to `cancelled`. The reason is appended to the notes of the customer."
      ),
    HttpApiEndpoint.post("resolveCopy", "/api/v1/calendar/events/:event_id/external-calendars/:provider/resolve", {
      params: Wire.snakeCase(Schema.Struct({ eventId: EventKeyText, provider: CalendarProviderKey })),
      payload: ResolveCopy.annotate({ identifier: "CalendarEventCopyResolution" }),
      success: CopyResolved,
      error: errors(...postCodes, "missing_parameter", "not_found")
    })
      .annotate(OperationName, "events.resolveCopy")
      .annotate(OpenApi.Summary, "Resolve a conflict in an external calendar")
      .annotate(
        OpenApi.Description,
        "A conflict is a copy of the event that a person has changed in the external calendar. `overwrite` writes the event over it, and `keep_theirs` leaves the copy as it is until the event changes again."
      ),
    HttpApiEndpoint.get("ics", "/api/v1/calendar/events/:event_id/ics", {
      params,
      query: Schema.Struct({ signature: Schema.optionalKey(Schema.String) }),
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/calendar" })),
      error: errors("not_found")
    })
      .annotate(OperationName, "events.ics")
      .annotate(SignedBy, "signature")
      .annotate(TextAnswer, "text/calendar; charset=utf-8")
      .annotate(OpenApi.Summary, "Get a calendar event as an iCalendar file")
      .annotate(
        OpenApi.Description,
        "A request needs either an API key or the `signature` of the link `ics_url` of the event. Such a link lets a calendar program read the event without a key."
      )
  )
  .annotate(OpenApi.Title, "Calendar events")
  .annotate(OpenApi.Description, "Appointments with customers. A path accepts the id or the UUID of an event.")
