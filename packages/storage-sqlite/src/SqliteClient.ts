import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Driver from "@frontdesk/storage-sql/driver/Driver"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Client from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Path from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { attempt } from "./client/LockRetry.ts"
import * as CommitGroup from "./client/CommitGroup.ts"
import * as SqliteConnection from "./client/Connection.ts"
import * as DatabaseFile from "./client/DatabaseFile.ts"
import * as DiskOutage from "./client/DiskOutage.ts"
import * as LongReads from "./client/LongReads.ts"
import * as ReadConnection from "./client/ReadConnection.ts"
import * as ReadSnapshot from "./client/ReadSnapshot.ts"
import * as ConnectionQueue from "./client/ConnectionQueue.ts"
import * as Transactions from "./client/Transactions.ts"

/** How a database is opened. */
export interface SqliteClientConfig {
  /**
   * The path of the file, which is created with its folders if it does not exist, or `:memory:`. A `file:` URI is not
   * supported.
   */
  readonly filename: string
  /** Opens an existing file for reading only. */
  readonly readonly?: boolean | undefined
  /** How long a statement waits for a lock of another connection or process. Default: 5 seconds. */
  readonly busyTimeout?: Duration.Input | undefined
  /**
   * What a commit waits for. `FULL` (the default) survives power loss. `NORMAL` survives a crash of the process, but
   * may lose the last commits on power loss. It commits faster.
   */
  readonly synchronous?: "FULL" | "NORMAL" | undefined
  /** Keeps the journal mode of the file instead of switching it to write-ahead logging. */
  readonly disableWAL?: boolean | undefined
  /** How many compiled statements each connection caches. Default: 200. */
  readonly prepareCacheSize?: number | undefined
  /** Attributes for the span of every statement and transaction. */
  readonly spanAttributes?: Record<string, unknown> | undefined
  /** Renames the columns of results. */
  readonly transformResultNames?: ((name: string) => string) | undefined
  /** Renames the identifiers in queries. */
  readonly transformQueryNames?: ((name: string) => string) | undefined
}

/**
 * A number that changes when another connection or process commits to the database. The connection that writes for this
 * client does not change it.
 */
export class ForeignCommits extends Context.Service<
  ForeignCommits,
  {
    /** Returns the number. Returns a new one each time while the database cannot be read. */
    readonly version: () => unknown
  }
>()("@frontdesk/storage-sqlite/SqliteClient/ForeignCommits") {}

/** How much of the database the writing connection and the one for reads cache at most, in KiB each (D-LITE-12). */
const maxCacheKibibytes = 65_536

/** After how many pages in the write-ahead log a commit copies them into the database file (D-LITE-12). */
const checkpointPages = 4_000

/** Returns for how many milliseconds a statement waits for a lock. */
export const busyTimeoutOf = ({ busyTimeout }: Pick<SqliteClientConfig, "busyTimeout">): number =>
  Duration.toMillis(busyTimeout ?? Duration.seconds(5))

/**
 * Opens a database and closes it with the scope.
 *
 * Writes and transactions take turns on one connection, alternating between requests and workers. A transaction begins
 * with `BEGIN IMMEDIATE`, so it has the write lock from its first statement. In WAL mode, transactions and writes that
 * end at about the same time commit together (D-LITE-11). In WAL mode, a `SELECT` outside a
 * transaction uses a second connection and does not wait for writes (D-LITE-1).
 *
 * Fails with a `ConnectionError` when the file cannot be opened. While the disk is full, writes fail with a
 * `ConnectionError`; while it is failing, reads may fail too (D-LITE-4). The log reports that once when it begins and
 * once when it ends. All writes also fail after the file was deleted, replaced or emptied, or its `-wal` or `-shm` was
 * deleted or replaced (D-LITE-7).
 *
 * A statement that reads an integer beyond ±(2^53 − 1) fails (D-LITE-3). With `SqlClient.SafeIntegers`, integers are
 * read as `bigint`.
 */
export const make = (
  config: SqliteClientConfig
): Effect.Effect<Client.SqlClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.map(open(config), ({ client }) => client)

interface Opened {
  readonly client: Client.SqlClient
  readonly foreignCommits: ForeignCommits["Service"]
}

const open: (config: SqliteClientConfig) => Effect.Effect<Opened, SqlError, Scope.Scope | Reactivity.Reactivity> =
  Tracing.operation("SqliteClient.make")(function* (config) {
    const inMemory = DatabaseFile.isInMemory(config.filename)
    const filename = inMemory ? config.filename : Path.resolve(config.filename)
    const readonly = config.readonly === true
    const connectionOptions = {
      busyTimeout: busyTimeoutOf(config),
      prepareCacheSize: config.prepareCacheSize ?? 200
    }

    if (!inMemory && !readonly) {
      yield* DatabaseFile.create(filename)
    }
    const database = yield* DatabaseFile.open(filename, { readonly })
    const pragma = (text: string) =>
      Effect.suspend(() => attempt(() => database.prepare(`PRAGMA ${text}`).get(), connectionOptions.busyTimeout))
    yield* pragma(`synchronous = ${config.synchronous ?? "FULL"}`)
    yield* pragma(`cache_size = -${maxCacheKibibytes}`)
    yield* pragma("temp_store = MEMORY")
    // What was deleted is overwritten in the file, so that an erased person is not in its free space (D-ERASE-5).
    yield* pragma("secure_delete = ON")
    yield* pragma(`wal_autocheckpoint = ${checkpointPages}`)
    const journal = yield* pragma(readonly || config.disableWAL === true ? "journal_mode" : "journal_mode = WAL")

    const openReader = DatabaseFile.open(filename, { readonly: true })
    const reader = journal?.["journal_mode"] === "wal" ? yield* openReader : undefined
    reader?.exec(`PRAGMA cache_size = -${maxCacheKibibytes}`)
    const snapshot = reader && ReadSnapshot.make(reader)
    const outage = yield* DiskOutage.make(filename, reader)
    // SQLite creates the companions of the file at the first read, and the identity check needs them.
    if (!inMemory && !readonly) yield* pragma("schema_version")
    const check = inMemory || readonly ? undefined : DatabaseFile.checkIdentity(filename)
    const writer = SqliteConnection.make(database, {
      ...connectionOptions,
      outage,
      check,
      failed: (error) => groups.failed(error)
    })
    const groups: CommitGroup.CommitGroups = CommitGroup.make({
      connection: writer,
      run: (sql) => database.exec(sql),
      isTransaction: () => database.isTransaction,
      turns: ConnectionQueue.make(),
      isGrouping: reader !== undefined,
      committed: () => snapshot?.end(),
      outage
    })
    yield* Effect.addFinalizer(() => groups.close)

    const connection = (opened: DatabaseSync, check?: () => void) =>
      SqliteConnection.make(opened, { ...connectionOptions, check })
    const lendAlone: Driver.Lend = (use) => Effect.scoped(Effect.andThen(groups.alone, use(writer)))
    const outside =
      reader &&
      ReadConnection.make({
        reader: connection(reader, snapshot?.begin),
        longReads: yield* LongReads.make(
          { filename, busyTimeout: connectionOptions.busyTimeout },
          DatabaseFile.sameAsNow(filename)
        ),
        streamReader: Effect.map(openReader, (opened) => connection(opened)),
        lendForWrite: (use) =>
          Effect.uninterruptibleMask((restore) =>
            groups.transaction(restore, undefined, (member) => restore(use(member)))
          ),
        lendAlone,
        acquireWriter: groups.alone
      })

    const spanAttributes: ReadonlyArray<readonly [string, unknown]> = [
      ...Object.entries(config.spanAttributes ?? {}),
      ["db.system.name", "sqlite"]
    ]
    const plain = yield* Client.make({
      acquirer: outside === undefined ? groups.alone : Effect.succeed(outside),
      transactionAcquirer: groups.alone,
      ...(outside && { borrower: (use) => use(outside) }),
      driver: "sqlite-node",
      compiler: Statement.makeCompilerSqlite(config.transformQueryNames),
      transformRows: config.transformResultNames && Statement.defaultTransforms(config.transformResultNames).array,
      spanAttributes
    })
    const client = Object.assign(plain, Transactions.make(plain.transactionService, groups, spanAttributes))
    const dataVersion = database.prepare("PRAGMA data_version")
    let lastVersion: unknown
    const version = (): unknown => {
      try {
        const present = dataVersion.get()?.["data_version"]
        // What is read now must be as new as the version. Otherwise it would be cached as current.
        if (present !== lastVersion) snapshot?.end()
        lastVersion = present
        return present
      } catch {
        // Counts as a commit, so that the caller reads what it has cached again, and that statement reports the error.
        return Symbol("unreadable")
      }
    }
    return {
      client: Driver.attach(client, { lend: outside === undefined ? lendAlone : (use) => use(outside) }),
      foreignCommits: ForeignCommits.of({ version })
    }
  })

/** Provides the `SqlClient` of a SQLite database. */
export const layer = (config: SqliteClientConfig): Layer.Layer<Client.SqlClient | ForeignCommits, SqlError> =>
  Layer.effectContext(
    Effect.map(open(config), ({ client, foreignCommits }) =>
      Context.make(Client.SqlClient, client).pipe(Context.add(ForeignCommits, foreignCommits))
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** Like {@link layer}, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<SqliteClientConfig>
): Layer.Layer<Client.SqlClient | ForeignCommits, Config.ConfigError | SqlError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
