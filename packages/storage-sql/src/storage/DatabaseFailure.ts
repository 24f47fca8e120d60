import { StorageError, type StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import { hasProperty } from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { SqlError } from "effect/sql/SqlError"

/** The reason of a `StorageError` for each reason of a `SqlError`. */
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

/**
 * Temporary failures of PostgreSQL, by SQLSTATE, that `SqlError` reports as `UnknownError` (D-PG-5). The server lacks
 * resources (53), is stopping or starting (57P), or has ended a transaction that was idle or took too long (25P03,
 * 25P04). Or it is read-only (25006), as the old primary may be after a failover.
 */
const temporary = /^(53...|57P..|25P03|25P04|25006)$/

/**
 * SQLSTATEs about values (22) and constraints (23). Their details show values of the row, which may be secret or
 * personal, and errors are logged (D-PG-27).
 */
const aboutValues = /^2[23]/

/** Returns the conversion of a database failure to a `StorageError` that names the operation. */
export const failed =
  (operation: string) =>
  (error: SqlError): StorageError => {
    const { _tag, cause } = error.reason
    const state = hasProperty(cause, "code") ? String(cause.code) : ""
    if (cause instanceof Error && aboutValues.test(state)) {
      for (const property of ["detail", "where"]) Reflect.deleteProperty(cause, property)
    }
    const reason = _tag === "UnknownError" && temporary.test(state) ? "unavailable" : reasons[_tag]
    return new StorageError({ reason, operation, cause: error })
  }

/**
 * Returns the error for a row that contradicts its schema. The cause must not show values, because rows contain
 * secrets.
 */
export const corrupt = (operation: string, cause: string): StorageError =>
  new StorageError({ reason: "corrupt", operation, cause })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns the conversion of a decoding failure to a `StorageError` that names the columns. */
export const undecoded =
  (operation: string) =>
  ({ issue }: Schema.SchemaError): StorageError =>
    corrupt(
      operation,
      `does not decode: ${format(issue)
        .issues.map(({ path }) => (path ?? []).map(String).join(".") || "the whole value")
        .join(", ")}`
    )
