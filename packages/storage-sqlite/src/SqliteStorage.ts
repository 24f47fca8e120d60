import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { performance } from "node:perf_hooks"
import * as ForeignFile from "./client/ForeignFile.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** The options of the storage: those of its client, which must be able to write. */
export type SqliteStorageConfig = Omit<SqliteClient.SqliteClientConfig, "readonly">

const stores = Layer.provideMerge(SqlStorage.layer, SqlMigrations.layer)

/**
 * Returns a function that calls `version` once in a turn of the event loop, and else returns its last result. Reading the
 * version takes longer than most other steps of a request. A commit of another process therefore acts in the next turn,
 * a few milliseconds later.
 */
const oncePerTurn = (version: () => unknown): (() => unknown) => {
  let last: unknown
  let askedTurn: number | undefined
  return () => {
    const turn = performance.nodeTiming.uvMetricsInfo.loopCount
    if (turn !== askedTurn) {
      askedTurn = turn
      last = version()
    }
    return last
  }
}

/** Reports changes of keys and accounts by other processes: any commit of theirs counts as one (D-KEY-13). */
const foreignChanges = Layer.effectDiscard(
  Effect.gen(function* () {
    const { observe } = yield* AccessChanges
    const { version } = yield* SqliteClient.ForeignCommits
    yield* observe(oncePerTurn(version))
  })
).pipe(Layer.provide(AccessChanges.layer))

/** Every store, and `Transaction`. */
export type Stores = Layer.Success<typeof stores>

/**
 * Provides the `SqlClient` of a Frontdesk database. Fails with a `ConnectionError`, before anything is written, when
 * the file is a database of another program: it has tables, but not the list of Frontdesk's migrations (D-LITE-5).
 */
export const layerClient = (config: SqliteStorageConfig): Layer.Layer<SqlClient, SqlError> => client(config)

const client = (config: SqliteStorageConfig): Layer.Layer<SqlClient | SqliteClient.ForeignCommits, SqlError> =>
  Layer.unwrap(
    Effect.as(ForeignFile.refuse(config.filename, SqliteClient.busyTimeoutOf(config)), SqliteClient.layer(config))
  )

/**
 * Creates or migrates the tables of a SQLite database, and provides every store and `Transaction` in it. It also
 * provides the `SqlClient`, for statements of the program.
 *
 * Several processes may use one file; each waits for the transactions of the others. A file with only tables of another
 * program fails with a `ConnectionError`. A program that wants both in one file provides `SqliteClient.layer` to
 * `SqlMigrations.layer` and `SqlStorage.layer` itself.
 */
export const layer = (config: SqliteStorageConfig): Layer.Layer<Stores | SqlClient, SqlError | StorageError> =>
  Layer.merge(stores, foreignChanges).pipe(Layer.provideMerge(client(config)))

/** Like {@link layer}, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<SqliteStorageConfig>
): Layer.Layer<Stores | SqlClient, Config.ConfigError | SqlError | StorageError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
