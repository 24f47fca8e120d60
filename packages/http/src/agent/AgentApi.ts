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

/** The endpoints of agents (C-4.1-1, D-HTTP-27). */
export const AgentApi = HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/agents", {
      success: Schema.Struct({ agents: Schema.Array(AgentView) }),
      error: errors()
    })
      .annotate(OperationName, "agents.list")
      .annotate(OpenApi.Summary, "List agents")
      .annotate(
        OpenApi.Description,
        "Returns the agents of the account and of its teams. A partner account gets its own agents and those of its clients, and a client account its own and those of its partner."
      ),
    HttpApiEndpoint.get("get", "/api/v1/agents/:agent_id", {
      params: Wire.snakeCase(Schema.Struct({ agentId: idText(AgentId) })),
      success: AgentView,
      error: errors("agent_not_found")
    })
      .annotate(OperationName, "agents.get")
      .annotate(OpenApi.Summary, "Get an agent")
  )
  .annotate(OpenApi.Title, "Agents")
  .annotate(
    OpenApi.Description,
    "The AI assistants that place and answer calls, with their phone numbers and usage counters."
  )
