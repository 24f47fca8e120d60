import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The schema of the tables in a database of another program, so that no name of theirs collides with its own names. */
export const defaultName = "frontdesk"

/** Creates the schema unless it exists. A role may use a schema without the permission to create one. */
export const create = (name: string): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const found = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${name}`
    if (found.length > 0) return
    yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(name)}`.pipe(
      // Another process has created the schema at the same time.
      Effect.catchIf(
        ({ reason }) => reason._tag === "UniqueViolation",
        () => Effect.void
      )
    )
  })
