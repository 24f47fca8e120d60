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
 * - a store call that fails may spoil the transaction it is in; whoever wants to go on after it puts it into one of its
 *   own;
 * - two transactions that read a row "for update" or lock the same calendar run one after the other;
 * - a reader outside never sees what has not been committed;
 * - what is signalled inside is heard when the outermost transaction has ended, kept or not (`Signal.afterTransaction`).
 *
 * When another writer has won and nothing of it was kept, the effect is run again, from its beginning and several times,
 * before that is answered as a `conflict`; so whatever it does beside store calls must bear repeating, and no caller
 * needs to repeat it.
 * Nothing is sent to the outside from inside a transaction.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    /** Runs an effect as one transaction. */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  }
>()("@frontdesk/core/storage/Transaction") {}
