import type { PgClient } from "@effect/sql-pg/PgClient"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as PostgresClient from "./PostgresClient.ts"
import type { PostgresConfig } from "./PostgresConfig.ts"

/** Every store of the storage, and its transactions. */
export type Stores = Layer.Success<typeof SqlStorage.layer>

/** The client of the storage alone. */
export const layerClient: (config: PostgresConfig) => Layer.Layer<SqlClient | PgClient, SqlError> = PostgresClient.layer

/**
 * The client for migrations: no limit to how long a statement takes or waits, because an index of a large table takes
 * its time, and so does another node that migrates at the moment.
 */
export const layerMigrator = (config: PostgresConfig): Layer.Layer<SqlClient | PgClient, SqlError> =>
  PostgresClient.layer({
    ...config,
    statementTimeout: Duration.infinity,
    lockTimeout: Duration.infinity
  })

/**
 * Every store and `Transaction` in a PostgreSQL database, whose tables are made or brought up to date first; and its
 * client, for statements of one's own.
 *
 * Any number of processes may use one database.
 */
export const layer = (config: PostgresConfig): Layer.Layer<Stores | SqlClient | PgClient, SqlError | StorageError> =>
  SqlStorage.layer.pipe(
    Layer.provideMerge(PostgresClient.layer(config)),
    // Its connections are closed when it is done.
    Layer.provide(Layer.effectDiscard(Effect.provide(SqlMigrations.migrate, layerMigrator(config))))
  )

/** The same as `layer`, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<PostgresConfig>
): Layer.Layer<Stores | SqlClient | PgClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
