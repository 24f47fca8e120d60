import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import type { ColumnTypes } from "../dialect/Dialect.ts"
import * as RowCounts from "./initial/RowCounts.ts"

/** The number of parts of each count in PostgreSQL. */
const parts = 16

/**
 * Triggers of one connection always change the same part, so that a transaction needs at most one part of each count.
 * Processes get consecutive ids, so the connections of a pool have different parts.
 */
const postgres: ReadonlyArray<string> = [
  // A writer that is already in the old function would not find the old key. So the migration waits for all writers
  // first, and later writers wait here before they call a function.
  "LOCK TABLE call, contact, calendar_event IN SHARE ROW EXCLUSIVE MODE",
  "ALTER TABLE row_count ADD COLUMN part bigint NOT NULL DEFAULT 0",
  `ALTER TABLE row_count DROP CONSTRAINT row_count_pkey,
    ADD PRIMARY KEY (account_id, kind, team_id, status, type, part)`,
  ...RowCounts.postgresFunctions(`pg_backend_pid() % ${parts}`)
]

/**
 * SQLite cannot change a primary key, so the table is created again. One connection writes at a time, so there is one
 * part.
 */
const sqlite = ({ integer, table, text }: ColumnTypes): ReadonlyArray<string> => [
  ...RowCounts.sqliteTriggerNames.map((name) => `DROP TRIGGER ${name}`),
  "ALTER TABLE row_count RENAME TO row_count_whole",
  "DROP INDEX row_count_team",
  `CREATE TABLE row_count (
    kind ${text} NOT NULL,
    account_id ${integer} NOT NULL,
    team_id ${integer} NOT NULL,
    status ${text} NOT NULL,
    type ${text} NOT NULL,
    part ${integer} NOT NULL DEFAULT 0,
    total ${integer} NOT NULL,
    PRIMARY KEY (account_id, kind, team_id, status, type, part)
  )${table}`,
  `INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    SELECT kind, account_id, team_id, status, type, total FROM row_count_whole`,
  "DROP TABLE row_count_whole",
  "CREATE INDEX row_count_team ON row_count (team_id, kind, account_id, status, type)",
  ...RowCounts.sqliteTriggers("0")
]

/**
 * Splits each count of rows into parts, so that transactions of one account do not wait for each other in PostgreSQL
 * (D-PG-31). The count is the sum of its parts. A part can be negative, because a row can be added through one
 * connection and deleted through another.
 */
export const rowCountParts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  const statements = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite(types) })
  for (const statement of statements) yield* sql.unsafe(statement)
})
