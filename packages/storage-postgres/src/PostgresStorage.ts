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

/** Every store, and `Transaction`. */
export type Stores = Layer.Success<typeof SqlStorage.layer>

/** Provides only the client of the storage, without stores or migrations. */
export const layerClient: (config: PostgresConfig) => Layer.Layer<SqlClient | PgClient, SqlError> = PostgresClient.layer

/**
 * Provides the client for migrations. Its statements have no time limit, because creating an index of a large table
 * takes long, and another node that migrates may hold its lock as long.
 */
export const layerMigrator = (config: PostgresConfig): Layer.Layer<SqlClient | PgClient, SqlError> =>
  PostgresClient.layer({
    ...config,
    statementTimeout: Duration.infinity,
    lockTimeout: Duration.infinity
  })

/**
 * Creates or migrates the tables of a database, and makes a new database the cell of the configuration. Returns the
 * applied migrations. It runs with {@link layerMigrator}.
 */
export const migrate = ({
  cell
}: PostgresConfig): Effect.Effect<ReadonlyArray<readonly [id: number, name: string]>, StorageError, SqlClient> =>
  Effect.tap(SqlMigrations.migrate, cell === undefined ? Effect.void : SqlMigrations.claimCell(cell))

/**
 * Creates or migrates the tables of a PostgreSQL database, and provides every store and `Transaction` in it. It also
 * provides the client, for statements of the program.
 *
 * Any number of processes may use one database.
 */
export const layer = (config: PostgresConfig): Layer.Layer<Stores | SqlClient | PgClient, SqlError | StorageError> =>
  SqlStorage.layer.pipe(
    Layer.provideMerge(PostgresClient.layer(config)),
    // The connections of the migration client close when the migrations end.
    Layer.provide(Layer.effectDiscard(Effect.provide(migrate(config), layerMigrator(config))))
  )

/** Like {@link layer}, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<PostgresConfig>
): Layer.Layer<Stores | SqlClient | PgClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
