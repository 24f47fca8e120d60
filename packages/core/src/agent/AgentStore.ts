import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { TeamId } from "../access/Team.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import { type Agent, AgentId } from "./Agent.ts"

/** The agents that a caller sees: those that one of the accounts owns, and those of one of the teams. */
export interface AgentScope {
  readonly accountIds: ReadonlyArray<AccountId>
  readonly teamIds: ReadonlyArray<TeamId>
}

/** An agent before it has an id. Its usage counters start at 0. */
export type NewAgent = Omit<Agent, "id" | "secondsUsed" | "totalCalls">

/** Identifies an agent by its database id or by its assistant id. */
export const AgentKey = Schema.Union([
  Schema.Struct({ id: AgentId }),
  Schema.Struct({ assistantId: Text.between(1, 1_000) })
])

/** Identifies an agent. */
export type AgentKey = typeof AgentKey.Type

/** Port: where agents and their usage counters are stored. */
export class AgentStore extends Context.Service<
  AgentStore,
  {
    /**
     * Stores a new agent and returns it. Fails with reason `duplicate` when an agent of any account has the assistant id.
     */
    readonly insert: (agent: NewAgent) => Effect.Effect<Agent, StorageError>
    /**
     * Replaces the stored agent, except for its id, account and counters. Fails with reason `duplicate` when another agent
     * has the assistant id.
     */
    readonly update: (agent: Agent) => Effect.Effect<void, StorageError>
    /** Returns the agents in the scope, sorted by id. */
    readonly list: (scope: AgentScope) => Effect.Effect<ReadonlyArray<Agent>, StorageError>
    /** Returns an agent in the scope. */
    readonly find: (scope: AgentScope, key: AgentKey) => Effect.Effect<Option.Option<Agent>, StorageError>
    /**
     * Returns the agents of any account that have a phone number, sorted by id, at most `limit` of them. It ignores the scope
     * of a caller: an inbound call has none until its agent is found. No caller may see the result.
     */
    readonly listByPhoneNumber: (
      phoneNumber: PhoneNumber,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Agent>, StorageError>
    /** Adds seconds and calls to the agent's counters. Both may be negative. The default of `calls` is 1. */
    readonly addUsage: (id: AgentId, seconds: number, calls?: number) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/agent/AgentStore") {}
