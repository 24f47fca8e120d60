import * as Schema from "effect/Schema"

/** No agent with this id or assistant id is visible to the caller (C-7-20: 404 `agent_not_found`). */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>("@frontdesk/core/agent/AgentNotFound")(
  "AgentNotFound",
  { agent: Schema.Union([Schema.Int, Schema.String]) }
) {}

/** The agent is archived. It takes no new calls or calendar events, and is not changed (D-AGENT-4: 409 `agent_archived`). */
export class AgentArchived extends Schema.TaggedError<AgentArchived>("@frontdesk/core/agent/AgentArchived")(
  "AgentArchived",
  { agentId: Schema.Int }
) {}
