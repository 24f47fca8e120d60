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
import * as PoolOptions from "./client/PoolOptions.ts"
import type { HostPool } from "./host/HostClient.ts"
import type { HostSettings } from "./host/HostSettings.ts"
import * as PoolClient from "./host/PoolClient.ts"
import * as PostgresClient from "./PostgresClient.ts"
import type { PostgresConfig } from "./PostgresConfig.ts"
import * as PostgresSchema from "./PostgresSchema.ts"

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

/** How a storage uses a pool of the program that embeds it. */
export interface PoolConfig {
  /** The schema of the tables, which is created when it is absent. Default: `frontdesk`. */
  readonly schema?: string | undefined
  /** How long a statement may take. Default: 10 seconds. */
  readonly statementTimeout?: Duration.Input | undefined
  /** How long a statement waits for a lock of another transaction. Default: 5 seconds. */
  readonly lockTimeout?: Duration.Input | undefined
  /** The maximum number of connections of the pool that workers use at a time. Default: 2. */
  readonly workerConnections?: number | undefined
}

/** Returns the settings that the statements of the storage need on a connection of the host. */
export const hostSettings = ({
  lockTimeout,
  schema,
  statementTimeout,
  workerConnections
}: PoolConfig): HostSettings => ({
  schema: schema ?? PostgresSchema.defaultName,
  statementTimeout: setting(statementTimeout ?? PoolOptions.timeouts.statementTimeout),
  lockTimeout: setting(lockTimeout ?? PoolOptions.timeouts.lockTimeout),
  workerConnections: workerConnections ?? 2
})

const setting = (timeout: Duration.Input): string =>
  PoolOptions.serverTimeout(Duration.toMillis(Duration.fromInputUnsafe(timeout)))

/**
 * Like {@link layer}, on a pool of node-postgres that belongs to the program. The tables are in a schema of their own.
 *
 * What the statements need is set for one transaction at a time, so nothing of it remains on a connection of the program.
 * The settings and parsers of the program are neither used nor changed. The pool is not closed with the layer.
 */
export const fromPool = (
  pool: HostPool,
  config: PoolConfig = {}
): Layer.Layer<Stores | SqlClient, SqlError | StorageError> => {
  const settings = hostSettings(config)
  return SqlStorage.layer.pipe(
    Layer.provideMerge(PoolClient.layer(pool, settings)),
    Layer.provide(
      Layer.effectDiscard(Effect.provide(SqlMigrations.migrate, PoolClient.layerMigrator(pool, settings.schema)))
    )
  )
}

/** Like {@link layer}, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<PostgresConfig>
): Layer.Layer<Stores | SqlClient | PgClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
