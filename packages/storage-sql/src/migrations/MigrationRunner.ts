import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { failed } from "../storage/DatabaseFailure.ts"
import * as DatabaseRequirements from "./DatabaseRequirements.ts"

/** Migrations by their number and name, `0001_initial` for instance, each after those before it. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError, SqlClient>>>

/** The table that says which migrations were applied. */
export const table = "frontdesk_migration"

const operation = "SqlMigrations.migrate"

/** How long a migration waits for a table that others use, in PostgreSQL. Whoever comes after it waits behind it. */
const lockTimeout = "2s"

/** How long until it is tried again, for the others to go on. */
const pause = Duration.seconds(1)

/** Whether the database has a table, also when it is another's and may not be read. */
const has = (name: string): Effect.Effect<boolean, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`,
      orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`
    })
    return tables.length > 0
  })

/** Whether a database has been migrated before. */
const exists = has(table)

/** Fails where migrations are listed as applied and what they made is gone: nothing would make it again. */
const checkKept: Effect.Effect<void, DatabaseRequirements.UnfitDatabase | SqlError, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    // The list itself is there a moment before the rest when a new database is made; its rows come with the tables.
    if (!(yield* exists) || (yield* sql`SELECT 1 FROM ${sql(table)} LIMIT 1`).length === 0) return
    if (yield* has("account")) return
    return yield* new DatabaseRequirements.UnfitDatabase({
      message: `its tables are gone, although ${table} lists them as made; restore a backup, or drop ${table} for a new installation`
    })
  }
)

/** Whether all of these were applied, and perhaps others of a newer version. Only reads. */
export const areApplied = Effect.fnUntraced(function* (
  migrations: Migrations
): Effect.fn.Return<boolean, SqlError, SqlClient> {
  const sql = yield* SqlClient
  if (!(yield* exists)) return false
  const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  const applied = yield* sql`SELECT 1 FROM ${sql(table)} WHERE migration_id = ${latest}`
  return applied.length > 0
})

/** Whether a migration failed because others use the tables. */
const isInUse = (error: Migrator.MigrationError | SqlError | DatabaseRequirements.UnfitDatabase): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) && ["DeadlockError", "LockTimeoutError"].includes(cause.reason._tag)
}

/** Applies those that were not yet, in one transaction; answers which. */
export const run = (
  migrations: Migrations
): Effect.Effect<ReadonlyArray<readonly [id: number, name: string]>, StorageError, SqlClient> => {
  const apply = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
  return Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.gen(function* () {
          yield* DatabaseRequirements.checkWritable(sql)
          const attempt = sql.withTransaction(
            Effect.gen(function* () {
              // Whatever the role has: an index takes its time, and so does another node that migrates at the moment.
              yield* sql.unsafe("SET LOCAL statement_timeout = 0")
              // Before there is a table to lock, two could make it at once.
              yield* sql`SELECT pg_advisory_xact_lock(hashtext(${table}))`
              yield* sql.unsafe(`SET LOCAL lock_timeout = '${lockTimeout}'`)
              // A lock on the table would wait for whoever reads it, a backup for instance.
              yield* checkKept
              if (yield* areApplied(migrations)) return []
              if (!(yield* exists)) yield* DatabaseRequirements.check(sql)
              return yield* apply
            })
          )
          const again = Effect.retry(attempt, { while: isInUse, schedule: Schedule.spaced(pause) })
          return yield* Effect.catchIf(attempt, isInUse, (error) =>
            Effect.logWarning(
              "The schema cannot be changed while others use its tables; it is tried again until it can",
              error
            ).pipe(Effect.andThen(Effect.delay(again, pause)))
          )
        }),
      orElse: () => Effect.andThen(checkKept, apply)
    })
  ).pipe(
    Effect.mapError((error) =>
      isSqlError(error) ? failed(operation)(error) : new StorageError({ reason: "unknown", operation, cause: error })
    ),
    Effect.withSpan(operation)
  )
}
