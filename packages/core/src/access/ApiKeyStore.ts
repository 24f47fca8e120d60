import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { Account, AccountId } from "./Account.ts"
import type { ApiKey, ApiKeyId, KeyDigest } from "./ApiKey.ts"

/** An API key before it has an id, with the digest of its value. */
export type NewApiKey = Omit<ApiKey, "id" | "lastUsedAt" | "previousExpiresAt" | "revokedAt"> & {
  readonly digest: KeyDigest
}

/** A key that was found by the digest of one of its values. */
export interface FoundApiKey {
  readonly apiKey: ApiKey
  readonly account: Account
  /** Whether the digest is of the present value, or of the value from before the last rotation. */
  readonly matched: "current" | "previous"
}

/** Port: where API keys are stored. It receives digests of values, and never a value (D-KEY-5). */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /**
     * Stores a new key and returns it. Fails with reason `duplicate` when any key, also a revoked or expired one, has this
     * digest or had it before its last rotation (D-KEY-10). Otherwise a value that still works could come to name another
     * account.
     */
    readonly insert: (key: NewApiKey) => Effect.Effect<ApiKey, StorageError>
    /**
     * Returns the key that has this digest, or had it before its last rotation, with its account. It reads both in one
     * query, and also returns expired and revoked keys.
     */
    readonly findByDigest: (digest: KeyDigest) => Effect.Effect<Option.Option<FoundApiKey>, StorageError>
    /** Returns a key of the account by its id. */
    readonly find: (accountId: AccountId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    /** Returns a key as `find` does, and locks it until the transaction ends, so that no other transaction changes it. */
    readonly findForUpdate: (accountId: AccountId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    /** Returns all keys of the account, oldest first. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /**
     * Replaces the digest and the prefix of a key. The old digest stays valid until `previousExpiresAt`. Fails with reason
     * `duplicate` as `insert` does, also when the key itself has the new digest.
     */
    readonly rotate: (
      id: ApiKeyId,
      next: { readonly digest: KeyDigest; readonly prefix: string; readonly previousExpiresAt: DateTime.Utc }
    ) => Effect.Effect<void, StorageError>
    /** Revokes a key. A key that is revoked already keeps the time of its revocation. */
    readonly revoke: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Stores when the key was last used. */
    readonly touch: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/access/ApiKeyStore") {}
