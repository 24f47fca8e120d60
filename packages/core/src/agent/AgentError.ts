import * as Schema from "effect/Schema"

/** No agent the caller can see has this id or assistant id (C-7-20: 404 `agent_not_found`). */
export class AgentNotFound extends Schema.TaggedError<AgentNotFound>("@frontdesk/core/agent/AgentNotFound")(
  "AgentNotFound",
  { agent: Schema.Union([Schema.Int, Schema.String]) }
) {}
