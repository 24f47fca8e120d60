import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { TeamId } from "../access/Team.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Text from "../values/Text.ts"
import { type Agent, AgentId } from "./Agent.ts"

/** The agents a caller may see: those of the accounts, and those of the teams. */
export interface AgentScope {
  readonly accountIds: ReadonlyArray<AccountId>
  readonly teamIds: ReadonlyArray<TeamId>
}

/** An agent before it has an id; nothing used yet. */
export type NewAgent = Omit<Agent, "id" | "secondsUsed" | "totalCalls">

/** How a call names its agent: the database id, or the assistant id. */
export const AgentKey = Schema.Union([
  Schema.Struct({ id: AgentId }),
  Schema.Struct({ assistantId: Text.between(1, 1_000) })
])

/** How a call names its agent. */
export type AgentKey = typeof AgentKey.Type

/** Port: where agents and their usage counters are kept. */
export class AgentStore extends Context.Service<
  AgentStore,
  {
    /** Keeps a new agent. Fails with reason `duplicate` when the assistant id is taken, by any account. */
    readonly insert: (agent: NewAgent) => Effect.Effect<Agent, StorageError>
    /** Replaces everything but the id, the account and the counters. Fails with reason `duplicate` like `insert`. */
    readonly update: (agent: Agent) => Effect.Effect<void, StorageError>
    /** The agents in the scope, by id. */
    readonly list: (scope: AgentScope) => Effect.Effect<ReadonlyArray<Agent>, StorageError>
    /** An agent in the scope. */
    readonly find: (scope: AgentScope, key: AgentKey) => Effect.Effect<Option.Option<Agent>, StorageError>
    /** Adds so many seconds, and one call unless another number is given, to the counters. Both may be negative. */
    readonly addUsage: (id: AgentId, seconds: number, calls?: number) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/agent/AgentStore") {}
