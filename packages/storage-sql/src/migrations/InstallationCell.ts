import * as Cell from "@frontdesk/core/access/Cell"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import { UnfitDatabase } from "./DatabaseRequirements.ts"

/** The tables that generate ids. A migration that adds such a table adds its name here and runs {@link alignIds}. */
const tables: ReadonlyArray<string> = [
  "account",
  "team",
  "api_key",
  "contact",
  "contact_number",
  "variable",
  "agent",
  "call",
  "calendar_event",
  "outbox_task",
  "webhook",
  "webhook_event",
  "webhook_delivery",
  "slot_hold",
  "tool_call",
  "fund_movement",
  "contact_import",
  "statistic_part",
  "member",
  "sign_in_link",
  "session",
  "audit_entry"
]

/**
 * The sequences of the tables in PostgreSQL that exist so far. Other sequences of the same schema belong to another
 * program.
 */
const sequences = `pg_sequences JOIN json_array_elements_text('${JSON.stringify(tables)}') AS entry (name)
  ON CASE WHEN to_regclass(quote_ident(entry.name)) IS NOT NULL
    THEN pg_get_serial_sequence(quote_ident(entry.name), 'id') = format('%I.%I', schemaname, sequencename) END`

/** Returns the cell of the installation, which stays locked until the transaction ends. */
const lockedCell: Effect.Effect<Cell.Cell, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [found] = yield* sql<{ cell: string }>`SELECT CAST(cell AS text) AS cell FROM installation FOR UPDATE`
  return Cell.Cell.make(Number(found?.cell))
})

/**
 * Lets every table generate the ids of the installation's cell (D-STO-14). A table that has generated an id of the cell
 * continues above it. SQLite is always cell 0, and its ids need no limit. In PostgreSQL the statements lock sequences and
 * no table.
 */
export const alignIds: Effect.Effect<void, SqlError, SqlClient> = Effect.flatMap(SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const { first, last } = Cell.ids(yield* lockedCell)
        const others = yield* sql.unsafe<{ name: string; begins: boolean; isBeyond: boolean }>(
          `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value IS NULL AND start_value <> ${first} AS begins,
              coalesce(last_value > ${last}, FALSE) AS "isBeyond"
            FROM ${sequences} WHERE start_value <> ${first} OR max_value <> ${last}`
        )
        for (const { begins, isBeyond, name } of others) {
          // The ids of this table are of no cell of this installation, and continue without a limit.
          if (isBeyond) continue
          // Only a table without ids begins again: an id is never generated twice (D-STO-1).
          yield* sql.unsafe(`ALTER SEQUENCE ${name} MAXVALUE ${last} START ${first}${begins ? " RESTART" : ""}`)
        }
      }),
    orElse: () => Effect.void
  })
)

/** Adds the cell of the installation. An older installation is cell 0. */
export const installationCell = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE installation ADD COLUMN cell ${types.integer} NOT NULL DEFAULT ${Cell.single}`)
  yield* alignIds
})

/**
 * Makes a new installation the given cell. It does nothing if the installation is that cell already. It fails if the
 * installation is another cell than 0 or has generated an id, and if the database is SQLite and the cell is not 0.
 */
export const claim = (cell: Cell.Cell): Effect.Effect<void, SqlError | UnfitDatabase, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () =>
        sql.withTransaction(
          Effect.gen(function* () {
            const current = yield* lockedCell
            if (current === cell) return
            const used = yield* sql.unsafe(`SELECT 1 FROM ${sequences} WHERE last_value IS NOT NULL LIMIT 1`)
            if (current !== Cell.single || used.length > 0) {
              return yield* new UnfitDatabase({
                message: `it is cell ${current}, and only a new database can become cell ${cell}; state ${current}, or use a new database`
              })
            }
            yield* sql`UPDATE installation SET cell = ${cell}`
            yield* alignIds
          })
        ),
      orElse: () =>
        cell === Cell.single
          ? Effect.void
          : Effect.fail(
              new UnfitDatabase({ message: `SQLite is always cell 0; cell ${cell} needs a PostgreSQL database` })
            )
    })
  )
