import { StorageError, type StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import { hasProperty } from "effect/Predicate"
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

/**
 * The SQLSTATEs of PostgreSQL that have no tag of their own and pass by themselves: it has too few resources (53), is
 * stopped or starts (57P), has ended a transaction that did nothing or took too long (25P03, 25P04), or is a standby
 * that only reads (25006), which is what the old primary may be after a failover.
 */
const passing = /^(53...|57P..|25P03|25P04|25006)$/

/**
 * The SQLSTATEs that are about values (22) and constraints (23). What PostgreSQL adds to them shows values of the row,
 * which may be secret or personal; and errors are logged.
 */
const ofValues = /^2[23]/

/** A failure of the database as the one error of stores. */
export const failed =
  (operation: string) =>
  (error: SqlError): StorageError => {
    const { _tag, cause } = error.reason
    const state = hasProperty(cause, "code") ? String(cause.code) : ""
    if (cause instanceof Error && ofValues.test(state)) {
      for (const shown of ["detail", "where"]) Reflect.deleteProperty(cause, shown)
    }
    const reason = _tag === "UnknownError" && passing.test(state) ? "unavailable" : reasons[_tag]
    return new StorageError({ reason, operation, cause: error })
  }

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
        .issues.map(({ path }) => (path ?? []).map(String).join(".") || "the whole")
        .join(", ")}`
    )
