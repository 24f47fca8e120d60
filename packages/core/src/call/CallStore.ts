import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { Scope } from "../access/Scope.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { Call, CallId } from "./Call.ts"
import type { CallDirection } from "./CallDirection.ts"
import type { CallKey } from "./CallKey.ts"
import type { CallStatus } from "./CallStatus.ts"

/** The filters of a list of calls (D-CALL-18). A call must match every filter that is given. */
export interface CallFilter {
  readonly status?: CallStatus | undefined
  readonly type?: CallDirection | undefined
  readonly agentId?: AgentId | undefined
  readonly contactId?: ContactId | undefined
  readonly phoneNumber?: PhoneNumber | undefined
  /**
   * A part of the phone number of the call, or a text that the search of contacts finds in its contact (`ContactFilter`). Only a contact
   * that the scope sees now is searched.
   */
  readonly search?: string | undefined
  /** Created at this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** Created before this instant. */
  readonly until?: DateTime.Utc | undefined
}

/** The work that a worker claims a call for: `reconcile` asks the provider about it, `reserve` reserves its next minute. */
export type CallWork = "reconcile" | "reserve"

/**
 * Port: where calls are stored.
 *
 * A call stores its agent and a snapshot of its contact as they are when the call is inserted. A read shows the team under
 * its present name. It shows the contact's present values when the scope sees the contact, and the snapshot with
 * `lastCallDate` null otherwise. Deleting the contact deletes the snapshot, and the call then shows no contact.
 *
 * `insert` and `update` append to the statistics (`StatisticStore`).
 */
export class CallStore extends Context.Service<
  CallStore,
  {
    /**
     * Stores a new call, with the snapshots of its agent and contact, and returns it. When the contact was deleted since
     * the service read it, the call is stored without a contact (D-CALL-16). Fails with reason `duplicate` when another
     * call has the `callId`.
     */
    readonly insert: (call: Omit<Call, "id">) => Effect.Effect<Call, StorageError>
    /** Returns a call in the scope. Its contact is shown as the scope sees it. */
    readonly find: (scope: Scope, key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /**
     * Returns a call of any account, and locks it until the transaction ends. A caller must never receive the result,
     * because this method ignores the caller's scope. The contact is shown as the call's own account sees it. Used inside
     * `Transaction.run`.
     */
    readonly findForUpdate: (key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /**
     * Returns a call of any account without locking it. Only for a verified request of the provider. The contact is shown as
     * the call's own account sees it.
     */
    readonly findAnywhere: (key: CallKey) => Effect.Effect<Option.Option<Call>, StorageError>
    /** Replaces the stored call, except for its id, account, agent, contact and team. */
    readonly update: (call: Call) => Effect.Effect<void, StorageError>
    /**
     * Returns a page of the calls in the scope, newest first by creation time, then by id, highest first. Contacts are
     * shown as the scope sees them.
     */
    readonly list: (scope: Scope, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<Call>, StorageError>
    /** Returns how many calls of the account have not ended. */
    readonly countRunning: (accountId: AccountId) => Effect.Effect<number, StorageError>
    /**
     * Claims up to `limit` calls that are due at `now`, by `reconcileAt` or `reserveAt`, the longest due first, and returns
     * their ids. The claim sets that time to `leaseUntil`, so that the calls are due again then unless they change before.
     * Two claims at the same time never receive the same call. Must not run inside a transaction.
     */
    readonly claim: (
      work: CallWork,
      now: DateTime.Utc,
      leaseUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CallId>, StorageError>
    /**
     * Deletes calls of all accounts that ended before this time, the earliest ended first, up to the limit. Returns how
     * many; 0 when none is left. A call whose `reconcileAt` is not null stays. The limit's bytes count the transcripts.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
    /**
     * Deletes the transcript, the summary and the recording URL of calls that ended before this time, the earliest ended
     * first, up to the limit. Returns how many calls changed; 0 when none is left. The calls themselves stay.
     */
    readonly sweepTranscripts: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/call/CallStore") {}
