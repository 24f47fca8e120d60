import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { AuditEntry, AuditEntryId, NewAuditEntry } from "./AuditEntry.ts"

/** The filters of a list of entries. An entry must match every filter that is given. */
export interface AuditFilter {
  /** At this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** Before this instant. */
  readonly until?: DateTime.Utc | undefined
  readonly actorType?: string | undefined
  readonly actorId?: string | undefined
  readonly operation?: string | undefined
  readonly entityType?: string | undefined
  readonly entityId?: string | undefined
}

/** The place of an entry in the list, which is ordered by time and then by id. */
export interface AuditPlace {
  readonly at: DateTime.Utc
  readonly id: AuditEntryId
}

/**
 * Port: stores the audit log. It appends, lists and sweeps. Nothing changes an entry: a SQL storage also refuses an `UPDATE`
 * of its table (D-AUD-1).
 */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Appends an entry. Call it in the transaction of the change, so that both are stored or neither. */
    readonly append: (entry: NewAuditEntry) => Effect.Effect<void, StorageError>
    /**
     * Returns up to `limit` entries of an account that match the filter, newest first. They come after the given place in
     * that order, or are the first ones for null. An entry that cannot be read is left out.
     */
    readonly list: (
      accountId: number,
      filter: AuditFilter,
      after: AuditPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StorageError>
    /**
     * Deletes entries of all accounts from before an instant, the oldest first, up to the limit. Returns how many; 0 when
     * none is left. The limit's bytes count the changes.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/audit/AuditStore") {}
