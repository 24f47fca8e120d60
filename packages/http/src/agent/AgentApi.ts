import { AgentId } from "@frontdesk/core/agent/Agent"
import { AgentQuery, CreateAgent, PatchAgent, PutAgent } from "@frontdesk/core/agent/AgentInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OperationName } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { BooleanText, idText } from "../Parameters.ts"
import { AgentDeleted, AgentView, AgentWritten } from "./AgentView.ts"

const params = Wire.snakeCase(Schema.Struct({ agentId: idText(AgentId) }))

const query = Schema.Struct({ archived: Schema.optionalKey(BooleanText) }).pipe(Input.decodes(AgentQuery))

const teamCodes = ["team_access_denied", "team_not_found"] as const

/** The endpoints of agents (C-4.1-1, D-HTTP-27, D-AGENT-1). */
export const AgentApi = HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/agents", {
      query,
      success: Schema.Struct({ agents: Schema.Array(AgentView) }),
      error: errors()
    })
      .annotate(OperationName, "agents.list")
      .annotate(OpenApi.Summary, "List agents")
      .annotate(
        OpenApi.Description,
        "Returns the agents of the account and of its teams. A partner account gets its own agents and those of its clients, and a client account its own and those of its partner. Archived agents are left out unless `archived` is true, and then only they are returned."
      ),
    HttpApiEndpoint.get("get", "/api/v1/agents/:agent_id", {
      params,
      success: AgentView,
      error: errors("agent_not_found")
    })
      .annotate(OperationName, "agents.get")
      .annotate(OpenApi.Summary, "Get an agent"),
    HttpApiEndpoint.post("create", "/api/v1/agents/create", {
      payload: Wire.snakeCase(CreateAgent).annotate({ identifier: "CreateAgent" }),
      success: AgentWritten.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "missing_parameter", ...teamCodes, "limit_reached")
    })
      .annotate(OperationName, "agents.create")
      .annotate(OpenApi.Summary, "Create an agent")
      .annotate(
        OpenApi.Description,
        "No other agent of the installation may have the `assistant_id`, and no agent of another account the `phone_number`. Otherwise the answer is `validation_error`."
      ),
    HttpApiEndpoint.put("put", "/api/v1/agents/:agent_id/update", {
      params,
      payload: Wire.snakeCase(PutAgent).annotate({ identifier: "PutAgent" }),
      success: AgentWritten,
      error: errors(...bodyCodes, "missing_parameter", ...teamCodes, "agent_not_found", "agent_archived")
    })
      .annotate(OperationName, "agents.put")
      .annotate(OpenApi.Summary, "Replace an agent")
      .annotate(
        OpenApi.Description,
        "A field that the body omits gets its default. Only the account that owns the agent can change it."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/agents/:agent_id/update", {
      params,
      payload: Wire.snakeCase(PatchAgent).annotate({ identifier: "PatchAgent" }),
      success: AgentWritten,
      error: errors(...bodyCodes, ...teamCodes, "agent_not_found", "agent_archived")
    })
      .annotate(OperationName, "agents.patch")
      .annotate(OpenApi.Summary, "Change an agent")
      .annotate(
        OpenApi.Description,
        "Changes only the fields in the body. Null clears `phone_number` and `team_id`, and in `allowed_tools` it allows every tool. Only the account that owns the agent can change it."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/agents/:agent_id/delete", {
      params,
      success: AgentDeleted,
      error: errors("agent_not_found")
    })
      .annotate(OperationName, "agents.delete")
      .annotate(OpenApi.Summary, "Delete an agent")
      .annotate(
        OpenApi.Description,
        "An agent that calls or calendar events name is archived instead: it keeps its `assistant_id`, loses its phone number and takes no new calls. Only the account that owns the agent can delete it."
      )
  )
  .annotate(OpenApi.Title, "Agents")
  .annotate(
    OpenApi.Description,
    "The AI assistants that place and answer calls, with their phone numbers and usage counters."
  )
