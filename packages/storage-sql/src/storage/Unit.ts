import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { failed } from "./Failure.ts"

/** Tells a failure of the effect from one of the transaction around it, also when both are `SqlError`s. */
class Inner<out E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** Runs an effect in a transaction: a new one, or a savepoint of the one that is open. */
export const run = <A, E, R>(
  sql: SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> =>
  effect.pipe(
    Effect.mapError((error) => new Inner(error)),
    sql.withTransaction,
    Effect.mapError((error) => (error instanceof Inner ? error.error : failed(operation)(error)))
  )

/** Runs an effect in the transaction that is open, or in a new one. */
export const join = <A, E, R>(
  sql: SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> =>
  Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    Option.match({ onNone: () => run(sql, operation, effect), onSome: () => effect })
  )
