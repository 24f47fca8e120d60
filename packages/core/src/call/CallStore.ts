import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Principal.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { Call, CallDirection, CallId } from "./Call.ts"
import type { CallStatus } from "./CallStatus.ts"

/** Which calls a list holds; each filter given narrows it (Decisions 4). */
export interface CallFilter {
  readonly status?: CallStatus | undefined
  readonly type?: CallDirection | undefined
  readonly agentId?: AgentId | undefined
  readonly contactId?: ContactId | undefined
  readonly phoneNumber?: PhoneNumber | undefined
  /** Created at this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** Created before this instant. */
  readonly until?: DateTime.Utc | undefined
}

/** How a call is named: by its database id, the service's identifier, or the provider's. */
export type CallKey = { readonly id: CallId } | { readonly callId: string } | { readonly providerCallId: string }

/** A call that is to be asked about. */
export interface DueCall {
  readonly id: CallId
  readonly reconcileAt: DateTime.Utc
}

/** Port: where calls are kept. Agent, team and contact are shown as they are when read. */
export class CallStore extends Context.Service<
  CallStore,
  {
    /** Keeps a new call. Fails with reason `duplicate` when the `callId` is taken. */
    readonly insert: (call: Omit<Call, "id">) => Effect.Effect<Call, StorageError>
    /** A call in the scope. */
    readonly find: (scope: Scope, key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /**
     * A call of any account, held until the transaction ends: for what providers report and for the reconciler, never
     * for a caller. Used inside `Transaction.run`.
     */
    readonly findForUpdate: (key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /** Replaces everything but id, account, agent, contact and team. */
    readonly update: (call: Call) => Effect.Effect<void, StorageError>
    /** Calls in the scope by creation time, newest first, then id, highest first. */
    readonly list: (scope: Scope, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<Call>, StorageError>
    /** How many calls of the account have not ended. */
    readonly countRunning: (accountId: AccountId) => Effect.Effect<number, StorageError>
    /** Calls whose `reconcileAt` has come, by that time, then id; only those behind `after` if it is given. */
    readonly dueForReconciliation: (
      now: DateTime.Utc,
      limit: number,
      after?: DueCall
    ) => Effect.Effect<ReadonlyArray<DueCall>, StorageError>
  }
>()("@frontdesk/core/call/CallStore") {}
