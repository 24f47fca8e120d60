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

/** The endpoints of the business context (C-4.5-1, D-HTTP-27). The answer to a change has only a message (C-4.5-3). */
export const BusinessApi = HttpApiGroup.make("business")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/business/context", {
      success: Schema.Struct({ variables: BusinessValues }).annotate({ identifier: "BusinessContext" }),
      error: errors()
    })
      .annotate(OperationName, "business.get")
      .annotate(OpenApi.Summary, "Get the business context"),
    HttpApiEndpoint.post("set", "/api/v1/business/context", {
      payload: Wire.snakeCase(SetBusinessContext).annotate({ identifier: "BusinessContextSet" }),
      success: Done,
      error: errors(...postCodes, "missing_parameter", "invalid_value", "undefined_variable", "limit_reached")
    })
      .annotate(OperationName, "business.set")
      .annotate(OpenApi.Summary, "Set values of the business context")
      .annotate(
        OpenApi.Description,
        "Sets the given values and keeps the others. Null removes a value. With `auto_create_variables`, a name without a definition gets one; without it, such a name is `undefined_variable` and nothing is set."
      )
  )
  .annotate(OpenApi.Title, "Business context")
  .annotate(
    OpenApi.Description,
    "The values of the business variables of the account. Each value must match the type of its variable. Templates name the variables with the prefix `business_`."
  )
