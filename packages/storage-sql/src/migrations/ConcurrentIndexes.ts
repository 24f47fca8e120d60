import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Dialect } from "../dialect/Dialect.ts"
import { postgres } from "../dialect/PostgresDialect.ts"
import { sqlite } from "../dialect/SqliteDialect.ts"
import * as MigrationRunner from "./MigrationRunner.ts"

/** An index that a migration adds to a table that servers use. */
export interface Index {
  readonly name: string
  readonly table: string
  /** What follows the name of the table in `CREATE INDEX`: the columns in parentheses, then the condition if any. */
  readonly definition: string | ((dialect: Dialect) => string)
  readonly isUnique?: boolean
}

/** Returns whether an index exists and is valid. An index that was not built to its end is invalid. */
const stateOf = Effect.fnUntraced(function* (index: string) {
  const sql = yield* SqlClient
  const [found] = yield* sql<{ valid: boolean }>`SELECT indisvalid AS valid FROM pg_index
    WHERE indexrelid = to_regclass(${index})`
  return found === undefined ? "missing" : found.valid ? "valid" : "invalid"
})

/**
 * Waits for a process that is building an index, and deletes the index if it was not built to its end. Returns whether
 * the index is valid. Only for PostgreSQL.
 */
const isBuilt = Effect.fnUntraced(function* ({ name, table }: Index) {
  const sql = yield* SqlClient
  if ((yield* stateOf(name)) === "valid") return true
  yield* sql.unsafe(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`)
  const state = yield* stateOf(name)
  if (state === "invalid") yield* sql.unsafe(`DROP INDEX ${name}`)
  return state === "valid"
})

const create = (dialect: Dialect, how: string, { definition, isUnique = false, name, table }: Index): string => {
  const defined = typeof definition === "string" ? definition : definition(dialect)
  return `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${how}${name} ON ${table} ${defined}`
}

/** Builds indexes of PostgreSQL while servers write to their tables, outside any transaction. */
export const build = Effect.fnUntraced(function* (indexes: ReadonlyArray<Index>) {
  const sql = yield* SqlClient
  for (const index of indexes) {
    if (yield* MigrationRunner.inStep(isBuilt(index))) continue
    // Not possible in a transaction, which alone could change the time limit of the role. If that limit is too short,
    // `complete` builds the index, and writes wait.
    yield* sql.unsafe(create(postgres, "CONCURRENTLY IF NOT EXISTS ", index)).pipe(
      Effect.catchIf(
        ({ reason }) => reason._tag === "StatementTimeoutError",
        () => Effect.void
      )
    )
  }
})

/** Builds the indexes of PostgreSQL that {@link build} has not built, in a transaction. Writes to their tables wait. */
export const complete = Effect.fnUntraced(function* (indexes: ReadonlyArray<Index>) {
  const sql = yield* SqlClient
  for (const index of indexes) {
    if (!(yield* isBuilt(index))) yield* sql.unsafe(create(postgres, "", index))
  }
})

/**
 * Returns a migration that adds indexes. A PostgreSQL database with tables builds them while servers write. The change
 * then finds nothing to do.
 */
export const migration = (indexes: ReadonlyArray<Index>): MigrationRunner.Prepared => ({
  prepare: build(indexes),
  change: Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () => complete(indexes),
      orElse: () => Effect.forEach(indexes, (index) => sql.unsafe(create(sqlite, "", index)), { discard: true })
    })
  )
})
