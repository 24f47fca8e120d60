import type { ListenError } from "@frontdesk/storage-postgres/ListenError"
import type * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as LazyLayer from "@frontdesk/core/values/LazyLayer"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

type Postgres = Extract<DatabaseUrl, { readonly _tag: "Postgres" }>

// Only the package of the database in use is loaded.
const loadPostgres = () => import("@frontdesk/storage-postgres")
const loadSqlite = () => import("@frontdesk/storage-sqlite")

const postgresOf = ({ options, url }: Postgres) => ({ ...options, url })

/** Lets the clock and the signals use the connections of the workers, so that they never wait for API requests. */
const asWorker = Layer.succeed(CurrentWorkload, "worker")

const fileOf = (database: Exclude<DatabaseUrl, Postgres>) => ({
  filename: database._tag === "Memory" ? ":memory:" : database.path
})

/**
 * Provides every store on a database, which it migrates to the current schema first. With PostgreSQL it also provides the
 * clock of the database, because all nodes on one database must agree about what is due.
 */
export const layer = (database: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient, SqlError | StorageError> =>
  database._tag === "Postgres"
    ? LazyLayer.make(loadPostgres, ({ PostgresClock, PostgresStorage }) =>
        Layer.provideMerge(Layer.provide(PostgresClock.layer, asWorker), PostgresStorage.layer(postgresOf(database)))
      )
    : LazyLayer.make(loadSqlite, ({ SqliteStorage }) => SqliteStorage.layer(fileOf(database)))

/** Provides the stores for a server. With PostgreSQL the nodes also notify each other of new work. */
export const layerServer = (
  database: DatabaseUrl
): Layer.Layer<SqliteStorage.Stores | SqlClient, ListenError | SqlError | StorageError> =>
  database._tag === "Postgres"
    ? LazyLayer.make(loadPostgres, ({ PostgresSignals }) =>
        Layer.provideMerge(Layer.provide(PostgresSignals.layer(postgresOf(database)), asWorker), layer(database))
      )
    : layer(database)

/** Provides a client that only reads the database. It does not migrate, and a SQLite file must exist. */
export const layerReader = (database: DatabaseUrl): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? LazyLayer.make(loadPostgres, ({ PostgresStorage }) => PostgresStorage.layerClient(postgresOf(database)))
    : LazyLayer.make(loadSqlite, ({ SqliteClient }) => SqliteClient.layer({ ...fileOf(database), readonly: true }))

/** Migrates a database to the current schema, and makes a new PostgreSQL database its cell. Returns the applied migrations. */
export const migrate = (
  database: DatabaseUrl
): Effect.Effect<ReadonlyArray<readonly [id: number, name: string]>, SqlError | StorageError> =>
  Effect.provide(
    database._tag === "Postgres"
      ? Effect.flatMap(Effect.promise(loadPostgres), ({ PostgresStorage }) =>
          PostgresStorage.migrate(postgresOf(database))
        )
      : SqlMigrations.migrate,
    layerClient(database)
  )

/**
 * Provides only the client of a database, without a statement timeout, for migrations and copies. In PostgreSQL its
 * sessions have the given application name.
 */
export const layerClient = (database: DatabaseUrl, applicationName?: string): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? LazyLayer.make(loadPostgres, ({ PostgresStorage }) =>
        PostgresStorage.layerMigrator({ ...postgresOf(database), applicationName })
      )
    : LazyLayer.make(loadSqlite, ({ SqliteStorage }) => SqliteStorage.layerClient(fileOf(database)))
