import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import type { Dialect } from "../copy/copying.ts"
import * as Databases from "../copy/Databases.ts"

const textOf = (dialect: Dialect): string => {
  const kind = dialect === "SQLite" ? "sqlite" : "postgres"
  return readFileSync(new URL(`release-0.1.0.${kind}.sql`, import.meta.url), "utf8")
}

/**
 * Restores a database that version 0.1.0 has created, with rows in every table. Account 3 is in the team of account 1:
 * account 1 has a call with the agent and the contact of account 3, and a calendar event with its agent.
 *
 * The dump has what `fill` of `sampleInstallation.ts` stored in that version, and the rows of account 3.
 */
export const restore = Effect.fnUntraced(function* (dialect: Dialect) {
  const url = yield* Databases.make(dialect)
  if (url._tag === "File") {
    const database = new DatabaseSync(url.path)
    database.exec(textOf(dialect))
    database.close()
  }
  if (url._tag === "Postgres") yield* TestDatabase.restore(Redacted.value(url.url), textOf(dialect))
  return url
})

/** Returns the definition of everything in the schema of a database, in an order of its own. */
export const schema = (url: DatabaseUrl) =>
  Effect.gen(function* () {
    const sql = yield* Databases.client(url)
    return yield* sql.onDialectOrElse({
      pg: () => sql<{ definition: string }>`SELECT definition FROM (
        SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
          || coalesce(column_default, '') || ' ' || coalesce(collation_name, '') AS definition
          FROM information_schema.columns WHERE table_schema = current_schema()
        UNION ALL SELECT CAST(conrelid AS regclass)::text || ' ' || conname || ' ' || pg_get_constraintdef(oid)
          FROM pg_constraint WHERE connamespace = to_regnamespace(current_schema())
        UNION ALL SELECT pg_get_indexdef(indexrelid) || ' ' || indisvalid FROM pg_index
          JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = to_regnamespace(current_schema())
        UNION ALL SELECT pg_get_triggerdef(oid) || ' ' || CAST(tgenabled AS text) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = to_regnamespace(current_schema())
        UNION ALL SELECT relname || ' ' || CAST(relpersistence AS text) || ' ' || coalesce(CAST(reloptions AS text), '') FROM pg_class
          WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())
      ) AS found ORDER BY 1`,
      orElse: () => sql<{ definition: string }>`SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS definition
        FROM sqlite_master ORDER BY 1`
    })
  }).pipe(
    Effect.map((rows) => rows.map(({ definition }) => definition)),
    Effect.scoped
  )

/** Returns the rows of each table of a database, with the columns that the tables of a selection have. */
export const rowsOf = Effect.fnUntraced(function* (
  url: DatabaseUrl,
  columns: ReadonlyMap<string, ReadonlyArray<string>>
) {
  const sql = yield* Databases.client(url)
  const rows: Record<string, ReadonlyArray<unknown>> = {}
  for (const [table, names] of columns) {
    const list = names.map((name) => `"${name}"`).join(", ")
    const found = yield* sql.unsafe<object>(`SELECT ${list} FROM "${table}"`)
    rows[table] = found
      .map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)))
      .toSorted()
  }
  return rows
}, Effect.scoped)

/** Returns the child rows whose account is not the one of their parent. */
export const accounts = Effect.fnUntraced(function* (url: DatabaseUrl) {
  const sql = yield* Databases.client(url)
  const wrong = yield* Effect.forEach(
    [
      ["api_key_hash", "api_key", "api_key_id"],
      ["reminder", "calendar_event", "event_id"],
      ["outbox_task", "calendar_event", "event_id"],
      ["webhook_delivery", "webhook", "webhook_id"],
      ["webhook_attempt", "webhook_delivery", "delivery_id"]
    ],
    ([child, parent, key]) =>
      sql.unsafe<object>(`SELECT child.* FROM ${child} AS child LEFT JOIN ${parent} AS parent ON parent.id = child.${key}
        WHERE child.account_id IS NULL OR parent.account_id IS NULL OR child.account_id <> parent.account_id`)
  )
  return wrong.flat()
}, Effect.scoped)

/** Returns the columns of each table of a database. */
export const columnsOf = Effect.fnUntraced(function* (url: DatabaseUrl) {
  const sql = yield* Databases.client(url)
  const found = yield* sql.onDialectOrElse({
    pg: () => sql<{ table: string; column: string }>`SELECT table_name AS "table", column_name AS "column"
      FROM information_schema.columns WHERE table_schema = current_schema()`,
    orElse: () => sql<{ table: string; column: string }>`SELECT list.name AS "table", info.name AS "column"
      FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
      WHERE list.type = 'table' AND list.name NOT LIKE 'sqlite_%'`
  })
  return new Map(
    [...Map.groupBy(found, ({ table }) => table)].map(([table, rows]) => [table, rows.map(({ column }) => column)])
  )
}, Effect.scoped)
