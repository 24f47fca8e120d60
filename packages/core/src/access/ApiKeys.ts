import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as ApiKeyAudit from "./ApiKeyAudit.ts"
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
import { AccessChanges } from "./AccessChanges.ts"
import { AccountId } from "./Account.ts"
import { requireAccount } from "./AccountAccess.ts"
import { AccountLimits, type LimitReached, requireCapacity } from "./AccountLimits.ts"
import { AccountStore } from "./AccountStore.ts"
import { type ApiKey, ApiKeyId } from "./ApiKey.ts"
import { CreateApiKey, RotateApiKey } from "./ApiKeyInput.ts"
import * as ApiKeyStatus from "./ApiKeyStatus.ts"
import * as AccessCache from "./AccessCache.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { InstallationStore } from "./InstallationStore.ts"
import type { FoundApiKey } from "./ApiKeyStore.ts"
import * as ApiKeyValue from "./ApiKeyValue.ts"
import * as LastUse from "./LastUse.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { Principal } from "./Principal.ts"

/** A key with its new value. Only this result has the value, because only its digest is stored. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly value: Redacted.Redacted<string>
}

/** How long the old value works after a rotation that states no grace time (D-KEY-7). */
export const defaultGrace: Duration.Duration = Duration.hours(24)

/** The value of a key as a caller presents it. */
export const PresentedKey = Schema.Redacted(Schema.String)

const inputs: Input.Inputs<ApiKeys["Service"]> = {
  create: [{ key: CreateApiKey }],
  authenticate: [{ value: PresentedKey }],
  list: [{ accountId: AccountId }],
  rotate: [{ accountId: AccountId }, { id: ApiKeyId }, { options: Schema.UndefinedOr(RotateApiKey) }],
  revoke: [{ accountId: AccountId }, { id: ApiKeyId }]
}

/**
 * Creates, authenticates, rotates and revokes API keys of any account, for operators (C-5-2, D-KEY-7). `OwnApiKeys` does so
 * for a caller, who grants only permissions of its own.
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Creates a key and returns it with its value.
     *
     * Fails with `AccountNotFound` when the account does not exist, and with `ValidationError` when `expiresAt` is not in
     * the future. Fails with `LimitReached` when the account has the maximum number of keys, including revoked and expired
     * ones (D-KEY-11). Fails with a `StorageError` of reason `duplicate` when any key has the given value, or had it before
     * its last rotation (D-KEY-10).
     */
    readonly create: (
      key: CreateApiKey
    ) => Effect.Effect<IssuedApiKey, AccountNotFound | LimitReached | ValidationError | StorageError>
    /**
     * Returns the caller whose key has this value. Fails with `InvalidKey` for an unknown, a revoked and an expired value
     * alike, so that the error does not reveal whether a value exists (D-KEY-1).
     *
     * A change of a key or account acts at once in the process that makes it, and within a second in others (D-KEY-13).
     */
    readonly authenticate: (
      value: Redacted.Redacted<string>
    ) => Effect.Effect<Principal["Service"], InvalidKey | ValidationError | StorageError>
    /** Returns all keys of an account, oldest first. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>, ValidationError | StorageError>
    /**
     * Gives a key a new value and returns it. The old value works for the grace time (D-KEY-7).
     *
     * Fails with `ApiKeyRevoked` or `ApiKeyExpired` when no value of the key can work any more. Fails with `ApiKeyInGrace`
     * while the value from before an earlier rotation works, because a key has at most two values (D-KEY-8). `force` ends
     * that value instead. Two rotations of one key at the same time run one after the other.
     */
    readonly rotate: (
      accountId: AccountId,
      id: ApiKeyId,
      options?: RotateApiKey
    ) => Effect.Effect<
      IssuedApiKey,
      ApiKeyNotFound | ApiKeyRevoked | ApiKeyExpired | ApiKeyInGrace | ValidationError | StorageError
    >
    /** Revokes a key at once and for good, together with the value from before a rotation. Returns the revoked key. */
    readonly revoke: (
      accountId: AccountId,
      id: ApiKeyId
    ) => Effect.Effect<ApiKey, ApiKeyNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/access/ApiKeys") {
  /** The service over the stores of accounts, keys and the installation. */
  static readonly layer: Layer.Layer<
    ApiKeys,
    never,
    AccountStore | ApiKeyStore | AuditStore | InstallationStore | Transaction | Crypto
  > = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const limits = yield* AccountLimits
      const accounts = yield* AccountStore
      const store = yield* ApiKeyStore
      const { cell } = yield* InstallationStore
      const transaction = yield* Transaction
      const crypto = yield* Crypto
      const lastUse = yield* LastUse.make("an API key", ({ id }: ApiKey, now) => store.touch(id, now))
      const findByDigest = yield* AccessCache.make(store.findByDigest, yield* AccessCache.MaxCachedKeys)
      const { signal } = yield* AccessChanges

      const require = Effect.fnUntraced(function* (accountId: AccountId, id: ApiKeyId, find: typeof store.find) {
        const found = yield* find(accountId, id)
        return Option.isSome(found) ? found.value : yield* new ApiKeyNotFound({ apiKeyId: id })
      })

      const create = Tracing.operation("ApiKeys.create")(
        function* (key: CreateApiKey) {
          const now = yield* DateTime.now
          const { expiresAt = null } = key
          if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) return yield* alreadyExpired
          yield* requireAccount(accounts, key.accountId)
          // It locks the account, so that two requests at once cannot both take the last place.
          yield* accounts.lockFunds(key.accountId)
          yield* requireCapacity(
            limits,
            "apiKeys",
            Effect.map(store.list(key.accountId), ({ length }) => ({ count: length }))
          )
          const value = key.value ?? (yield* ApiKeyValue.generate(key.mode ?? "live", yield* cell))
          const { digest, prefix } = yield* ApiKeyValue.digest(value)
          const apiKey = yield* store.insert({
            accountId: key.accountId,
            name: key.name,
            permissions: [...new Set(key.permissions)],
            digest,
            prefix,
            expiresAt,
            createdAt: now
          })
          yield* audit.created("apiKeys.create", ApiKeyAudit.kind, apiKey)
          return { apiKey, value }
        },
        Effect.provideService(Crypto, crypto),
        transaction.run
      )

      const principalOf = (found: Option.Option<FoundApiKey>): Effect.Effect<Principal["Service"], InvalidKey> =>
        Effect.withFiber((fiber) => {
          const now = DateTime.makeUnsafe(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
          if (Option.isNone(found) || !isUsable(found.value, now)) return Effect.fail(new InvalidKey({}))
          const { account, apiKey } = found.value
          // A copy, because the cache returns the same account to the next caller (D-STO-5).
          const ownAccount = { ...account, teamIds: [...account.teamIds] }
          const principal = { account: ownAccount, apiKeyId: apiKey.id, permissions: new Set(apiKey.permissions) }
          const recorded = lastUse.record(apiKey, now)
          return recorded === null ? Effect.succeed(principal) : Effect.as(recorded, principal)
        })

      const authenticate = (value: Redacted.Redacted<string>) =>
        ApiKeyValue.digestOf(crypto, value).pipe(Effect.flatMapEager(findByDigest), Effect.flatMap(principalOf))

      const rotate = Tracing.operation("ApiKeys.rotate")(
        function* (accountId: AccountId, id: ApiKeyId, { force = false, grace = defaultGrace }: RotateApiKey = {}) {
          // The key is locked before the checks. Otherwise two rotations at the same time would both pass them, and the key
          // would have three values.
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
          const mode = before.prefix.startsWith("fd_test_") ? "test" : "live"
          const value = yield* ApiKeyValue.generate(mode, yield* cell)
          const { digest, prefix } = yield* ApiKeyValue.digest(value)
          const previousExpiresAt = Timestamp.after(now, grace)
          yield* store.rotate(id, { digest, prefix, previousExpiresAt })
          yield* signal.notify
          const after = { ...before, prefix, previousExpiresAt }
          yield* audit.changed("apiKeys.rotate", ApiKeyAudit.kind, before, after)
          return { apiKey: after, value }
        },
        Effect.provideService(Crypto, crypto),
        transaction.run
      )

      const revoke = Tracing.operation("ApiKeys.revoke")(function* (accountId: AccountId, id: ApiKeyId) {
        const before = yield* require(accountId, id, store.findForUpdate)
        yield* store.revoke(id, yield* DateTime.now)
        yield* signal.notify
        const after = yield* require(accountId, id, store.find)
        yield* audit.changed("apiKeys.revoke", ApiKeyAudit.kind, before, after)
        return after
      }, transaction.run)

      return Input.service(ApiKeys, inputs, { create, authenticate, list: store.list, rotate, revoke })
    })
  ).pipe(Layer.provide(AccessChanges.layer))
}

const alreadyExpired = new ValidationError({
  problems: [{ field: "expires_at", code: FieldProblems.invalid, message: "Expected a time in the future" }]
})

const isUsable = ({ apiKey, matched }: FoundApiKey, now: DateTime.Utc): boolean =>
  ApiKeyStatus.of(apiKey, now) === "active" &&
  (matched === "current" || (apiKey.previousExpiresAt !== null && DateTime.isLessThan(now, apiKey.previousExpiresAt)))
