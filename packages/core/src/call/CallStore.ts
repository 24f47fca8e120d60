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
import type { StepLimit } from "../background/Steps.ts"
import type { Call, CallDirection, CallId } from "./Call.ts"
import type { CallKey } from "./CallKey.ts"
import type { CallStatus } from "./CallStatus.ts"

/** Which calls a list holds; each filter given narrows it (D-CALL-18). */
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

/** What a worker does about a call: asks its provider how it stands, or reserves its next minute of talk. */
export type CallWork = "reconcile" | "reserve"

/**
 * Port: where calls are stored.
 *
 * A call stores its agent and a snapshot of its contact as they are when it is inserted. The team is shown under its
 * present name. The contact is shown as it is now to a reader who can see it now, else as in the snapshot, with
 * `lastCallDate` null. Deleting the contact deletes the snapshot, and the call then shows no contact.
 */
export class CallStore extends Context.Service<
  CallStore,
  {
    /**
     * Stores a new call, with the snapshots of its agent and contact, and returns it. A contact that was deleted since the
     * caller read it is left out, as if it had been deleted after the call was stored. Fails with reason `duplicate` when
     * the `callId` is taken.
     */
    readonly insert: (call: Omit<Call, "id">) => Effect.Effect<Call, StorageError>
    /** Returns a call in the scope; its contact is shown as the scope sees it. */
    readonly find: (scope: Scope, key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /**
     * A call of any account, held until the transaction ends: for what providers report and for the reconciler, never
     * for a caller. Its contact is shown as the call's own account sees it. Used inside `Transaction.run`.
     */
    readonly findForUpdate: (key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /** Replaces everything but id, account, agent, contact and team. */
    readonly update: (call: Call) => Effect.Effect<void, StorageError>
    /**
     * Returns calls in the scope by creation time, newest first, then id, highest first; their contacts are shown as the
     * scope sees them.
     */
    readonly list: (scope: Scope, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<Call>, StorageError>
    /** How many calls of the account have not ended. */
    readonly countRunning: (accountId: AccountId) => Effect.Effect<number, StorageError>
    /**
     * Claims calls whose `reconcileAt`, or `reserveAt`, has come, the longest due first, and returns their ids. They are
     * due again at `leaseUntil`, unless they are changed before. Of several claims at once one gets a call. Not to be
     * called inside a transaction.
     */
    readonly claim: (
      work: CallWork,
      now: DateTime.Utc,
      leaseUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CallId>, StorageError>
    /**
     * Deletes some of the calls of all accounts that ended before this time and of which nothing is awaited any more, those
     * that ended first, and returns how many; 0 when none is left. The bytes of the limit are those of the transcripts.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
    /** Deletes, in the same way, the transcript, the summary and the address of the recording; the calls stay. */
    readonly sweepTranscripts: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/call/CallStore") {}
