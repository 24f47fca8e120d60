import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuthorizationError, SqlError } from "effect/sql/SqlError"

/** The schema of the tables in a database of another program, so that no name of theirs collides with its own names. */
export const defaultName = "frontdesk"

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
      const message = `the role may not use the schema ${name}; grant it USAGE`
      return yield* new SqlError({ reason: new AuthorizationError({ cause: message, message, operation: "create" }) })
    }
    if (found !== undefined) return
    yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(name)}`.pipe(
      // Another process has created the schema at the same time.
      Effect.catchIf(
        ({ reason }) => reason._tag === "UniqueViolation",
        () => Effect.void
      )
    )
  })
