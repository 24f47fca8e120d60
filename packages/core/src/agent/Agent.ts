import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamId } from "../access/Team.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import { AllowedTools } from "./AgentTool.ts"

/** Database id of an agent. */
export const AgentId = DatabaseId.pipe(Schema.brand("AgentId"))

/** Database id of an agent. */
export type AgentId = typeof AgentId.Type

/** The direction of an agent's calls (C-2.1-2). */
export const AgentRole = Schema.Literals(["inbound agent", "outbound agent"])

/** The direction of an agent's calls. */
export type AgentRole = typeof AgentRole.Type

/** An AI agent (C-2.1-1) with its usage counters. */
export const Agent = Schema.Struct({
  id: AgentId,
  accountId: AccountId,
  /** Unique over all accounts. */
  assistantId: Schema.NonEmptyString,
  name: Schema.String,
  role: AgentRole,
  phoneNumber: Schema.NullOr(PhoneNumber),
  model: Schema.String,
  voiceId: Schema.String,
  teamId: Schema.NullOr(TeamId),
  /** The tools that the agent may use during a call. Null allows every tool, and an empty list none (D-AGENT-9). */
  allowedTools: Schema.NullOr(AllowedTools),
  /** The seconds of talk in all ended calls (D-CALL-29). */
  secondsUsed: Schema.Int,
  /** The number of ended calls that the provider had accepted (D-CALL-29). */
  totalCalls: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  /** When the agent was archived, because it was deleted while calls or calendar events named it (D-AGENT-3). */
  archivedAt: Schema.NullOr(Schema.DateTimeUtc)
})

/** An AI agent with its usage counters. */
export type Agent = typeof Agent.Type

/** An agent as other resources show it: calls (C-2.2-3) and calendar events (C-2.5-6). */
export const AgentRef = Schema.Struct({ id: AgentId, name: Schema.String, assistantId: Schema.String })

/** An agent as other resources show it. */
export type AgentRef = typeof AgentRef.Type

/** Returns whether the agent can make calls, which needs a phone number (C-2.1-4). */
export const canMakeCalls = (agent: Pick<Agent, "phoneNumber">): boolean => agent.phoneNumber !== null

/** Returns the agent's `minutes_used`: its seconds of talk divided by 60, not rounded (C-2.1-3). */
export const minutesUsed = (agent: Pick<Agent, "secondsUsed">): number => agent.secondsUsed / 60

/** Returns an agent as other resources show it. */
export const ref = (agent: Agent): AgentRef => ({ id: agent.id, name: agent.name, assistantId: agent.assistantId })
