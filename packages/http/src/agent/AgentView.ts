import * as Agents from "@frontdesk/core/agent/Agent"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { id, assistantId, name, role, phoneNumber, totalCalls, model, voiceId, teamId } = Agents.Agent.fields

/** The JSON of an agent (C-2.1-1). */
export const AgentView = Wire.snakeCase(
  Schema.Struct({
    id,
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
    teamId
  })
).annotate({ identifier: "Agent" })

/** Returns the view of an agent. */
export const agentView = (agent: Agents.Agent): typeof AgentView.Type => ({
  id: agent.id,
  assistantId: agent.assistantId,
  name: agent.name,
  role: agent.role,
  phoneNumber: agent.phoneNumber,
  minutesUsed: Agents.minutesUsed(agent),
  totalCalls: agent.totalCalls,
  model: agent.model,
  voiceId: agent.voiceId,
  canMakeCalls: Agents.canMakeCalls(agent),
  teamId: agent.teamId
})

/** The JSON of an agent inside a call (C-2.2-3) or a calendar event (C-2.5-6). */
export const AgentRefView = Wire.snakeCase(Agents.AgentRef).annotate({ identifier: "AgentRef" })
