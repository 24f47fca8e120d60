import type { CallOptions, List } from "./common.ts"

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
  /** The seconds of talk in all ended calls. */
  readonly secondsUsed: number
  /** The number of ended calls that the provider had accepted. */
  readonly totalCalls: number
  readonly createdAt: string
}

/** The id of an agent, or its assistant id. */
export type AgentKey = number | string | { readonly id: number } | { readonly assistantId: string }

/** The agents that the caller may use. */
export interface Agents {
  /** Lists all agents that the caller sees, sorted by id. */
  readonly list: (options?: CallOptions) => List<Agent>
  /** Returns an agent by its id or assistant id. Rejects with `agent_not_found` for any other agent. */
  readonly get: (key: AgentKey, options?: CallOptions) => Promise<Agent>
}
