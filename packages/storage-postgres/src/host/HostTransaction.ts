import { deferring } from "@frontdesk/core/background/Signal"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { failed } from "@frontdesk/storage-sql/storage/DatabaseFailure"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { HostClient } from "./HostClient.ts"
import type { HostSettings } from "./HostSettings.ts"
import { CurrentJoined, JoinedConnection } from "./JoinedConnection.ts"

/** The open transaction of the host, as far as it runs effects of this package. */
export interface HostTransaction {
  /**
   * Runs an effect inside the transaction of the host, in a savepoint: when the effect fails, only its own writes are
   * undone, and the host's transaction stays usable. Nothing is repeated after a conflict. Effects run one after another.
   * Afterwards the settings of the connection are those of before.
   */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Notifies the workers of what was stored. Call it after the commit. Without it they find the work at the next poll. */
  readonly committed: Effect.Effect<void>
}

/** Whose turn it is on a connection. Effects of several stores on it must not end the savepoint of another. */
const turns = new WeakMap<HostClient, Semaphore.Semaphore>()

/** Joins the transaction that the host has begun on one of its connections. Needs the client of `PostgresStorage.fromPool`. */
export const join = Effect.fnUntraced(function* (client: HostClient, settings: HostSettings) {
  const sql = yield* SqlClient
  const semaphore = turns.get(client) ?? (yield* Semaphore.make(1))
  turns.set(client, semaphore)
  const signals = deferring()
  const connection = new JoinedConnection(client, settings)
  const joined: HostTransaction = {
    run: (effect) =>
      sql.withTransaction(effect).pipe(
        Effect.mapError((error) => (isSqlError(error) ? failed("HostTransaction.run")(error) : error)),
        Effect.provideService(CurrentJoined, connection),
        signals.defer,
        semaphore.withPermits(1)
      ),
    committed: signals.release
  }
  return joined
})
