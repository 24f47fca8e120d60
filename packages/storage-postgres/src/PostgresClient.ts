import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { CurrentWorkload, type Workload } from "@frontdesk/core/storage/Workload"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Driver from "@frontdesk/storage-sql/driver/Driver"
import { realClock } from "@frontdesk/storage-sql/storage/RealClock"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Client from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Commit from "./client/Commit.ts"
import { begin, lost, PostgresConnection, unanswered } from "./client/Connection.ts"
import * as Deadline from "./client/Deadline.ts"
import * as LookUps from "./client/LookUps.ts"
import * as PoolOptions from "./client/PoolOptions.ts"
import * as ServerOutage from "./client/ServerOutage.ts"
import * as ConnectionUrl from "./client/ConnectionUrl.ts"
import * as UnavailableReason from "./client/UnavailableReason.ts"
import type { PostgresConfig } from "./PostgresConfig.ts"

/**
 * Opens a pool of connections, and a second one for workers if the configuration asks for it. Both close with the
 * scope. Fails when the database cannot be reached, or with the name of a field that is wrong.
 *
 * Every statement ends in time, whatever happens to the server: see the timeouts of the configuration (D-PG-1). A lost
 * connection is replaced. A transaction whose connection is lost fails with a `ConnectionError`. If the connection is
 * lost during the COMMIT, the transaction may have been committed. An outage is logged once when it begins and once
 * when it ends; its errors are marked as reported (see `Outage` in core).
 *
 * Look-ups of several fibers share a connection (D-PG-2). Every other statement, and every transaction, has a connection
 * of its own, on which it may send several statements together (D-PG-34).
 */
export const make: (
  config: PostgresConfig
) => Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity.Reactivity> = Tracing.operation(
  "PostgresClient.make"
)(function* (config) {
  const options = yield* Effect.fromResult(
    Result.mapError(PoolOptions.make(config), (problem) =>
      lost(`The configuration of PostgreSQL is invalid: ${problem}`, "connect")
    )
  )
  const { acquireTimeout, listen, responseTimeout } = options
  const outage = yield* ServerOutage.make(ConnectionUrl.show(config), options)
  const shared = yield* openPool(options.pool)
  const workerPool = options.workerPool === null ? shared : yield* openPool(options.workerPool)
  const poolOf = (workload: Workload) => (workload === "worker" ? workerPool : shared)
  /** Uses the pool of the fiber's workload. */
  const withPool = <A, E, R>(use: (pool: PgPool.PgPool, workload: Workload) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(CurrentWorkload, (workload) => use(poolOf(workload), workload))
  const noneFree = () =>
    lost(`PostgreSQL did not respond, or no connection was free, within ${acquireTimeout / 1000} seconds`, "acquire")

  // The pool closes a lost session when it is returned. No ROLLBACK was sent on it, so it must not be used again.
  const closing = (pool: PgPool.PgPool, session: PgConnection.PgConnection) => () => {
    Effect.runFork(pool.invalidate(session))
  }

  const acquired = (pool: PgPool.PgPool, workload: Workload): Effect.Effect<Connection, SqlError, Scope.Scope> =>
    Deadline.run((deadline) => {
      deadline.set(acquireTimeout, noneFree)
      return Effect.flatMap(pool.get, (session) =>
        Effect.acquireRelease(
          Effect.sync(
            () => new PostgresConnection(session, workload, closing(pool, session), { responseTimeout, outage })
          ),
          (connection) => connection.end
        )
      )
    })

  yield* Effect.mapError(Effect.scoped(acquired(shared, "request")), explained)

  const lendSession = <A, E, R>(
    pool: PgPool.PgPool,
    use: (session: PgConnection.PgConnection) => Effect.Effect<A, E, R>
  ) =>
    Deadline.run((deadline) => {
      deadline.set(acquireTimeout, noneFree)
      return pool.use((session) => {
        deadline.set(responseTimeout, () => {
          closing(pool, session)()
          return unanswered(responseTimeout)()
        })
        return use(session)
      })
    })

  const lend = <A, E, R>(use: (connection: PostgresConnection) => Effect.Effect<A, E, R>) =>
    outage.watch(
      withPool((pool, workload) =>
        lendSession(pool, (session) => use(new PostgresConnection(session, workload, closing(pool, session))))
      )
    )

  const lookUps = LookUps.make((use) => lendSession(shared, use))
  const lookUp: Driver.Query = (text, params, read) =>
    Effect.flatMap(CurrentWorkload, (workload) =>
      workload === "request"
        ? Effect.flatMap(outage.watch(Effect.tap(lookUps(text, params), Effect.yieldNow)), ({ columns, rows }) =>
            read(columns, rows)
          )
        : lend((connection) => connection.query(text, params, read))
    )

  const client = yield* Client.make({
    driver: "pg",
    acquirer: outage.watch(withPool(acquired)),
    borrower: lend,
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    beginTransaction: begin,
    commit,
    // Nothing is to be rolled back while the BEGIN was not sent.
    isTransaction: (connection) =>
      !(connection instanceof PostgresConnection) || (connection.isUsed && !connection.isLost),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [...Object.entries(config.spanAttributes ?? {}), ["db.system.name", "postgresql"]]
  })

  return Object.assign(Driver.attach(client, { lend, lookUp }), {
    [PgClient.TypeId]: PgClient.TypeId,
    config: options.pool,
    json: (value: unknown) => Statement.fragment([Statement.custom<PgClient.PgCustom>("PgJson")(value)]),
    listen: (channel: string) =>
      listen === null
        ? Effect.acquireRelease(Queue.unbounded<PgConnection.Notification, SqlError>(), Queue.shutdown)
        : Deadline.run((deadline) => {
            deadline.set(responseTimeout, unanswered(responseTimeout))
            return listenTo(PgConnection.make(listen), channel)
          }).pipe(outage.watch),
    notify: (channel: string, payload: string) => Effect.asVoid(client`SELECT pg_notify(${channel}, ${payload})`)
  }) satisfies PgClient.PgClient
})

/** Opens a pool that closes idle connections by the real clock, because the server does not follow a test clock. */
const openPool = (config: PgPool.Config) => Effect.provideService(PgPool.make(config), Clock.Clock, realClock)

/**
 * Listens on a connection of its own. The connection is closed before the listener is released: on a dead connection
 * UNLISTEN would get no response, and the connection would never be replaced (D-PG-10).
 */
const listenTo = (connect: Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope>, channel: string) =>
  Effect.gen(function* () {
    const own = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const connection = yield* Scope.provide(connect, own)
    const notifications = yield* connection.listen(channel)
    yield* Effect.addFinalizer((exit) => Scope.close(own, exit))
    return notifications
  })

/** Returns the error of the first connection. For an untrusted certificate it says what to do. */
const explained = (error: SqlError): SqlError => {
  const { cause } = error.reason
  return cause instanceof Error && UnavailableReason.isUntrusted(error)
    ? lost(`${cause.message}; set sslrootcert or ssl.ca to the certificate of the authority that signed it`, "connect")
    : error
}

const commit = Commit.make((connection) => (connection instanceof PostgresConnection ? connection.failure : undefined))

/**
 * Provides the `SqlClient` of a PostgreSQL database, and the same client as a `PgClient`, which can also listen for
 * notifications on a connection of its own.
 */
export const layer = (config: PostgresConfig): Layer.Layer<Client.SqlClient | PgClient.PgClient, SqlError> =>
  Layer.effectContext(
    Effect.map(make(config), (client) =>
      Context.make(PgClient.PgClient, client).pipe(Context.add(Client.SqlClient, client))
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** Like {@link layer}, with the options read from a `Config`. */
export const layerConfig = (
  config: Config.Wrap<PostgresConfig>
): Layer.Layer<Client.SqlClient | PgClient.PgClient, Config.ConfigError | SqlError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
