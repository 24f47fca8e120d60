import * as Schema from "effect/Schema"

/**
 * Why a store failed.
 *
 * - `unavailable`: it cannot be reached or is too busy; the same call may succeed later.
 * - `conflict`: another writer won (a serialization failure, a deadlock); the whole transaction may be tried again.
 * - `duplicate`: a unique value is taken.
 * - `corrupt`: a stored row does not decode.
 * - `unknown`: anything else.
 */
export const StorageErrorReason = Schema.Literals(["unavailable", "conflict", "duplicate", "corrupt", "unknown"])

/** Why a store failed. */
export type StorageErrorReason = typeof StorageErrorReason.Type

/** The one error of every store. Its `cause` is for logs, never for answers. */
export class StorageError extends Schema.TaggedError<StorageError>("@frontdesk/core/storage/StorageError")(
  "StorageError",
  { reason: StorageErrorReason, operation: Schema.String, cause: Schema.Defect() }
) {
  /** Whether the same transaction may succeed when it is run again. */
  get isRetryable(): boolean {
    return this.reason === "unavailable" || this.reason === "conflict"
  }
}
