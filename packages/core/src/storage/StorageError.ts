import * as Schema from "effect/Schema"

/**
 * Why a store failed.
 *
 * - `unavailable`: the storage cannot be reached or is too busy. The same call may succeed later.
 * - `conflict`: the transaction lost against another one, for example by a deadlock. It may succeed when it runs again.
 * - `duplicate`: another row has the same unique value.
 * - `corrupt`: a stored row does not decode.
 * - `unknown`: any other failure.
 */
export const StorageErrorReason = Schema.Literals(["unavailable", "conflict", "duplicate", "corrupt", "unknown"])

/** Why a store failed. */
export type StorageErrorReason = typeof StorageErrorReason.Type

/** The error of every store. Its `cause` is for logs. An answer to a caller must never show it. */
export class StorageError extends Schema.TaggedError<StorageError>("@frontdesk/core/storage/StorageError")(
  "StorageError",
  { reason: StorageErrorReason, operation: Schema.String, cause: Schema.Defect() }
) {
  /** Returns whether the same transaction may succeed when it runs again. */
  get isRetryable(): boolean {
    return this.reason === "unavailable" || this.reason === "conflict"
  }
}
