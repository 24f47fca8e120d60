import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { Account, AccountId } from "./Account.ts"
import type { ApiKey, ApiKeyId, KeyHash } from "./ApiKey.ts"

/** What is known of a key before it has an id. */
export type NewApiKey = Omit<ApiKey, "id" | "lastUsedAt" | "previousExpiresAt" | "revokedAt"> & {
  readonly hash: KeyHash
}

/** A key found by one of its values. */
export interface FoundApiKey {
  readonly apiKey: ApiKey
  readonly account: Account
  /** Whether the value is the present one, or the one from before the last rotation. */
  readonly matched: "current" | "previous"
}

/** Port: where API keys are kept. Values never reach it, only their hashes. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    /**
     * Keeps a new key. Fails with reason `duplicate` when the hash is taken: when it is or, before its last rotation,
     * was that of any key, in whatever state. Else a value that still works could come to stand for another account.
     */
    readonly insert: (key: NewApiKey) => Effect.Effect<ApiKey, StorageError>
    /**
     * The key whose present or previous hash this is, with its account, in one look-up; in whatever state it is.
     * Neither expiry nor revocation is judged here.
     */
    readonly findByHash: (hash: KeyHash) => Effect.Effect<Option.Option<FoundApiKey>, StorageError>
    /** A key of the account by its id. */
    readonly find: (accountId: AccountId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    /** The same, locked until the transaction ends: no other transaction rotates, revokes or locks it before. */
    readonly findForUpdate: (accountId: AccountId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>, StorageError>
    /** All keys of the account, oldest first. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /**
     * Replaces the hash and prefix; the old hash becomes the previous one until the time given. Fails with reason
     * `duplicate` when the new hash is taken, also by this key itself.
     */
    readonly rotate: (
      id: ApiKeyId,
      next: { readonly hash: KeyHash; readonly prefix: string; readonly previousExpiresAt: DateTime.Utc }
    ) => Effect.Effect<void, StorageError>
    /** Marks the key revoked; a key that is revoked already keeps its time. */
    readonly revoke: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Records the last use. */
    readonly touch: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/access/ApiKeyStore") {}
