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

/** An agent before it has an id. Its usage counters start at 0, and it is not archived. */
export type NewAgent = Omit<Agent, "id" | "secondsUsed" | "totalCalls" | "archivedAt">

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
    /**
     * Deletes an agent, unless a call or a calendar event of any account names it. Returns whether it has deleted the agent.
     * Used after `findForUpdate` in the same transaction.
     */
    readonly delete: (id: AgentId) => Effect.Effect<boolean, StorageError>
    /**
     * Returns the agents in the scope, sorted by id: those that are archived, or those that are not. The default of
     * `archived` is false.
     */
    readonly list: (scope: AgentScope, archived?: boolean) => Effect.Effect<ReadonlyArray<Agent>, StorageError>
    /** Returns an agent in the scope, archived or not. */
    readonly find: (scope: AgentScope, key: AgentKey) => Effect.Effect<Option.Option<Agent>, StorageError>
    /**
     * Returns an agent of the account and locks it until the transaction ends. Other transactions that lock it with this
     * method or with `lockActive`, or that store a call or a calendar event of it, wait. Used inside `Transaction.run`.
     */
    readonly findForUpdate: (accountId: AccountId, id: AgentId) => Effect.Effect<Option.Option<Agent>, StorageError>
    /**
     * Returns whether an agent of any account exists and is not archived. That stays true until the transaction ends,
     * because other transactions that delete or archive the agent wait. Those that only use this method do not wait for
     * each other. Used inside `Transaction.run`.
     */
    readonly lockActive: (id: AgentId) => Effect.Effect<boolean, StorageError>
    /**
     * Returns whether an agent of another account has the phone number. Other transactions that ask about the same number
     * wait until this one ends, so that two accounts cannot both take it. Used inside `Transaction.run`.
     */
    readonly isNumberTaken: (accountId: AccountId, phoneNumber: PhoneNumber) => Effect.Effect<boolean, StorageError>
    /**
     * Returns the agents of any account that have a phone number, sorted by id, at most `limit` of them. It ignores the scope
     * of a caller: an inbound call has none until its agent is found. No caller may see the result.
     */
    readonly listByPhoneNumber: (
      phoneNumber: PhoneNumber,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Agent>, StorageError>
    /** Returns an agent of any account, archived or not. It ignores the scope of a caller, as `listByPhoneNumber` does. */
    readonly findAnywhere: (key: AgentKey) => Effect.Effect<Option.Option<Agent>, StorageError>
    /** Adds seconds and calls to the agent's counters. Both may be negative. The default of `calls` is 1. */
    readonly addUsage: (id: AgentId, seconds: number, calls?: number) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/agent/AgentStore") {}
