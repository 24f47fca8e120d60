import { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import {
  BeginAuthorization,
  CaldavAccess,
  ConnectCaldav
} from "@frontdesk/core/external-calendar/ExternalCalendarInput"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OperationName, TakesIdempotencyKey } from "../ApiAnnotations.ts"
import { bodyCodes, errors } from "../ApiError.ts"
import { Done } from "../PageView.ts"
import {
  AuthorizationBegun,
  CaldavCalendars,
  ExternalCalendarChecked,
  ExternalCalendarConnected,
  ExternalCalendarView
} from "./ExternalCalendarView.ts"

const params = Schema.Struct({ provider: CalendarProviderKey })

const caldav = Wire.snakeCase(
  Schema.Struct({ ...CaldavAccess.fields, calendar: Schema.optionalKey(ConnectCaldav.fields.calendar) })
).annotate({ identifier: "ConnectCaldav" })

/** The endpoints of the account's connections to external calendars (D-EXT-20 to D-EXT-22). */
export const ExternalCalendarApi = HttpApiGroup.make("externalCalendars")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/calendar/connections", {
      success: Schema.Struct({
        connections: Schema.Array(ExternalCalendarView),
        providers: Schema.Array(CalendarProviderKey)
      }),
      error: errors()
    })
      .annotate(OperationName, "externalCalendars.list")
      .annotate(OpenApi.Summary, "List the connections to external calendars")
      .annotate(
        OpenApi.Description,
        "`providers` has those that the server offers. `conflicts` counts the calendar events ahead whose copy a person has changed or deleted. No provider is asked."
      ),
    HttpApiEndpoint.post("beginAuthorization", "/api/v1/calendar/connections/oauth/begin", {
      payload: Wire.snakeCase(BeginAuthorization).annotate({ identifier: "BeginCalendarAuthorization" }),
      success: AuthorizationBegun,
      error: errors(...bodyCodes, "missing_parameter", "calendar_not_offered")
    })
      .annotate(OperationName, "externalCalendars.beginAuthorization")
      .annotate(TakesIdempotencyKey, false)
      .annotate(OpenApi.Summary, "Begin to connect Google or Outlook")
      .annotate(
        OpenApi.Description,
        "Open `authorization_url` in the browser of the person who grants access. The provider then sends the browser to this server, which connects the calendar and sends the browser to `return_url`, with `connected` or `error` in the query. Without `return_url` the server shows a page. `return_url` must have the origin of the server, or one that the operator has allowed."
      ),
    HttpApiEndpoint.post("connectCaldav", "/api/v1/calendar/connections/caldav", {
      payload: caldav,
      success: [ExternalCalendarConnected.pipe(HttpApiSchema.status(201)), CaldavCalendars],
      error: errors(
        ...bodyCodes,
        "missing_parameter",
        "calendar_not_offered",
        "calendar_refused",
        "provider_unavailable"
      )
    })
      .annotate(OperationName, "externalCalendars.connectCaldav")
      .annotate(TakesIdempotencyKey, false)
      .annotate(OpenApi.Summary, "Connect a calendar on a CalDAV server")
      .annotate(
        OpenApi.Description,
        "Without `calendar` the answer is 200 with the calendars of the server, and nothing is connected. With the URL of one of them the calendar is checked and connected, which replaces an earlier CalDAV connection. `url` is any URL of the server, by default that of iCloud, which needs an app-specific password."
      ),
    HttpApiEndpoint.post("check", "/api/v1/calendar/connections/:provider/check", {
      params,
      success: ExternalCalendarChecked,
      error: errors(...bodyCodes, "not_found")
    })
      .annotate(OperationName, "externalCalendars.check")
      .annotate(TakesIdempotencyKey, false)
      .annotate(OpenApi.Summary, "Check a connection")
      .annotate(OpenApi.Description, "Asks the provider whether the calendar can be used, and writes nothing to it."),
    HttpApiEndpoint.delete("disconnect", "/api/v1/calendar/connections/:provider/delete", {
      params,
      success: Done,
      error: errors("not_found")
    })
      .annotate(OperationName, "externalCalendars.disconnect")
      .annotate(OpenApi.Summary, "Delete a connection")
      .annotate(
        OpenApi.Description,
        "Deletes the credentials too. Events that were written to the calendar stay there."
      )
  )
  .annotate(OpenApi.Title, "External calendars")
  .annotate(
    OpenApi.Description,
    "The connections of the account to Google, Outlook and CalDAV servers, such as iCloud. No answer has credentials."
  )
