import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { StepLimit } from "../background/Steps.ts"

/** What an idempotency key counts for: one account, one method, one path (D-IDEM-2). Paths of one operation count as its first. */
export interface IdempotencyScope {
  readonly accountId: AccountId
  readonly method: string
  readonly path: string
  readonly key: string
}

/** An answer that can be given again. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** An answer as it is stored. */
export interface SealedAnswer extends StoredAnswer {
  readonly body: StoredText
}

/**
 * What is known of a key.
 *
 * - `Started`: it was new, and is the caller's now, under a token that no other take of a key has.
 * - `Running`: another request with it has not answered yet.
 * - `Answered`: this is the answer.
 * - `Executed`: its request was executed, its process is gone, and there is no answer.
 * - `Reused`: it belongs to another body.
 */
export type IdempotencyState =
  | { readonly _tag: "Started"; readonly token: string }
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  | { readonly _tag: "Executed" }
  | { readonly _tag: "Reused" }

/** When a key is taken, until when it counts, and since when an unanswered one counts as left behind (null: never). */
export interface IdempotencyTimes {
  readonly now: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  readonly takeOverBefore: DateTime.Utc | null
}

/** Port: where answers wait to be given again. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Takes a key for the body with this fingerprint, in one step. A key past its time counts as new; so does one that
     * has no answer, is not marked as executed and was taken before `takeOverBefore` for the same body: the process that
     * had it is gone. One that is marked as executed and was taken before `takeOverBefore` has the answer of its mark for
     * ever, or none.
     */
    readonly begin: (
      scope: IdempotencyScope,
      fingerprint: string,
      times: IdempotencyTimes
    ) => Effect.Effect<IdempotencyState, StorageError>
    /**
     * Marks the key as executed, until it has its answer or its time is over: it is neither released nor taken over. The
     * answer, with its body as the text to store, counts when the process dies before it has stored another. False when the key is not the caller's any more: another has taken it over, and nothing is changed. Used inside
     * the transaction that commits what was executed.
     */
    readonly markExecuted: (
      scope: IdempotencyScope,
      token: string,
      answer: SealedAnswer | null
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Keeps the answer; its body comes as the text to keep, for it may show a secret. False when the key is not the
     * caller's any more: another has taken it over, or was answered with the answer of the mark, and nothing is changed.
     */
    readonly complete: (
      scope: IdempotencyScope,
      token: string,
      answer: SealedAnswer
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Releases the key when nothing was executed, and returns whether it did. A key that is marked as executed, has its
     * answer, or was taken over by another stays.
     */
    readonly release: (scope: IdempotencyScope, token: string) => Effect.Effect<boolean, StorageError>
    /**
     * Deletes some of the keys that have expired, those that expired first, and returns how many; 0 when none is left.
     * The bytes of the limit are those of the stored answers.
     */
    readonly sweep: (now: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/idempotency/IdempotencyStore") {}
