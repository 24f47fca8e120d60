import type { IdempotencyInProgress } from "@frontdesk/core/idempotency/IdempotencyError"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Stores a provisional answer under the idempotency key of the request. Without a key it does nothing.
 *
 * The handler of an endpoint that is not atomic calls it inside the transaction that commits what cannot be undone,
 * with the value that it expects to return. If the process dies before the final answer is stored, a repeat receives
 * the provisional one (D-IDEM-7).
 */
export const Commit = Context.Reference<(value: unknown) => Effect.Effect<void, IdempotencyInProgress | StorageError>>(
  "@frontdesk/http/request/IdempotentCommit",
  { defaultValue: () => () => Effect.void }
)
