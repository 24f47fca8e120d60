import { ContextType, VariableId } from "@frontdesk/core/variable/ContextVariable"
import { CreateVariable, PatchVariable, PutVariable } from "@frontdesk/core/variable/VariableInput"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OperationName } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { Done } from "../PageView.ts"
import { idText } from "../Parameters.ts"
import { VariableView, VariableWritten } from "./VariableView.ts"

const params = Wire.snakeCase(Schema.Struct({ variableId: idText(VariableId) }))

const updateCodes = [...bodyCodes, "missing_parameter", "update_not_allowed", "not_found", "limit_reached"] as const

/**
 * The endpoints of variable definitions (C-4.4-1 to C-4.4-9). `context_type` limits the list to one context (C-4.4-2).
 */
export const VariableApi = HttpApiGroup.make("variables")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/context-variables", {
      query: Wire.snakeCase(Schema.Struct({ contextType: Schema.optionalKey(ContextType) })),
      success: Schema.Struct({ count: Schema.Int, variables: Schema.Array(VariableView) }),
      error: errors()
    })
      .annotate(OperationName, "variables.list")
      .annotate(OpenApi.Summary, "List context variables")
      .annotate(
        OpenApi.Description,
        "Returns the definitions of the account, those of its teams, and the default variables."
      ),
    HttpApiEndpoint.post("create", "/api/v1/context-variables/create", {
      payload: Wire.snakeCase(CreateVariable).annotate({ identifier: "ContextVariableCreate" }),
      success: VariableWritten.pipe(HttpApiSchema.status(201)),
      error: errors(
        ...postCodes,
        "missing_parameter",
        "duplicate_variable",
        "team_access_denied",
        "team_not_found",
        "limit_reached"
      )
    })
      .annotate(OperationName, "variables.create")
      .annotate(OpenApi.Summary, "Create a context variable"),
    HttpApiEndpoint.put("put", "/api/v1/context-variables/:variable_id/update", {
      params,
      payload: Wire.snakeCase(PutVariable).annotate({ identifier: "ContextVariablePut" }),
      success: VariableWritten,
      error: errors(...updateCodes)
    })
      .annotate(OperationName, "variables.put")
      .annotate(OpenApi.Summary, "Replace a context variable")
      .annotate(
        OpenApi.Description,
        "Name and context type cannot change. A default variable cannot be changed. For a `select` send all options."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/context-variables/:variable_id/update", {
      params,
      payload: Wire.snakeCase(PatchVariable).annotate({ identifier: "ContextVariablePatch" }),
      success: VariableWritten,
      error: errors(...updateCodes)
    })
      .annotate(OperationName, "variables.patch")
      .annotate(OpenApi.Summary, "Change a context variable")
      .annotate(
        OpenApi.Description,
        "Name and context type cannot change. A default variable cannot be changed. For a `select` send all options."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/context-variables/:variable_id/delete", {
      params,
      success: Done,
      error: errors("delete_not_allowed", "not_found")
    })
      .annotate(OperationName, "variables.delete")
      .annotate(OpenApi.Summary, "Delete a context variable")
      .annotate(
        OpenApi.Description,
        "Deletes the definition and keeps the stored values of the variable. A default variable cannot be deleted."
      )
  )
  .annotate(OpenApi.Title, "Context variables")
  .annotate(
    OpenApi.Description,
    "The definitions of the variables that calls and templates can use. A contact or the business context holds the values."
  )
