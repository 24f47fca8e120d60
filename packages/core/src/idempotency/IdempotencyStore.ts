import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { StepLimit } from "../background/Steps.ts"

/**
 * An idempotency key with the account, method and operation that it belongs to (D-IDEM-2). The path is the operation's
 * first path, also for a request to another path of the same operation.
 */
export interface IdempotencyScope {
  readonly accountId: AccountId
  readonly method: string
  readonly path: string
  readonly key: string
}

/** An answer that can be replayed. */
export interface StoredAnswer {
  /** The HTTP status. */
  readonly status: number
  readonly body: string
}

/** An answer as it is stored. */
export interface SealedAnswer extends StoredAnswer {
  readonly body: StoredText
}

/**
 * The state of a key when a request begins.
 *
 * - `Started`: the request has claimed the key. The token identifies this claim (D-IDEM-10).
 * - `Running`: another request with the key has no answer yet.
 * - `Answered`: another request with the key has this answer.
 * - `Executed`: another request with the key was executed, its process died, and it has no answer.
 * - `Reused`: another request used the key with another body.
 */
export type IdempotencyState =
  | { readonly _tag: "Started"; readonly token: string }
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  | { readonly _tag: "Executed" }
  | { readonly _tag: "Reused" }

/** The times of a claim of a key. */
export interface IdempotencyTimes {
  readonly now: DateTime.Utc
  /** When the key expires. After that it counts as new. */
  readonly expiresAt: DateTime.Utc
  /** A claim from before this time that has no answer belongs to a dead process. Null: no claim does. */
  readonly takeOverBefore: DateTime.Utc | null
}

/** Port: where idempotency keys and their answers are stored. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Claims a key for the body with this digest, in one step, and returns the key's state.
     *
     * An expired key counts as new. A claim from before `takeOverBefore` belongs to a dead process. Without a mark as
     * executed, its key is claimed again for the same body. With a mark, the key is `Answered` with the answer of the mark
     * from then on, or `Executed` when the mark has none.
     */
    readonly begin: (
      scope: IdempotencyScope,
      bodyDigest: string,
      times: IdempotencyTimes
    ) => Effect.Effect<IdempotencyState, StorageError>
    /**
     * Marks a claimed key as executed, so that it is neither released nor claimed again until it expires. The given answer
     * becomes the key's answer when the process dies before it stores another. Returns false, and changes nothing, when
     * another request has claimed the key since. Used inside the transaction that commits the effect of the request.
     */
    readonly markExecuted: (
      scope: IdempotencyScope,
      token: string,
      answer: SealedAnswer | null
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Stores the answer of a claimed key. Its body is a sealed text, because an answer may have a secret. Returns false,
     * and changes nothing, when another request has claimed the key since, or has received the answer of the mark.
     */
    readonly complete: (
      scope: IdempotencyScope,
      token: string,
      answer: SealedAnswer
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Releases a claimed key and returns whether it did. A key that is marked as executed, has an answer, or has been
     * claimed by another request since is not released.
     */
    readonly release: (scope: IdempotencyScope, token: string) => Effect.Effect<boolean, StorageError>
    /**
     * Deletes expired keys, the earliest expired first, up to the limit. Returns how many; 0 when none is left. The limit's
     * bytes count the stored answers.
     */
    readonly sweep: (now: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/idempotency/IdempotencyStore") {}
