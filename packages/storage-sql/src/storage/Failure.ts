import { StorageError, type StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
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

/** A row that is not what it must be; the cause says where, and shows no value: rows hold secrets. */
export const corrupt = (operation: string, cause: string): StorageError =>
  new StorageError({ reason: "corrupt", operation, cause })

const places = SchemaIssue.makeFormatterStandardSchemaV1()

/** A row that does not decode. */
export const undecoded =
  (operation: string) =>
  ({ issue }: Schema.SchemaError): StorageError =>
    corrupt(
      operation,
      `does not decode: ${places(issue)
        .issues.map(({ path }) => (path ?? []).map(String).join("."))
        .join(", ")}`
    )
