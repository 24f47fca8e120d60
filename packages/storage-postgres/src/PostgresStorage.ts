import * as PgClient from "@effect/sql-pg/PgClient"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const stores = Layer.provideMerge(SqlStorage.layer, SqlMigrations.layer)

/** Every store of the storage, and its transactions. */
export type Stores = Layer.Success<typeof stores>

/** The client of the storage alone. */
export const layerClient = (config: PgClient.PgPoolConfig): Layer.Layer<SqlClient | PgClient.PgClient, SqlError> =>
  PgClient.layer(config)

/**
 * Every store and `Transaction` in a PostgreSQL database, whose tables are made or brought up to date first; and its
 * client, for statements of one's own.
 */
export const layer = (
  config: PgClient.PgPoolConfig
): Layer.Layer<Stores | SqlClient | PgClient.PgClient, SqlError | StorageError> =>
  Layer.provideMerge(stores, layerClient(config))

/** The same as `layer`, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<PgClient.PgPoolConfig>
): Layer.Layer<Stores | SqlClient | PgClient.PgClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
