import type { ListenError } from "@frontdesk/storage-postgres/ListenError"
import { PostgresClock, PostgresSignals, PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteClient, SqliteStorage } from "@frontdesk/storage-sqlite"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUrl } from "./settings/DatabaseUrl.ts"

type Postgres = Extract<DatabaseUrl, { readonly _tag: "Postgres" }>

const postgresOf = ({ options, url }: Postgres) => ({ ...options, url })

/** Lets the clock and the signals use the connections of the workers, so that they never wait for API requests. */
const asWorker = Layer.succeed(CurrentWorkload, "worker")

const postgres = (database: Postgres) =>
  Layer.provideMerge(Layer.provide(PostgresClock.layer, asWorker), PostgresStorage.layer(postgresOf(database)))

const fileOf = (database: Exclude<DatabaseUrl, Postgres>) => ({
  filename: database._tag === "Memory" ? ":memory:" : database.path
})

/**
 * Provides every store on a database, which it migrates to the current schema first. With PostgreSQL it also provides the
 * clock of the database, because all nodes on one database must agree about what is due.
 */
export const layer = (database: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient, SqlError | StorageError> =>
  database._tag === "Postgres" ? postgres(database) : SqliteStorage.layer(fileOf(database))

/** Provides the stores for a server. With PostgreSQL the nodes also notify each other of new work. */
export const layerServer = (
  database: DatabaseUrl
): Layer.Layer<SqliteStorage.Stores | SqlClient, ListenError | SqlError | StorageError> =>
  database._tag === "Postgres"
    ? Layer.provideMerge(Layer.provide(PostgresSignals.layer(postgresOf(database)), asWorker), postgres(database))
    : SqliteStorage.layer(fileOf(database))

/** Provides a client that only reads the database. It does not migrate, and a SQLite file must exist. */
export const layerReader = (database: DatabaseUrl): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerClient(postgresOf(database))
    : SqliteClient.layer({ ...fileOf(database), readonly: true })

/**
 * Provides only the client of a database, without a statement timeout, for migrations and copies. In PostgreSQL its
 * sessions have the given application name.
 */
export const layerClient = (database: DatabaseUrl, applicationName?: string): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerMigrator({ ...postgresOf(database), applicationName })
    : SqliteStorage.layerClient(fileOf(database))
