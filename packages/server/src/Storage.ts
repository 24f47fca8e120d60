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

/** What keeps a node in step with the others waits behind no request. */
const besideRequests = Layer.succeed(CurrentWorkload, "worker")

const postgres = (database: Postgres) =>
  Layer.provideMerge(Layer.provide(PostgresClock.layer, besideRequests), PostgresStorage.layer(postgresOf(database)))

const fileOf = (database: Exclude<DatabaseUrl, Postgres>) => ({
  filename: database._tag === "Memory" ? ":memory:" : database.path
})

/**
 * Every store, on the database of the settings, brought to the present schema. With PostgreSQL the clock of all that is
 * built on it is that of the database, for nodes on one database must agree what is due.
 */
export const layer = (database: DatabaseUrl): Layer.Layer<SqliteStorage.Stores | SqlClient, SqlError | StorageError> =>
  database._tag === "Postgres" ? postgres(database) : SqliteStorage.layer(fileOf(database))

/** The same for a server: with PostgreSQL, work that one node leaves wakes the others. */
export const layerServer = (
  database: DatabaseUrl
): Layer.Layer<SqliteStorage.Stores | SqlClient, ListenError | SqlError | StorageError> =>
  database._tag === "Postgres"
    ? Layer.provideMerge(Layer.provide(PostgresSignals.layer(postgresOf(database)), besideRequests), postgres(database))
    : SqliteStorage.layer(fileOf(database))

/** A client for that database as it is, which only reads; a file must be there. */
export const layerReader = (database: DatabaseUrl): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerClient(postgresOf(database))
    : SqliteClient.layer({ ...fileOf(database), readonly: true })

/**
 * The client of that database alone, for migrations and copies, whose statements take their time; in PostgreSQL under a
 * name of its own if one is given.
 */
export const layerClient = (database: DatabaseUrl, applicationName?: string): Layer.Layer<SqlClient, SqlError> =>
  database._tag === "Postgres"
    ? PostgresStorage.layerMigrator({ ...postgresOf(database), applicationName })
    : SqliteStorage.layerClient(fileOf(database))
