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
 * `run` fails. So apart from store calls, the effect must do nothing that must not happen twice. For example, it must not
 * send anything to the outside. The caller need not retry a conflict.
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

/**
 * How many calls of the open transaction a storage carries out at a time. A storage that waits for a server sends the
 * calls of concurrent fibers together. Use it for reads that do not depend on each other:
 * `Effect.all(reads, { concurrency: yield* CurrentConcurrency })`.
 */
export const CurrentConcurrency = Context.Reference<1 | "unbounded">(
  "@frontdesk/core/storage/Transaction/CurrentConcurrency",
  { defaultValue: () => 1 }
)
