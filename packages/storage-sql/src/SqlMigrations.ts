import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Fitness from "./migrations/Fitness.ts"
import { initial } from "./migrations/Initial.ts"
import { failed } from "./storage/Failure.ts"

const operation = "SqlMigrations.migrate"

/** The table that says which migrations were applied. */
export const table = "frontdesk_migration"

const migrations = { "0001_initial": initial }

const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

const migrateTables = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

/** Whether a database has been migrated before, also when its tables are another's and may not be read. */
const exists: Effect.Effect<boolean, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () => sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${table}`,
    orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`
  })
  return tables.length > 0
})

/**
 * Brings the tables of a database to what this version needs, in one transaction. Answers what was done; nothing when
 * there was nothing to do.
 *
 * Several processes may call it at once: one does the work, and the others wait for it.
 */
export const migrate: Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  StorageError,
  SqlClient
> = Effect.flatMap(SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () =>
      sql.withTransaction(
        Effect.gen(function* () {
          // Before there is a table to lock, two could make it at once.
          yield* sql`SELECT pg_advisory_xact_lock(hashtext(${table}))`
          if (!(yield* exists)) yield* Fitness.check(sql)
          return yield* migrateTables
        })
      ),
    orElse: () => migrateTables
  })
).pipe(
  Effect.catchTags({
    SqlError: (error) => Effect.fail(failed(operation)(error)),
    MigrationError: (cause) => Effect.fail(new StorageError({ reason: "unknown", operation, cause })),
    UnfitDatabase: (cause) => Effect.fail(new StorageError({ reason: "unknown", operation, cause }))
  }),
  Effect.withSpan(operation)
)

/** Whether the tables of a database are what this version needs. Only reads, so its client may be one that only reads. */
export const isCurrent: Effect.Effect<boolean, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (!(yield* exists)) return false
  const applied = yield* sql`SELECT 1 FROM ${sql(table)} WHERE migration_id = ${latest}`
  return applied.length > 0
}).pipe(Effect.withSpan("SqlMigrations.isCurrent"))

/** Runs `migrate` when the layer is built. */
export const layer: Layer.Layer<never, StorageError, SqlClient> = Layer.effectDiscard(migrate)
