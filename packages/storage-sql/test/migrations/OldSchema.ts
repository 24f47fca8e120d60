import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import { migrations } from "@frontdesk/storage-sql/migrations/Migrations"
import * as MigrationRunner from "@frontdesk/storage-sql/migrations/MigrationRunner"
import * as WriteStatements from "@frontdesk/storage-sql/storage/WriteStatements"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { SqlClient } from "effect/sql/SqlClient"

/** Creates the tables of the schema that a migration had made. */
export const migrateTo = (last: number) =>
  MigrationRunner.run(Record.filter(migrations, (_, name) => Number.parseInt(name, 10) <= last))

/** Creates the tables of the first schema. */
export const migrateFirst = migrateTo(1)

/** Inserts rows as a server of an older version did. An absent column gets its default, or is null. */
export const insertAll = Effect.fnUntraced(function* (table: string, rows: ReadonlyArray<WriteStatements.Columns>) {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  for (const row of rows) {
    const [text, params] = WriteStatements.inserter(table)(row)
    yield* sql.unsafe(dialect.text(text), params)
  }
})

/** The columns `created_at` and `updated_at` of a row. */
export const times = Effect.map(SqlClient, (sql) => {
  const now = ClientDialect.of(sql).time(Samples.now)
  return { created_at: now, updated_at: now }
})

/** Inserts accounts 1 to 3 and teams 1 and 2. Accounts 1 and 2 are in team 1. */
export const insertAccounts = Effect.gen(function* () {
  const { created_at } = yield* times
  yield* insertAll(
    "team",
    [1, 2].map((id) => ({ id, name: `Team ${id}` }))
  )
  yield* insertAll(
    "account",
    [1, 2, 3].map((id) => ({ id, name: `Account ${id}`, role: "standard", created_at, settings: "{}" }))
  )
  yield* insertAll(
    "account_team",
    [1, 2].map((account_id) => ({ account_id, position: 0, team_id: 1 }))
  )
})

/** Returns a row of `contact`. */
export const contactRow = Effect.fnUntraced(function* (fields: WriteStatements.Columns) {
  const given = { status: "new", stage: "lead", search_text: "", custom_context: "{}", industry_context: "{}" }
  return { ...given, ...(yield* times), ...fields }
})
