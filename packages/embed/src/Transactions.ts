import { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import type { HostClient, HostPool } from "@frontdesk/storage-postgres/host/HostClient"
import type { HostTransaction } from "@frontdesk/storage-postgres/host/HostTransaction"
import { failed } from "@frontdesk/storage-sql/storage/DatabaseFailure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type * as Assembly from "./Assembly.ts"
import * as Failure from "./failure/Failure.ts"
import { type FrontdeskError, isFrontdeskError } from "./failure/FrontdeskError.ts"
import { member } from "./Foreign.ts"
import { isTransactionHandle, type TransactionHandle } from "./handle/TransactionHandle.ts"
import { databaseOf, type Options } from "./Options.ts"
import * as TransactionEnd from "./TransactionEnd.ts"
import type { TransactionClient } from "./types/transaction.ts"

/** Runs an effect of a service inside a transaction. */
export type Within = (effect: Effect.Effect<unknown, unknown, unknown>) => Effect.Effect<unknown, unknown, unknown>

/** The work of a program in a transaction. */
export type Work<A> = (client: TransactionClient, within: Within) => Promise<A>

/** Runs the effect that notifies the workers after the commit. */
export type Notify = (effect: Effect.Effect<void, unknown, unknown>) => Promise<unknown>

/** Joins a transaction that the program has begun. */
export interface Joining {
  readonly within: Within
  readonly committed: Effect.Effect<void, unknown, unknown>
}

const isStorageError = Schema.is(StorageError)

const noPool = () =>
  Failure.make({
    code: "validation_error",
    message: "join needs storage: { postgres: { pool } }, because it uses a connection of that pool's database"
  })

const noDatabase = () =>
  Failure.make({
    code: "validation_error",
    message: "client.query needs a database, which the storage in memory does not have. Use PostgreSQL or SQLite"
  })

const poolOf = ({ storage }: Options) => {
  const database = databaseOf(storage)
  return database !== undefined && "pool" in database ? database : undefined
}

/** Returns how a program joins its own transaction. */
export type Join = (client: HostClient | TransactionHandle) => Joining

/** Returns the join of an open Frontdesk. It throws unless the storage is a pool of the program. */
export const makeJoin = (options: Options): Join => {
  // All joins of a connection share a transaction, whose calls run in turn.
  const joined = new WeakMap<HostClient, HostTransaction>()
  const transactionOf = Effect.fnUntraced(function* (client: HostClient, schema: string) {
    const known = joined.get(client)
    if (known !== undefined) return known
    const { HostTransaction, PostgresStorage } = yield* Effect.promise(() => import("@frontdesk/storage-postgres"))
    const made = yield* HostTransaction.join(client, PostgresStorage.hostSettings({ schema }))
    // Another call may have joined meanwhile.
    const transaction = joined.get(client) ?? made
    joined.set(client, transaction)
    return transaction
  })
  return (given) => {
    const host = poolOf(options)
    if (host === undefined) throw noPool()
    let client = isTransactionHandle(given) ? undefined : connectionOf(given)
    const hostClient = isTransactionHandle(given)
      ? Effect.tryPromise({ try: async () => (client ??= await given.hostClient()), catch: notJoined })
      : Effect.succeed(given)
    const transaction = Effect.flatMap(hostClient, (found) => transactionOf(found, host.schema))
    return {
      within: (effect) =>
        Effect.mapError(
          Effect.flatMap(transaction, ({ run }) => run(effect)),
          ofProgram
        ),
      // Without a call, no work was stored. The library may have ended the transaction, which then has no connection.
      committed: Effect.suspend(() => {
        const joinedTransaction = client === undefined ? undefined : joined.get(client)
        return joinedTransaction?.committed ?? Effect.void
      })
    }
  }
}

/** The SQLSTATE of a savepoint outside of a transaction. */
const noTransaction = "25P01"

/** The mistakes of a program that only PostgreSQL notices, by SQLSTATE. */
const mistakes: ReadonlyMap<unknown, string> = new Map([
  [
    noTransaction,
    "The connection has no open transaction. Send BEGIN before the first call, and pass the connection and not its pool"
  ],
  ["25P02", "An earlier statement of the transaction has failed, so PostgreSQL executes no further one. Roll it back"],
  ["25006", "The transaction is read-only. Begin it with BEGIN READ WRITE"],
  [
    "42P01",
    "The connection does not find the tables of Frontdesk. It leads to another database, or its role may not use their schema"
  ]
])

/** Returns the error of a call in a transaction of the program. What the program has to change is its message. */
const ofProgram = (error: unknown): unknown => {
  const message = mistakes.get(stateOf(error))
  return message === undefined ? error : Failure.make({ code: "validation_error", message }, error)
}

/** Returns the SQLSTATE of an error of a store, or undefined. */
const stateOf = (error: unknown): unknown =>
  isStorageError(error) && isSqlError(error.cause) ? member(error.cause.reason.cause, "code") : undefined

/** Returns a connection of node-postgres. Throws for another value. */
const connectionOf = (given: HostClient): HostClient => {
  if (typeof member(given, "query") === "function") return given
  throw Failure.ofField(
    "client",
    "Expected a connection of node-postgres. For a transaction of another library call fromKysely, fromDrizzle, fromKnex or fromPrisma"
  )
}

/** Returns the error of a transaction of a library that has no connection, for example because it has ended. */
const notJoined = (cause: unknown) =>
  Failure.make(
    { code: "validation_error", message: cause instanceof Error ? cause.message : "The transaction has no connection" },
    cause
  )

/** Returns how a call runs inside a transaction of a work. That has begun it, so a missing transaction was ended by the work. */
const inWork =
  (within: Within): Within =>
  (effect) =>
    Effect.mapError(within(effect), (error) =>
      isFrontdeskError(error) && stateOf(error.cause) === noTransaction ? TransactionEnd.endedByWork(error) : error
    )

/** Runs the work of a program in a transaction on a connection of its pool. Rejects as the work or the COMMIT does. */
const onPool = async <A>(join: Join, pool: HostPool, work: Work<A>, notify: Notify): Promise<A> => {
  const client = await pool.connect().catch((cause: unknown) => {
    throw TransactionEnd.unavailable(cause)
  })
  let isBroken = false
  const onError = () => {
    isBroken = true
  }
  // Without a listener, the loss of the connection would end the process.
  client.on("error", onError)
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- A connection of node-postgres also takes a text and its values. */
  const theirs = client as unknown as TransactionClient
  const control = async (text: string, failed: (cause: unknown) => FrontdeskError): Promise<void> => {
    await theirs.query(text).catch((cause: unknown) => {
      throw failed(cause)
    })
  }
  const { committed, within } = join(client)
  try {
    await control(TransactionEnd.begin, TransactionEnd.unavailable)
    const result = await work(theirs, inWork(within))
    await control(TransactionEnd.commit, TransactionEnd.commitFailed)
    // The rows are stored, whatever becomes of the notification. Without it the workers find the work at their next poll.
    await notify(committed).catch(() => {})
    return result
  } catch (error) {
    // After a COMMIT, or without a transaction, PostgreSQL only warns.
    await theirs.query("ROLLBACK").catch(onError)
    throw error
  } finally {
    client.off("error", onError)
    client.release(isBroken)
  }
}

/** The failure of the work, which is not to be confused with a failure of the transaction. */
class WorkFailed {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/** Returns the effect that runs the work of a program in a transaction of the storage. Nothing is repeated. */
const onStorage = <A>(context: Context.Context<Assembly.Services>, work: Work<A>) => {
  const sql = Context.getOption(context, SqlClient)
  const clientIn = (inside: Context.Context<never>, onRefused: (error: FrontdeskError) => void): TransactionClient => ({
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The type of a driver's `query`.
    query: async <Row>(text: string, values: Array<unknown> = []) => {
      if (Option.isNone(sql)) throw noDatabase()
      // Not executed, because on SQLite it would also end transactions of others that commit together with this one.
      if (TransactionEnd.isEnding(text)) {
        const error = TransactionEnd.refused()
        onRefused(error)
        throw error
      }
      const rows = await Effect.runPromiseWith(inside)(sql.value.unsafe<object>(text, values))
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
         -- The program knows the columns of its own statement. */
      return { rows: rows.slice() as unknown as Array<Row> }
    }
  })
  const body = Effect.flatMap(Effect.context<never>(), (inside) =>
    Effect.tryPromise({
      try: async () => {
        let refused: FrontdeskError | undefined
        const client = clientIn(inside, (error) => {
          refused = error
        })
        const result = await work(client, (effect) => Effect.provideContext(effect, Context.merge(context, inside)))
        // Also when the work has caught it: the program takes for stored what it does before its COMMIT.
        if (refused !== undefined) throw refused
        return result
      },
      catch: (error) => new WorkFailed(error)
    })
  )
  return Option.match(sql, {
    onNone: () => Context.get(context, Transaction).run(body),
    // `Transaction.run` would repeat the work of the program after a conflict.
    onSome: (client) =>
      Effect.mapError(client.withTransaction(body), (error) =>
        error instanceof WorkFailed ? error : failed("transaction")(error)
      )
  })
}

/** Runs the work of a program in one transaction with the calls of Frontdesk. */
export const run = async <A>(
  options: Options,
  join: Join,
  context: Context.Context<Assembly.Services>,
  work: Work<A>,
  notify: Notify
): Promise<A> => {
  const host = poolOf(options)
  if (host !== undefined) return onPool(join, host.pool, work, notify)
  const exit = await Effect.runPromiseExitWith(context)(onStorage(context, work))
  if (Exit.isSuccess(exit)) return exit.value
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (error instanceof WorkFailed) throw error.error
  throw Failure.fromCause(exit.cause, { name: "transaction", args: [] })
}
