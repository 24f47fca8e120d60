import type { CallOptions, List } from "./common.ts"

/** The name of a tool that an agent can use during a call. */
export type AgentTool =
  | "get_context"
  | "find_slots"
  | "hold_slot"
  | "book"
  | "my_appointments"
  | "move"
  | "cancel"
  | "get_contact"
  | "update_contact"
  | "set_variables"
  | "opt_out"
  | "request_callback"

/** An AI agent with its usage counters. */
export interface Agent {
  readonly id: number
  readonly accountId: number
  /** The id at the call provider. Unique over all accounts. */
  readonly assistantId: string
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  readonly phoneNumber: string | null
  readonly model: string
  readonly voiceId: string
  readonly teamId: number | null
  /** The tools that the agent may use during a call. Null allows every tool, and an empty list none. */
  readonly allowedTools: ReadonlyArray<AgentTool> | null
  /** The seconds of talk in all ended calls. */
  readonly secondsUsed: number
  /** The number of ended calls that the provider had accepted. */
  readonly totalCalls: number
  readonly createdAt: string
  /** When the agent was archived, or null. */
  readonly archivedAt: string | null
}

/** The id of an agent, or its assistant id. */
export type AgentKey = number | string | { readonly id: number } | { readonly assistantId: string }

/** An agent that replaces the stored one. Null counts as absent, and an absent field gets its default. */
export interface PutAgent {
  /** The id at the call provider. Unique over all accounts. */
  readonly assistantId: string
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  /** In E.164 form: `+12025550123`. No agent of another account may have it. */
  readonly phoneNumber?: string | null | undefined
  readonly model?: string | null | undefined
  readonly voiceId?: string | null | undefined
  readonly teamId?: number | null | undefined
  /** By default every tool. */
  readonly allowedTools?: ReadonlyArray<AgentTool> | null | undefined
}

/** The agent to create. */
export interface CreateAgent extends PutAgent {}

/** A change of an agent. An absent field keeps its value. Null clears the phone number and the team, and allows every tool. */
export interface PatchAgent {
  readonly assistantId?: string | undefined
  readonly name?: string | undefined
  readonly role?: "inbound agent" | "outbound agent" | undefined
  readonly phoneNumber?: string | null | undefined
  readonly model?: string | undefined
  readonly voiceId?: string | undefined
  readonly teamId?: number | null | undefined
  readonly allowedTools?: ReadonlyArray<AgentTool> | null | undefined
}

/** The filter of the list of agents. */
export interface AgentQuery {
  /** True lists only archived agents. By default they are left out. */
  readonly archived?: boolean | undefined
}

/** The result of deleting an agent. */
export interface DeletedAgent {
  /** Whether the agent was archived, because calls or calendar events name it. Otherwise it is gone. */
  readonly archived: boolean
}

/** The agents that the caller may use. */
export interface Agents {
  /** Lists all agents that the caller sees, sorted by id. */
  readonly list: (query?: AgentQuery, options?: CallOptions) => List<Agent>
  /** Returns an agent by its id or assistant id. Rejects with `agent_not_found` for any other agent. */
  readonly get: (key: AgentKey, options?: CallOptions) => Promise<Agent>
  /** Adds an agent, and returns it. */
  readonly create: (input: CreateAgent, options?: CallOptions) => Promise<Agent>
  /** Replaces an agent, and returns it. Only its owner may. */
  readonly put: (id: number, input: PutAgent, options?: CallOptions) => Promise<Agent>
  /** Changes the given fields of an agent, and returns it. Only its owner may. */
  readonly patch: (id: number, patch: PatchAgent, options?: CallOptions) => Promise<Agent>
  /** Deletes an agent, or archives it when calls or calendar events name it. Only its owner may. */
  readonly delete: (id: number, options?: CallOptions) => Promise<DeletedAgent>
}
