import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldCodes, OperationName } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { dateQuery, intText } from "../Parameters.ts"
import { AvailabilityView } from "./AvailabilityView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...dateQuery,
    duration: Schema.optionalKey(intText(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 180 })))),
    timeZone: Schema.optionalKey(TimeZone)
  })
)

/** When the caller is free (Contract 4.6, Decisions 7). */
export const AvailabilityApi = HttpApiGroup.make("availability")
  .add(
    HttpApiEndpoint.get("find", "/api/v1/calendar/availability", {
      query,
      success: AvailabilityView,
      error: errors("invalid_parameter_format", "invalid_duration", "provider_unavailable")
    })
      .annotate(OperationName, "availability.find")
      .annotate(FieldCodes, {
        start_date: "invalid_parameter_format",
        end_date: "invalid_parameter_format",
        duration: "invalid_duration"
      })
      .annotate(OpenApi.Summary, "Find free time slots")
  )
  .annotate(OpenApi.Title, "Availability")
  .annotate(
    OpenApi.Description,
    "Times that can be booked: working hours without what the calendar holds, and the outside calendars of the account."
  )
