import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

/**
 * Port: runs several store calls as one.
 *
 * What a caller may rely on:
 * - every store of the same storage called inside takes part;
 * - it commits when the effect succeeds and leaves nothing behind when it fails, dies or is interrupted;
 * - a transaction inside a transaction takes part in the outer one, and its failure undoes only its own writes;
 * - a store call that fails may spoil its transaction; code that goes on after a failure runs the call in a transaction of
 *   its own;
 * - two transactions that read a row "for update" or lock the same calendar run one after the other;
 * - a reader outside never sees what has not been committed;
 * - signals that are raised inside are sent when the outermost transaction has ended, committed or not
 *   (`Signal.afterTransaction`).
 *
 * When another writer has won and nothing was committed, the effect runs again from its beginning, several times, before
 * `run` fails with `conflict`. So everything that it does beside store calls must be repeatable, and no caller needs to
 * repeat it.
 * Nothing is sent to the outside from inside a transaction.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    /** Runs an effect as one transaction. */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  }
>()("@frontdesk/core/storage/Transaction") {}
