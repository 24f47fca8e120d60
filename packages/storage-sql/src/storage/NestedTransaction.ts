import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Driver from "../driver/Driver.ts"
import { failed } from "./DatabaseFailure.ts"
import { realClock } from "./RealClock.ts"

/** Marks a failure of the effect, to distinguish it from a failure of the transaction when both are `SqlError`s. */
class Inner<out E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** How often a transaction is repeated after a conflict with another transaction. */
const maxRepeats = 4

/** The maximum pause before the first repeat, in milliseconds. It doubles with each further repeat. */
const maxPause = 20

/**
 * Runs an effect in a new transaction, or in a savepoint of the open one.
 *
 * A new transaction that fails with a conflict (a deadlock or a serialization failure) was rolled back, and is repeated
 * up to four times (D-PG-4). After other failures it is not repeated: a COMMIT whose answer was lost may have taken
 * effect.
 */
export const run = <A, E, R>(
  sql: SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> => {
  const inTransaction = <A2>(body: Effect.Effect<A2, Inner<E> | SqlError, R>) =>
    Effect.mapError(sql.withTransaction(body), (error) =>
      error instanceof Inner ? error.error : failed(operation)(error)
    )
  const inner = Effect.mapError(effect, (error) => new Inner(error))
  const once = inTransaction(inner)
  const attempt = (left: number): Effect.Effect<A, E | StorageError, R> =>
    left === 0
      ? once
      : Effect.catchIf(once, isConflict, () => Effect.andThen(wait(maxRepeats - left), attempt(left - 1)))
  return Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    Option.match({
      onNone: () => attempt(maxRepeats),
      onSome: () => inTransaction(Effect.tap(inner, Driver.flush(sql)))
    })
  )
}

const isConflict = (error: unknown): boolean => error instanceof StorageError && error.reason === "conflict"

/**
 * Waits for a random time, so that the transactions that conflicted do not conflict again. It uses the real clock,
 * because those transactions run in real time even in a test with a test clock.
 */
const wait = (conflicts: number): Effect.Effect<void> =>
  Effect.flatMap(Random.next, (share) => realClock.sleep(Duration.millis(share * maxPause * 2 ** conflicts)))

/** Runs an effect in the open transaction, or in a new one. */
export const join = <A, E, R>(
  sql: SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> =>
  Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    Option.match({ onNone: () => run(sql, operation, effect), onSome: () => effect })
  )
