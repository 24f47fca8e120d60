import * as Agents from "@frontdesk/core/agent/Agent"
import type { DeletedAgent } from "@frontdesk/core/agent/Agents"
import * as Wire from "@frontdesk/core/values/Wire"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Schema from "effect/Schema"

const { accountId, id, assistantId, name, role, phoneNumber, totalCalls, model, voiceId, teamId, allowedTools } =
  Agents.Agent.fields

const viewFields = {
  id,
  /** The account that owns the agent, and alone may change it (D-AGENT-2). */
  accountId,
  assistantId,
  name,
  role,
  /** Null when the agent has no phone number. */
  phoneNumber,
  minutesUsed: Schema.Finite,
  totalCalls,
  model,
  voiceId,
  canMakeCalls: Schema.Boolean,
  /** Null when the agent is in no team. */
  teamId,
  /** Null when the agent may use every tool (D-AGENT-9). */
  allowedTools,
  /** Null unless the agent is archived (D-AGENT-3). */
  archivedAt: Schema.NullOr(Timestamp)
}

/** The JSON of an agent (C-2.1-1). */
export const AgentView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "Agent" })

/** The JSON of the answer to a create or an update: the agent and a message. */
export const AgentWritten = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "AgentWritten"
})

/** The JSON of the answer to a delete. `archived` says whether the agent was archived instead of deleted (D-AGENT-3). */
export const AgentDeleted = Schema.Struct({ message: Schema.String, archived: Schema.Boolean }).annotate({
  identifier: "AgentDeleted"
})

/** Returns the view of an agent. */
export const agentView = (agent: Agents.Agent): typeof AgentView.Type => ({
  id: agent.id,
  accountId: agent.accountId,
  assistantId: agent.assistantId,
  name: agent.name,
  role: agent.role,
  phoneNumber: agent.phoneNumber,
  minutesUsed: Agents.minutesUsed(agent),
  totalCalls: agent.totalCalls,
  model: agent.model,
  voiceId: agent.voiceId,
  canMakeCalls: Agents.canMakeCalls(agent),
  teamId: agent.teamId,
  allowedTools: agent.allowedTools,
  archivedAt: agent.archivedAt
})

/** Returns the answer to a create or an update. */
export const agentWritten = (agent: Agents.Agent, message: string): typeof AgentWritten.Type => ({
  ...agentView(agent),
  message
})

/** Returns the answer to a delete. */
export const agentDeleted = ({ archived }: DeletedAgent): typeof AgentDeleted.Type => ({
  message: archived ? "Agent archived, because calls or calendar events name it" : "Agent deleted",
  archived
})

/** The JSON of an agent inside a call (C-2.2-3) or a calendar event (C-2.5-6). */
export const AgentRefView = Wire.snakeCase(Agents.AgentRef).annotate({ identifier: "AgentRef" })
