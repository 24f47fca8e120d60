import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the rows that transactions in PostgreSQL lock where the data they guard has no row yet (D-PG-32). The table is
 * unlogged: a transaction that needs a missing row creates it, and no transaction survives a crash. SQLite has no such
 * table, because its transactions exclude each other.
 */
export const namedLocks = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({
    pg: () =>
      sql.unsafe(`CREATE UNLOGGED TABLE named_lock (
        name text COLLATE "C" NOT NULL,
        number bigint NOT NULL,
        PRIMARY KEY (name, number)
      ) WITH (fillfactor = 50)`),
    orElse: () => Effect.void
  })
})
