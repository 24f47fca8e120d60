import { StorageError, type StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import type { SqlError } from "effect/sql/SqlError"

/** What each failure of a database means to the core. */
const reasons: { readonly [Tag in SqlError["reason"]["_tag"]]: StorageErrorReason } = {
  ConnectionError: "unavailable",
  LockTimeoutError: "unavailable",
  StatementTimeoutError: "unavailable",
  DeadlockError: "conflict",
  SerializationError: "conflict",
  UniqueViolation: "duplicate",
  AuthenticationError: "unknown",
  AuthorizationError: "unknown",
  ConstraintError: "unknown",
  SqlSyntaxError: "unknown",
  UnknownError: "unknown"
}

/** A failure of the database as the one error of stores. */
export const failed =
  (operation: string) =>
  (error: SqlError): StorageError =>
    new StorageError({ reason: reasons[error.reason._tag], operation, cause: error })

/** A row that does not decode. The cause says which column, and shows no value: rows hold secrets. */
export const corrupt = (operation: string, cause: unknown): StorageError =>
  new StorageError({ reason: "corrupt", operation, cause })
