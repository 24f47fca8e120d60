import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { IdempotencyInProgress } from "./IdempotencyError.ts"
import type { StoredAnswer } from "./IdempotencyStore.ts"

/**
 * The request that runs under an idempotency key, for services that cannot undo what they do.
 *
 * `record` marks the key as executed. It is called inside the transaction that commits what cannot be undone, so that
 * both are committed or neither. Before that mark a failure releases the key; after it the answer is stored, whatever it
 * is. The answer that is given here is the one of a repeat when the process dies before it has stored its own; with null
 * such a repeat fails with `IdempotencyAnswerLost`. Fails with `IdempotencyInProgress` when another request has taken
 * the key over: the transaction must then fail as well. Does nothing for a request without a key.
 */
export const CurrentExecution: Context.Reference<{
  readonly record: (answer: StoredAnswer | null) => Effect.Effect<void, IdempotencyInProgress | StorageError>
}> = Context.Reference<{
  readonly record: (answer: StoredAnswer | null) => Effect.Effect<void, IdempotencyInProgress | StorageError>
}>("@frontdesk/core/idempotency/CurrentExecution", {
  defaultValue: () => ({ record: () => Effect.void })
})
