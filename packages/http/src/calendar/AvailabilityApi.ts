import { AvailabilityQuery } from "@frontdesk/core/availability/Availability"
import { ExternalBusyQuery } from "@frontdesk/core/availability/ExternalBusyTimes"
import { durationBounds } from "@frontdesk/core/availability/Slots"
import * as Input from "@frontdesk/core/values/Input"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { PageLimit } from "@frontdesk/core/values/Page"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, FieldCodes, OperationName } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { dateQuery, EventKeyText, intText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { AvailabilityView } from "./AvailabilityView.ts"
import { ExternalBusyView } from "./ExternalBusyView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...dateQuery,
    duration: Schema.optionalKey(intText(Schema.Int.check(Schema.isBetween(durationBounds)))),
    timeZone: Schema.optionalKey(TimeZone),
    excludeEventId: Schema.optionalKey(EventKeyText),
    limit: Schema.optionalKey(intText(PageLimit))
  })
).pipe(Input.decodes(AvailabilityQuery))

/**
 * The endpoints of availability (C-4.6-12, D-AVL-1, D-AVL-2) and of external busy times (D-EXT-23). An invalid date has the code `invalid_parameter_format`
 * (C-7-11), an invalid duration `invalid_duration` (C-7-12).
 */
export const AvailabilityApi = HttpApiGroup.make("availability")
  .add(
    HttpApiEndpoint.get("find", "/api/v1/calendar/availability", {
      query,
      success: AvailabilityView,
      error: errors("not_found", "invalid_parameter_format", "invalid_duration", "provider_unavailable")
    })
      .annotate(OperationName, "availability.find")
      .annotate(CostOf, RequestCost.ofAvailability)
      .annotate(FieldCodes, {
        start_date: "invalid_parameter_format",
        end_date: "invalid_parameter_format",
        duration: "invalid_duration"
      })
      .annotate(OpenApi.Summary, "Find free time slots")
      .annotate(
        OpenApi.Description,
        "Returns the slots of `duration` minutes, 30 by default, within the working hours of the account and outside its calendar events. Without dates the search covers today and the next six days; at most 62 days are possible. `truncated` is true when there are more slots; continue from `next_start`."
      ),
    HttpApiEndpoint.get("busy", "/api/v1/calendar/busy", {
      query: Wire.snakeCase(Schema.Struct(dateQuery)).pipe(Input.decodes(ExternalBusyQuery)),
      success: ExternalBusyView,
      error: errors("invalid_parameter_format")
    })
      .annotate(OperationName, "availability.busy")
      .annotate(CostOf, RequestCost.ofDays)
      .annotate(FieldCodes, { start_date: "invalid_parameter_format", end_date: "invalid_parameter_format" })
      .annotate(OpenApi.Summary, "Get the busy times of the external calendars")
      .annotate(
        OpenApi.Description,
        "Returns when the connected external calendars are busy, and nothing else of their entries. Copies of calendar events count too. Times that overlap or touch are one, with all `providers` that are busy during it. A calendar that cannot be read is in `unavailable`. Without dates the answer covers today and the next six days; at most 62 days and 5,000 times are possible. `truncated` is true when there are more times; continue from `next_start`."
      )
  )
  .annotate(OpenApi.Title, "Availability")
  .annotate(
    OpenApi.Description,
    "The times that can be booked: the working hours of the account without the busy times of its calendar and of its external calendars."
  )
