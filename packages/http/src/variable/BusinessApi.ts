import { BusinessValues } from "@frontdesk/core/business-context/BusinessContextStore"
import { SetBusinessContext } from "@frontdesk/core/business-context/BusinessContextInput"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { Done } from "../PageView.ts"

/** The business context of the account (C-4.5-1). */
export const BusinessApi = HttpApiGroup.make("business")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/business/context", {
      success: Schema.Struct({ variables: BusinessValues }).annotate({ identifier: "BusinessContext" }),
      error: errors()
    })
      .annotate(OperationName, "business.get")
      .annotate(OpenApi.Summary, "Get business context"),
    HttpApiEndpoint.post("set", "/api/v1/business/context", {
      payload: Wire.snakeCase(SetBusinessContext).annotate({ identifier: "BusinessContextSet" }),
      success: Done,
      error: errors(...postCodes, "missing_parameter", "invalid_value", "undefined_variable", "limit_reached")
    })
      .annotate(OperationName, "business.set")
      .annotate(OpenApi.Summary, "Set business context")
  )
  .annotate(OpenApi.Title, "Business context")
  .annotate(
    OpenApi.Description,
    "Values of the account's business variables, held to their types; `null` removes one. Templates name them with the prefix `business_`."
  )
