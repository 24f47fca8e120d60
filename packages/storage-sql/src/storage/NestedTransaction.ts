import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { SqlClient } from "effect/sql/SqlClient"
import { failed } from "./DatabaseFailure.ts"

/** Tells a failure of the effect from one of the transaction around it, also when both are `SqlError`s. */
class Inner<out E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** How often a transaction is run again that another writer has won against. */
const repeats = 4

/** The longest pause before the first of those, in milliseconds; before each further one it doubles. */
const pause = 20

/**
 * Runs an effect in a transaction: a new one, or a savepoint of the one that is open.
 *
 * A new one that another writer has won against (a deadlock, a serialization failure) has left nothing behind and is run
 * again, up to four times. What has failed in any other way is not: a COMMIT whose answer was lost may have happened.
 */
export const run = <A, E, R>(
  sql: SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> => {
  const once = effect.pipe(
    Effect.mapError((error) => new Inner(error)),
    sql.withTransaction,
    Effect.mapError((error) => (error instanceof Inner ? error.error : failed(operation)(error)))
  )
  const attempt = (left: number): Effect.Effect<A, E | StorageError, R> =>
    left === 0 ? once : Effect.catchIf(once, isConflict, () => Effect.andThen(wait(repeats - left), attempt(left - 1)))
  return Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    Option.match({ onNone: () => attempt(repeats), onSome: () => once })
  )
}

const isConflict = (error: unknown): boolean => error instanceof StorageError && error.reason === "conflict"

/** A random pause, so that the two do not meet again; a real one, for the other writer knows nothing of a test clock. */
const wait = (conflicts: number): Effect.Effect<void> =>
  Effect.flatMap(Random.next, (share) => realClock.sleep(Duration.millis(share * pause * 2 ** conflicts)))

const realClock = Clock.Clock.defaultValue()

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
