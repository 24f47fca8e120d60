import { AgentId } from "@frontdesk/core/agent/Agent"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OperationName } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { idText } from "../Parameters.ts"
import { AgentView } from "./AgentView.ts"

/** The agents the caller may use (C-4.1-1). */
export const AgentApi = HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/agents", {
      success: Schema.Struct({ agents: Schema.Array(AgentView) }),
      error: errors()
    })
      .annotate(OperationName, "agents.list")
      .annotate(OpenApi.Summary, "List agents"),
    HttpApiEndpoint.get("get", "/api/v1/agents/:agent_id", {
      params: Wire.snakeCase(Schema.Struct({ agentId: idText(AgentId) })),
      success: AgentView,
      error: errors("agent_not_found")
    })
      .annotate(OperationName, "agents.get")
      .annotate(OpenApi.Summary, "Get an agent")
  )
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "Who answers and places calls, and how much they have been used.")
