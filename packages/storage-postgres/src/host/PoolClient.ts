import * as PgClient from "@effect/sql-pg/PgClient"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Driver from "@frontdesk/storage-sql/driver/Driver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import type * as Scope from "effect/Scope"
import * as Client from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Commit from "../client/Commit.ts"
import { begin } from "../client/Connection.ts"
import * as PostgresSchema from "../PostgresSchema.ts"
import type { HostPool, HostPoolClient } from "./HostClient.ts"
import { HostConnection } from "./HostConnection.ts"
import { CurrentJoined } from "./JoinedConnection.ts"
import * as HostSettings from "./HostSettings.ts"

/** Takes a connection of the pool. When the caller no longer waits, a connection that comes late goes back to the pool. */
const connect = (pool: HostPool): Effect.Effect<HostPoolClient, SqlError> =>
  Effect.callback((resume) => {
    let isWaiting = true
    pool.connect().then(
      (client) => (isWaiting ? resume(Effect.succeed(client)) : client.release()),
      (cause: unknown) => {
        const message = cause instanceof Error ? cause.message : "The pool gave no connection"
        resume(Effect.fail(new SqlError({ reason: new ConnectionError({ cause, message, operation: "acquire" }) })))
      }
    )
    return Effect.sync(() => {
      isWaiting = false
    })
  })

/** Takes a connection of the pool for a scope. `mustClose` tells at the end whether the pool has to close it. */
const lease = (pool: HostPool, onLost: () => void, mustClose: () => boolean) =>
  Effect.acquireRelease(
    // Without a listener, the loss of a connection that was taken from the pool would end the process.
    Effect.tap(connect(pool), (client) => Effect.sync(() => client.on("error", onLost))),
    (client) =>
      Effect.sync(() => {
        client.off("error", onLost)
        client.release(mustClose())
      }),
    { interruptible: true }
  )

/** Begins a transaction that writes, whatever the default of the host's database is. */
const beginWriting = `${begin} READ WRITE`

const makeClient = (acquirer: Effect.Effect<HostConnection, SqlError, Scope.Scope>) =>
  Client.make({
    driver: "pg",
    acquirer,
    compiler: PgClient.makeCompiler(),
    commit: Commit.make(() => undefined),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

/**
 * Makes a client on a pool of the host. Every statement outside a transaction gets one of its own, because the settings
 * that it needs are made for one transaction and never for the host's connection.
 */
export const make = Effect.fnUntraced(function* (pool: HostPool, settings: HostSettings.HostSettings) {
  const beginning = `${beginWriting}; ${HostSettings.assignments(HostSettings.valuesOf(settings), "LOCAL")}`
  const ofWorkers = yield* Semaphore.make(settings.workerConnections)
  const acquirer = Effect.gen(function* () {
    const joined = yield* CurrentJoined
    if (joined !== null) return joined
    if ((yield* CurrentWorkload) === "worker") yield* ofWorkers.takeScoped(1)
    let isLost = false
    const onLost = () => {
      isLost = true
    }
    const used: Array<HostConnection> = []
    const host = yield* lease(pool, onLost, () => isLost || used.some(({ mayBeOpen }) => mayBeOpen))
    const connection = new HostConnection(host, beginning, onLost)
    used.push(connection)
    return connection
  })
  const client = yield* makeClient(acquirer)
  const lend: Driver.Lend = (use) =>
    client.withTransaction(
      Effect.withFiber((fiber) => {
        const [connection] = Context.getOrUndefined(fiber.context, client.transactionService) ?? []
        return connection instanceof HostConnection
          ? use(connection)
          : Effect.die(new Error("The transaction has no connection of the pool."))
      })
    )
  return Driver.attach(client, { lend })
})

/**
 * Makes a client for migrations on one connection of the pool. Its settings last as long as the connection, which the
 * pool closes when the scope ends, because migrations build indexes outside transactions. It creates the schema.
 */
const makeMigrator = Effect.fnUntraced(function* (pool: HostPool, schema: string) {
  const host = yield* lease(
    pool,
    () => {},
    () => true
  )
  const connection = new HostConnection(host, beginWriting, () => {})
  const client = yield* makeClient(Effect.succeed(connection))
  const values = {
    ...HostSettings.valuesOf({ schema, statementTimeout: "0", lockTimeout: "0", workerConnections: 1 }),
    // The default of the host's sessions, whose transactions of ours all write.
    default_transaction_read_only: "off"
  }
  yield* connection.executeValues(HostSettings.assignments(values, "SESSION"), [])
  yield* Effect.provideService(PostgresSchema.create(schema), Client.SqlClient, client)
  return client
})

/** Provides the client of {@link make}. */
export const layer = (pool: HostPool, settings: HostSettings.HostSettings): Layer.Layer<Client.SqlClient> =>
  Layer.effect(Client.SqlClient, make(pool, settings)).pipe(Layer.provide(Reactivity.layer))

/** Provides the client for migrations. */
export const layerMigrator = (pool: HostPool, schema: string): Layer.Layer<Client.SqlClient, SqlError> =>
  Layer.effect(Client.SqlClient, makeMigrator(pool, schema)).pipe(Layer.provide(Reactivity.layer))
