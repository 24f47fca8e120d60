import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { failed } from "../storage/DatabaseFailure.ts"
import * as DatabaseRequirements from "./DatabaseRequirements.ts"

/** A change of the schema, or of many rows. */
type Change = Effect.Effect<void, SqlError, SqlClient>

/** A migration whose change must be short, because it locks tables that servers use, and which needs preparation. */
export interface Prepared {
  /**
   * What a PostgreSQL database with tables runs before the change, outside any transaction. Servers use the tables
   * meanwhile. It runs again after a failure, and in several processes at once.
   */
  readonly prepare: Change
  readonly change: Change
}

/** Migrations by number and name, for example `0001_initial`. Each builds on those with lower numbers. */
export type Migrations = Readonly<Record<string, Change | Prepared>>

const changeOf = (migration: Change | Prepared): Change => (Effect.isEffect(migration) ? migration : migration.change)

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

type Failure = Migrator.MigrationError | SqlError | DatabaseRequirements.UnfitDatabase

/** Returns whether a migration failed because other transactions use the tables. */
const isInUse = (error: Failure): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) && ["DeadlockError", "LockTimeoutError"].includes(cause.reason._tag)
}

/** Maps the errors of a change of the schema to a `StorageError` of the operation. */
export const failing =
  (operation: string) =>
  <A, R>(change: Effect.Effect<A, Failure, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(change, (error) =>
      isSqlError(error) ? failed(operation)(error) : new StorageError({ reason: "unknown", operation, cause: error })
    )

type Applied = ReadonlyArray<readonly [id: number, name: string]>

const apply = (migrations: Migrations) =>
  Migrator.make({})({ loader: Migrator.fromRecord(Record.map(migrations, changeOf)), table })

/** Returns the name of the first migration that a database lacks, or undefined when it lacks none. */
const nextOf = Effect.fnUntraced(function* (migrations: Migrations) {
  const sql = yield* SqlClient
  const [applied] = yield* sql<{ latest: number | null }>`SELECT max(migration_id) AS latest FROM ${sql(table)}`
  const latest = applied?.latest ?? 0
  return Object.keys(migrations)
    .toSorted()
    .find((name) => Number.parseInt(name, 10) > latest)
})

/** Runs a change of the schema, and tries it again until the tables are free. */
const untilFree = Effect.fnUntraced(function* <A, E extends Failure, R>(change: Effect.Effect<A, E, R>) {
  const { pause } = yield* LockWait
  const again = Effect.retry(change, { while: isInUse, schedule: Schedule.spaced(pause) })
  return yield* Effect.catchIf(change, isInUse, (error) =>
    Effect.logWarning(
      "The schema cannot be changed while other transactions use its tables. It is tried again until it succeeds.",
      error
    ).pipe(LogEvent.annotate("schema.in_use"), Effect.andThen(Effect.delay(again, pause)))
  )
})

/** Lets the statements of the transaction take any time, and limits their waits for locks to those of {@link LockWait}. */
const setLimits = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { timeout } = yield* LockWait
  yield* sql.unsafe("SET LOCAL statement_timeout = 0")
  yield* sql.unsafe(`SET LOCAL lock_timeout = ${Duration.toMillis(timeout)}`)
})

/**
 * Runs one transaction in PostgreSQL that limits its waits for locks, and tries it again until what it needs is free.
 * A preparation consists of such steps.
 */
export const inStep = <A, E extends Failure>(
  step: Effect.Effect<A, E, SqlClient>
): Effect.Effect<A, E | SqlError, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => untilFree(sql.withTransaction(Effect.andThen(setLimits, step))))

/**
 * Applies migrations in one transaction of PostgreSQL: to a database without tables all of them, and to one with tables
 * only `next`, which is prepared. Returns an empty list when another process has applied them.
 */
const applyNext = (migrations: Migrations, next: string | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // Another node that migrates may hold its lock for long.
    yield* sql.unsafe("SET LOCAL statement_timeout = 0")
    // An advisory lock, because on a new database there is no table to lock, and two processes could create it at
    // once.
    yield* sql`SELECT pg_advisory_xact_lock(hashtext(${table}))`
    yield* setLimits
    // Reads without locking the list: a lock would wait for every transaction that reads it, such as a backup.
    if (yield* hasList) {
      if (next === undefined || next !== (yield* nextOf(migrations))) return []
      return yield* apply(Record.filter(migrations, (_, name) => name <= next))
    }
    yield* DatabaseRequirements.check(sql)
    return yield* apply(migrations)
  })

/** Returns whether a database is new, and the next migration that a database with tables lacks. */
const readNext = Effect.fnUntraced(function* (migrations: Migrations) {
  yield* checkTables
  return (yield* hasList) ? { isNew: false, next: yield* nextOf(migrations) } : { isNew: true, next: undefined }
})

/**
 * Applies the next migration to a PostgreSQL database with tables, or all migrations to one without. Returns undefined
 * when the database lacks none.
 */
const stepInPostgres = Effect.fnUntraced(function* (sql: SqlClient, migrations: Migrations) {
  const { isNew, next } = yield* inStep(readNext(migrations))
  if (!isNew && next === undefined) return undefined
  const migration = next === undefined ? undefined : migrations[next]
  if (migration !== undefined && !Effect.isEffect(migration)) yield* untilFree(migration.prepare)
  return yield* untilFree(sql.withTransaction(applyNext(migrations, next)))
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
            if (step === undefined) return applied
            applied.push(...step)
          }
        }),
      orElse: () => Effect.andThen(checkTables, apply(migrations))
    })
  ).pipe(failing(operation), Tracing.span(operation))
