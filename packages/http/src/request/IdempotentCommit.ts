import type { IdempotencyInProgress } from "@frontdesk/core/idempotency/IdempotencyError"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * What the handler of an endpoint that is not atomic calls inside the transaction that commits what cannot be undone, with
 * what it will return unless that fails later. Under an idempotency key this is the answer of a repeat when the process
 * dies before it has stored one.
 */
export const Commit = Context.Reference<(value: unknown) => Effect.Effect<void, IdempotencyInProgress | StorageError>>(
  "@frontdesk/http/request/IdempotentCommit",
  { defaultValue: () => () => Effect.void }
)
