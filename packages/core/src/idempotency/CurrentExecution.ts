import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { IdempotencyInProgress } from "./IdempotencyError.ts"
import type { StoredAnswer } from "./IdempotencyStore.ts"

/**
 * The request that is executed under an idempotency key, for services whose effects cannot be undone (D-IDEM-6).
 *
 * `record` marks the key as executed. Call it inside the transaction that commits such an effect, so that both are
 * committed or neither. An error before the mark releases the key. After the mark, the answer is stored even when it is an
 * error (`ExecutionOptions.failureAnswer`).
 *
 * The answer given to `record` is the replay when the process dies before it stores its own answer (D-IDEM-7). With
 * null, a repeat then fails with `IdempotencyAnswerLost`. `record` fails with `IdempotencyInProgress` when another
 * request has claimed the key since (D-IDEM-10); the transaction must then fail too. For a request without a key it
 * does nothing.
 */
export const CurrentExecution: Context.Reference<{
  readonly record: (answer: StoredAnswer | null) => Effect.Effect<void, IdempotencyInProgress | StorageError>
}> = Context.Reference<{
  readonly record: (answer: StoredAnswer | null) => Effect.Effect<void, IdempotencyInProgress | StorageError>
}>("@frontdesk/core/idempotency/CurrentExecution", {
  defaultValue: () => ({ record: () => Effect.void })
})
