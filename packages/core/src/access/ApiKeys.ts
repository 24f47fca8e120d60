import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as Timestamp from "../values/Timestamp.ts"
import {
  type AccountNotFound,
  ApiKeyExpired,
  ApiKeyInGrace,
  ApiKeyNotFound,
  ApiKeyRevoked,
  InvalidKey
} from "./AccessError.ts"
import { AccountId } from "./Account.ts"
import { requireAccount } from "./AccountAccess.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "./AccountLimits.ts"
import { AccountStore } from "./AccountStore.ts"
import { type ApiKey, ApiKeyId } from "./ApiKey.ts"
import { CreateApiKey, RotateApiKey } from "./ApiKeyInput.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import type { FoundApiKey } from "./ApiKeyStore.ts"
import * as ApiKeyValue from "./ApiKeyValue.ts"
import * as LastUse from "./LastUse.ts"
import * as Input from "../values/Input.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { Principal } from "./Principal.ts"

/** A key with its value, which is shown this once. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly value: Redacted.Redacted<string>
}

/** How long the old value works after a rotation, unless given (D-KEY-7). */
export const defaultGrace: Duration.Duration = Duration.hours(24)

const inputs: Input.Inputs<ApiKeys["Service"]> = {
  create: [{ key: CreateApiKey }],
  authenticate: [{ value: Schema.Redacted(Schema.String) }],
  list: [{ accountId: AccountId }],
  rotate: [{ accountId: AccountId }, { id: ApiKeyId }, { options: Schema.UndefinedOr(RotateApiKey) }],
  revoke: [{ accountId: AccountId }, { id: ApiKeyId }]
}

/** Makes, recognises, rotates and revokes API keys (C-5-2, D-KEY-7). */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Makes a key. Fails with `AccountNotFound` when the account does not exist, and with `ValidationError` when the key
     * would have expired already. A given value that some account already uses is a `StorageError` with reason `duplicate`.
     * Fails with `LimitReached` when the account has as many keys as it may, revoked and expired ones included.
     */
    readonly create: (
      key: CreateApiKey
    ) => Effect.Effect<IssuedApiKey, AccountNotFound | LimitReached | ValidationError | StorageError>
    /**
     * The caller a presented value stands for. Fails alike for a value that is unknown, revoked or expired, so that
     * nothing is learned from the difference (D-KEY-1).
     */
    readonly authenticate: (
      value: Redacted.Redacted<string>
    ) => Effect.Effect<Principal["Service"], InvalidKey | ValidationError | StorageError>
    /** All keys of an account, oldest first, without their values. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>, ValidationError | StorageError>
    /**
     * Gives a key a new value; the old one works for the grace time more. Fails with `ApiKeyInGrace` while the value from
     * before an earlier rotation still works, because a key has two values at most; `force` ends that one. Rotations of
     * one key at the same time are done one after the other.
     */
    readonly rotate: (
      accountId: AccountId,
      id: ApiKeyId,
      options?: RotateApiKey
    ) => Effect.Effect<
      IssuedApiKey,
      ApiKeyNotFound | ApiKeyRevoked | ApiKeyExpired | ApiKeyInGrace | ValidationError | StorageError
    >
    /** Makes a key useless at once, with the value from before a rotation. */
    readonly revoke: (
      accountId: AccountId,
      id: ApiKeyId
    ) => Effect.Effect<ApiKey, ApiKeyNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/access/ApiKeys") {
  /** The service on the stores of accounts and keys. */
  static readonly layer: Layer.Layer<ApiKeys, never, AccountStore | ApiKeyStore | Transaction | Crypto> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const limits = yield* AccountLimits
      const accounts = yield* AccountStore
      const store = yield* ApiKeyStore
      const transaction = yield* Transaction
      const crypto = yield* Crypto
      const lastUse = yield* LastUse.make(store)

      const require = Effect.fnUntraced(function* (accountId: AccountId, id: ApiKeyId, find: typeof store.find) {
        const found = yield* find(accountId, id)
        return Option.isSome(found) ? found.value : yield* new ApiKeyNotFound({ apiKeyId: id })
      })

      const create = Effect.fn("ApiKeys.create")(
        function* (key: CreateApiKey) {
          const now = yield* DateTime.now
          const { expiresAt = null } = key
          if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) return yield* alreadyExpired
          yield* requireAccount(accounts, key.accountId)
          yield* requireCapacity(
            limits,
            "apiKeys",
            Effect.map(store.list(key.accountId), ({ length }) => ({ count: length }))
          )
          const value = key.value ?? (yield* ApiKeyValue.generate(key.mode ?? "live"))
          const { hash, prefix } = yield* ApiKeyValue.digest(value)
          const apiKey = yield* store.insert({
            accountId: key.accountId,
            name: key.name,
            permissions: key.permissions,
            hash,
            prefix,
            expiresAt,
            createdAt: now
          })
          return { apiKey, value }
        },
        Effect.provideService(Crypto, crypto)
      )

      const authenticate = Effect.fnUntraced(
        function* (value: Redacted.Redacted<string>) {
          const { hash } = yield* ApiKeyValue.digest(value)
          const found = yield* store.findByHash(hash)
          const now = yield* DateTime.now
          if (Option.isNone(found) || !isUsable(found.value, now)) return yield* new InvalidKey({})
          const { account, apiKey } = found.value
          yield* lastUse.record(apiKey, now)
          return { account, apiKeyId: apiKey.id, permissions: new Set(apiKey.permissions) }
        },
        Effect.provideService(Crypto, crypto)
      )

      const rotate = Effect.fn("ApiKeys.rotate")(
        function* (accountId: AccountId, id: ApiKeyId, { force = false, grace = defaultGrace }: RotateApiKey = {}) {
          // Locked before it is judged: of two rotations at once the second sees what the first has written.
          const before = yield* require(accountId, id, store.findForUpdate)
          const now = yield* DateTime.now
          if (before.revokedAt !== null) return yield* new ApiKeyRevoked({ apiKeyId: id })
          if (before.expiresAt !== null && DateTime.isLessThanOrEqualTo(before.expiresAt, now)) {
            return yield* new ApiKeyExpired({ apiKeyId: id, expiredAt: before.expiresAt })
          }
          const until = before.previousExpiresAt
          if (!force && until !== null && DateTime.isGreaterThan(until, now)) {
            return yield* new ApiKeyInGrace({ apiKeyId: id, until })
          }
          const value = yield* ApiKeyValue.generate(before.prefix.startsWith("fd_test_") ? "test" : "live")
          const { hash, prefix } = yield* ApiKeyValue.digest(value)
          const previousExpiresAt = Timestamp.after(now, grace)
          yield* store.rotate(id, { hash, prefix, previousExpiresAt })
          return { apiKey: { ...before, prefix, previousExpiresAt }, value }
        },
        Effect.provideService(Crypto, crypto),
        transaction.run
      )

      const revoke = Effect.fn("ApiKeys.revoke")(function* (accountId: AccountId, id: ApiKeyId) {
        yield* require(accountId, id, store.findForUpdate)
        yield* store.revoke(id, yield* DateTime.now)
        return yield* require(accountId, id, store.find)
      }, transaction.run)

      return Input.service(ApiKeys, inputs, { create, authenticate, list: store.list, rotate, revoke })
    })
  )
}

const alreadyExpired = new ValidationError({
  problems: [{ field: "expires_at", code: FieldProblems.invalid, message: "Expected a time in the future" }]
})

const isUsable = ({ apiKey, matched }: FoundApiKey, now: DateTime.Utc): boolean => {
  const ends = matched === "current" ? apiKey.expiresAt : earlier(apiKey.expiresAt, apiKey.previousExpiresAt ?? now)
  return apiKey.revokedAt === null && (ends === null || DateTime.isLessThan(now, ends))
}

const earlier = (a: DateTime.Utc | null, b: DateTime.Utc): DateTime.Utc => (a === null ? b : DateTime.min(a, b))
