import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { failed } from "../storage/DatabaseFailure.ts"
import * as DatabaseRequirements from "./DatabaseRequirements.ts"

/** Migrations by number and name, for example `0001_initial`. Each builds on those with lower numbers. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError, SqlClient>>>

/** The table that lists the migrations that were applied. */
export const table = "frontdesk_migration"

const operation = "SqlMigrations.migrate"

/** How a migration waits in PostgreSQL for transactions that use the tables. */
export const LockWait = Context.Reference<{
  /**
   * How long it waits for the lock of a table. Every other transaction that needs the table waits behind it meanwhile.
   */
  readonly timeout: Duration.Duration
  /** The pause before it is tried again, in which other transactions can finish. */
  readonly pause: Duration.Duration
}>("@frontdesk/storage-sql/migrations/MigrationRunner/LockWait", {
  defaultValue: () => ({ timeout: Duration.seconds(2), pause: Duration.seconds(1) })
})

/**
 * Returns whether the database has a table. This also works for a table that another role owns and that cannot be read.
 */
const has = (name: string): Effect.Effect<boolean, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`,
      orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`
    })
    return tables.length > 0
  })

/** Returns whether the database has the table that lists the applied migrations. */
const hasList = has(table)

/**
 * Fails when migrations are listed as applied but their tables are gone (D-LITE-6). No migration would create them
 * again.
 */
const checkTables: Effect.Effect<void, DatabaseRequirements.UnfitDatabase | SqlError, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    // While a new database is being migrated, the empty list exists before the tables. Its rows are committed together
    // with the tables.
    if (!(yield* hasList) || (yield* sql`SELECT 1 FROM ${sql(table)} LIMIT 1`).length === 0) return
    if (yield* has("account")) return
    return yield* new DatabaseRequirements.UnfitDatabase({
      message: `its tables are gone, although ${table} lists them as created; restore a backup, or drop ${table} for a new installation`
    })
  }
)

/**
 * Returns whether all of the migrations were applied, possibly with others of a newer version. It only reads. It looks
 * up the one with the highest number, because migrations are applied in order.
 */
export const areApplied = Effect.fnUntraced(function* (
  migrations: Migrations
): Effect.fn.Return<boolean, SqlError, SqlClient> {
  const sql = yield* SqlClient
  if (!(yield* hasList)) return false
  const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  const applied = yield* sql`SELECT 1 FROM ${sql(table)} WHERE migration_id = ${latest}`
  return applied.length > 0
})

/** Returns whether a migration failed because other transactions use the tables. */
const isInUse = (error: Migrator.MigrationError | SqlError | DatabaseRequirements.UnfitDatabase): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) && ["DeadlockError", "LockTimeoutError"].includes(cause.reason._tag)
}

/** Maps the errors of a change of the schema to a `StorageError` of the operation. */
export const failing =
  (operation: string) =>
  <A, R>(
    change: Effect.Effect<A, Migrator.MigrationError | SqlError | DatabaseRequirements.UnfitDatabase, R>
  ): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(change, (error) =>
      isSqlError(error) ? failed(operation)(error) : new StorageError({ reason: "unknown", operation, cause: error })
    )

type Applied = ReadonlyArray<readonly [id: number, name: string]>

const apply = (migrations: Migrations) => Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

/** Returns the migrations up to the first one that a database lacks. */
const upToNext = Effect.fnUntraced(function* (migrations: Migrations) {
  const ordered = Object.entries(migrations).toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const index of ordered.keys()) {
    const first = Object.fromEntries(ordered.slice(0, index + 1))
    if (!(yield* areApplied(first))) return first
  }
  return migrations
})

/**
 * Applies migrations in one transaction of PostgreSQL: to a database without tables all of them, and to one with tables
 * the first that it lacks. Returns an empty list when it lacks none. Tries again until the tables are free.
 */
const stepInPostgres = Effect.fnUntraced(function* (sql: SqlClient, migrations: Migrations) {
  const { pause, timeout } = yield* LockWait
  const attempt = sql.withTransaction(
    Effect.gen(function* () {
      // Overrides the timeout of the role, because creating an index may take long, and so may another node that is
      // migrating.
      yield* sql.unsafe("SET LOCAL statement_timeout = 0")
      // An advisory lock, because on a new database there is no table to lock, and two processes could create it at
      // once.
      yield* sql`SELECT pg_advisory_xact_lock(hashtext(${table}))`
      yield* sql.unsafe(`SET LOCAL lock_timeout = ${Duration.toMillis(timeout)}`)
      // Reads without locking the list: a lock would wait for every transaction that reads it, such as a backup.
      yield* checkTables
      if (yield* areApplied(migrations)) return []
      if (yield* hasList) return yield* apply(yield* upToNext(migrations))
      yield* DatabaseRequirements.check(sql)
      return yield* apply(migrations)
    })
  )
  const again = Effect.retry(attempt, { while: isInUse, schedule: Schedule.spaced(pause) })
  return yield* Effect.catchIf(attempt, isInUse, (error) =>
    Effect.logWarning(
      "The schema cannot be changed while other transactions use its tables. It is tried again until it succeeds.",
      error
    ).pipe(LogEvent.annotate("schema.in_use"), Effect.andThen(Effect.delay(again, pause)))
  )
})

/**
 * Applies the migrations that a database lacks. Returns the applied ones.
 *
 * SQLite, and a new PostgreSQL database, apply all of them in one transaction. A PostgreSQL database with tables applies
 * each in a transaction of its own. Otherwise the locks of one would be held while the next builds its indexes, and a
 * table that is in use would undo those that were built (D-PG-8).
 */
export const run = (migrations: Migrations): Effect.Effect<Applied, StorageError, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.gen(function* () {
          yield* DatabaseRequirements.checkWritable(sql)
          const applied: Array<Applied[number]> = []
          for (;;) {
            const step = yield* stepInPostgres(sql, migrations)
            if (step.length === 0) return applied
            applied.push(...step)
          }
        }),
      orElse: () => Effect.andThen(checkTables, apply(migrations))
    })
  ).pipe(failing(operation), Tracing.span(operation))
