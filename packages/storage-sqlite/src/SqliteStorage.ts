import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import type * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqliteClient from "./SqliteClient.ts"

/** What the storage is opened with: the options of its client, which must be able to write. */
export type SqliteStorageConfig = Omit<SqliteClient.SqliteClientConfig, "readonly">

const stores = Layer.provideMerge(SqlStorage.layer, SqlMigrations.layer)

/** Every store of the storage, and its transactions. */
export type Stores = Layer.Success<typeof stores>

/**
 * Every store and `Transaction` in a SQLite database, whose tables are made or brought up to date first; and its
 * `SqlClient`, for statements of one's own.
 *
 * Several processes may use one file; each waits for the other's transactions.
 */
export const layer = (config: SqliteStorageConfig): Layer.Layer<Stores | SqlClient, SqlError | StorageError> =>
  Layer.provideMerge(stores, SqliteClient.layer(config))

/** The same as `layer`, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<SqliteStorageConfig>
): Layer.Layer<Stores | SqlClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.provideMerge(stores, SqliteClient.layerConfig(config))
