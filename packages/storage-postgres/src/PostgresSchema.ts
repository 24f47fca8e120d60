import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuthorizationError, SqlError } from "effect/sql/SqlError"

/** The schema of the tables in a database of another program, so that no name of theirs collides with its own names. */
export const defaultName = "frontdesk"

/** Returns the error for a role that lacks a right. The message says which. */
const missingRight = (message: string, cause: unknown = message): SqlError =>
  new SqlError({ reason: new AuthorizationError({ cause, message, operation: "create" }) })

/**
 * Creates the schema unless it exists. A role may use a schema without the permission to create one. Fails when the role
 * may not use the schema, because PostgreSQL would search it for tables as if it did not exist.
 */
export const create = (name: string): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [found] = yield* sql<{ readonly isUsable: boolean }>`
      SELECT has_schema_privilege(oid, 'USAGE') AS ${sql("isUsable")} FROM pg_namespace WHERE nspname = ${name}`
    if (found?.isUsable === false) {
      return yield* missingRight(`the role may not use the schema ${name}; grant it USAGE`)
    }
    if (found !== undefined) return
    yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(name)}`.pipe(
      // Another process has created the schema at the same time.
      Effect.catchIf(
        ({ reason }) => reason._tag === "UniqueViolation",
        () => Effect.void
      ),
      Effect.mapError((error) =>
        error.reason._tag === "AuthorizationError"
          ? missingRight(
              `the role may not create the schema ${name}; create it for the role, or grant it CREATE on the database`
            )
          : error
      )
    )
  })
