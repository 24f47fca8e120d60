import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

/**
 * Port: runs several store calls in one transaction.
 *
 * An adapter guarantees:
 *
 * - All calls to stores of the same storage inside the effect belong to the transaction.
 * - The transaction commits when the effect succeeds. When it fails, dies or is interrupted, nothing is stored.
 * - A transaction inside another belongs to the outer one. When the inner one fails, only its own writes are undone.
 * - Two transactions that read the same row "for update", or lock the same calendar, run one after the other.
 * - Code outside the transaction does not see its writes before the commit.
 * - A signal that is raised inside is sent when the outermost transaction has ended, committed or not
 *   (`Signal.afterTransaction`).
 *
 * When the transaction loses against another one (`conflict`), the effect runs again from its start, several times before
 * `run` fails. So the effect may have no effects beside store calls that must not happen twice. Nothing may be sent to the
 * outside from inside it. The caller need not retry a conflict.
 *
 * A store call that fails may make its transaction unusable, as in PostgreSQL. Code that continues after such a failure
 * must run the call in an inner transaction.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    /** Runs an effect as one transaction. */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  }
>()("@frontdesk/core/storage/Transaction") {}
