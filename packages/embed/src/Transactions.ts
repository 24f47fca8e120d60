import * as Signal from "@frontdesk/core/background/Signal"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import type { HostClient, HostPool } from "@frontdesk/storage-postgres/host/HostClient"
import type { HostTransaction } from "@frontdesk/storage-postgres/host/HostTransaction"
import { failed } from "@frontdesk/storage-sql/storage/DatabaseFailure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type * as Assembly from "./Assembly.ts"
import * as Failure from "./failure/Failure.ts"
import { databaseOf, type Options } from "./Options.ts"
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

const unsupported = (method: string) =>
  Failure.make({
    code: "validation_error",
    message: `${method} needs storage: { postgres: { pool } }, because it uses a connection of that pool's database`
  })

const poolOf = ({ storage }: Options) => {
  const database = databaseOf(storage)
  return database !== undefined && "pool" in database ? database : undefined
}

/** The transactions of the connections of programs. All joins of a connection share one, whose calls run in turn. */
const joinings = new WeakMap<HostClient, Joining>()

/** Returns how a program joins its own transaction, on a connection of its pool. Throws for another storage. */
export const join = (options: Options, client: HostClient): Joining => {
  const host = poolOf(options)
  if (host === undefined) throw unsupported("join")
  const known = joinings.get(client)
  if (known !== undefined) return known
  let joined: HostTransaction | undefined
  const open = Effect.gen(function* () {
    const { HostTransaction, PostgresStorage } = yield* Effect.promise(() => import("@frontdesk/storage-postgres"))
    const made = yield* HostTransaction.join(client, PostgresStorage.hostSettings({ schema: host.schema }))
    // Concurrent first calls must share the transaction, whose effects run one after another.
    return (joined ??= made)
  })
  const transaction = Effect.suspend(() => (joined === undefined ? open : Effect.succeed(joined)))
  const joining: Joining = {
    within: (effect) => Effect.flatMap(transaction, (opened) => opened.run(effect)),
    committed: Effect.flatMap(transaction, (opened) => opened.committed)
  }
  joinings.set(client, joining)
  return joining
}

/** PostgreSQL answers the COMMIT of a transaction in which a statement has failed with ROLLBACK, and no error. */
const notCommitted = () =>
  Failure.make({
    code: "server_error",
    message:
      "Nothing was stored, because a statement of the transaction had failed. Its error was caught by the program"
  })

/** Returns the error of a statement that begins or ends the transaction, or of a pool that gave no connection. */
const unavailable = (cause: unknown) =>
  Failure.make(
    { code: "service_unavailable", message: "The database did not begin or commit the transaction. Try again later" },
    cause
  )

/** Runs the work of a program in a transaction on a connection of its pool. Rejects as the work or the COMMIT does. */
const onPool = async <A>(options: Options, pool: HostPool, work: Work<A>, notify: Notify): Promise<A> => {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unavailable(cause)
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
  const control = async (text: "BEGIN" | "COMMIT"): Promise<object> =>
    theirs.query(text).catch((cause: unknown) => {
      throw unavailable(cause)
    })
  const { committed, within } = join(options, client)
  try {
    await control("BEGIN")
    const result = await work(theirs, within)
    const answer = await control("COMMIT")
    if ("command" in answer && answer.command === "ROLLBACK") throw notCommitted()
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
  const clientIn = (inside: Context.Context<never>): TransactionClient => ({
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The type of a driver's `query`.
    query: async <Row>(text: string, values: Array<unknown> = []) => {
      if (Option.isNone(sql)) throw unsupported("client.query")
      const rows = await Effect.runPromiseWith(inside)(sql.value.unsafe<object>(text, values))
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
         -- The program knows the columns of its own statement. */
      return { rows: rows.slice() as unknown as Array<Row> }
    }
  })
  const body = Effect.flatMap(Effect.context<never>(), (inside) =>
    Effect.tryPromise({
      try: () => work(clientIn(inside), (effect) => Effect.provideContext(effect, Context.merge(context, inside))),
      catch: (error) => new WorkFailed(error)
    })
  )
  return Option.match(sql, {
    onNone: () => Context.get(context, Transaction).run(body),
    // `Transaction.run` would repeat the work of the program after a conflict.
    onSome: (client) =>
      Effect.mapError(Signal.afterTransaction(client.withTransaction(body)), (error) =>
        error instanceof WorkFailed ? error : failed("transaction")(error)
      )
  })
}

/** Runs the work of a program in one transaction with the calls of Frontdesk. */
export const run = async <A>(
  options: Options,
  context: Context.Context<Assembly.Services>,
  work: Work<A>,
  notify: Notify
): Promise<A> => {
  const host = poolOf(options)
  if (host !== undefined) return onPool(options, host.pool, work, notify)
  const exit = await Effect.runPromiseExitWith(context)(onStorage(context, work))
  if (Exit.isSuccess(exit)) return exit.value
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (error instanceof WorkFailed) throw error.error
  throw Failure.fromCause(exit.cause, { name: "transaction", args: [] })
}
