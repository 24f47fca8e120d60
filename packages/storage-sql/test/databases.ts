import { PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteClient, SqliteStorage } from "@frontdesk/storage-sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/** A database without tables. */
export interface EmptyDatabase {
  /** The client of the database. */
  readonly client: Layer.Layer<SqlClient>
  /** A storage in the database. It may be built several times, as several processes do. */
  readonly storage: Layer.Layer<Storage | SqlClient>
}

const file: Effect.Effect<EmptyDatabase, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "frontdesk-sql-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
).pipe(
  Effect.map((folder) => {
    const options = { filename: Path.join(folder, "frontdesk.db"), synchronous: "NORMAL" } as const
    return {
      client: Layer.orDie(SqliteClient.layer(options)),
      storage: Layer.orDie(SqliteStorage.layer(options))
    }
  })
)

const inPostgres = (url: string): EmptyDatabase => {
  const options = { url: Redacted.make(url), maxConnections: 4 }
  return {
    client: Layer.orDie(PostgresStorage.layerClient(options)),
    storage: Layer.orDie(PostgresStorage.layer(options))
  }
}

/** A database without tables, of each dialect. */
export const emptyDatabases = [
  ["SQLite", file],
  ["PostgreSQL", Effect.orDie(Effect.map(TestDatabase.makeInEnglish, inPostgres))]
] as const

const withTables = Effect.orDie(Effect.map(TestDatabase.withTablesInEnglish, inPostgres))

/** A storage with tables and without rows, in a database of each dialect. */
export const databases = [
  ["SQLite", Layer.unwrap(Effect.map(file, ({ storage }) => storage))],
  ["PostgreSQL", Layer.unwrap(Effect.map(withTables, ({ storage }) => storage))]
] as const
