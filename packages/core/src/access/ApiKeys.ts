import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ApiKeyNotFound, ApiKeyRevoked, InvalidKey } from "./AccessError.ts"
import type { AccountId } from "./Account.ts"
import type { ApiKey, ApiKeyId } from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import type { FoundApiKey } from "./ApiKeyStore.ts"
import * as KeyValue from "./KeyValue.ts"
import type { Permission } from "./Permission.ts"
import type { Principal } from "./Principal.ts"

/** A key with its value, which is shown this once. */
export interface IssuedKey {
  readonly apiKey: ApiKey
  readonly value: Redacted.Redacted<string>
}

/** A key that is to be made. */
export interface NewKey {
  readonly accountId: AccountId
  readonly name: string
  readonly permissions: ReadonlyArray<Permission>
  /** The key stops working at this time; absent: never. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** The value, where one is given from outside; absent: one is made. */
  readonly value?: Redacted.Redacted<string> | undefined
  /** Absent: `live`. */
  readonly mode?: KeyValue.KeyMode | undefined
}

/** How long the old value works after a rotation, unless said (Decisions 3). */
export const defaultGrace: Duration.Duration = Duration.hours(24)

const touchEvery = Duration.minutes(1)

/** Makes, recognises, rotates and revokes API keys (Contract 5, Decisions 3). */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Makes a key. A given value that some account already uses is a `StorageError` with reason `duplicate`. */
    readonly create: (key: NewKey) => Effect.Effect<IssuedKey, StorageError>
    /**
     * The caller a presented value stands for. Fails alike for a value that is unknown, revoked or expired, so that
     * nothing is learned from the difference (Decisions 1.1).
     */
    readonly authenticate: (
      value: Redacted.Redacted<string>
    ) => Effect.Effect<Principal["Service"], InvalidKey | StorageError>
    /** All keys of an account, oldest first, without their values. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /** Gives a key a new value; the old one works for the grace time more. */
    readonly rotate: (
      accountId: AccountId,
      id: ApiKeyId,
      grace?: Duration.Duration
    ) => Effect.Effect<IssuedKey, ApiKeyNotFound | ApiKeyRevoked | StorageError>
    /** Makes a key useless at once, with the value from before a rotation. */
    readonly revoke: (accountId: AccountId, id: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | StorageError>
  }
>()("@frontdesk/core/access/ApiKeys") {
  /** The service on an `ApiKeyStore`. */
  static readonly layer: Layer.Layer<ApiKeys, never, ApiKeyStore | Crypto> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const crypto = yield* Crypto

      const require = Effect.fnUntraced(function* (accountId: AccountId, id: ApiKeyId) {
        const found = yield* store.find(accountId, id)
        return Option.isSome(found) ? found.value : yield* new ApiKeyNotFound({ apiKeyId: id })
      })

      const create = Effect.fn("ApiKeys.create")(
        function* (key: NewKey) {
          const value = key.value ?? (yield* KeyValue.generate(key.mode ?? "live"))
          const { hash, prefix } = yield* KeyValue.fingerprint(value)
          const apiKey = yield* store.insert({
            accountId: key.accountId,
            name: key.name,
            permissions: key.permissions,
            hash,
            prefix,
            expiresAt: key.expiresAt ?? null,
            createdAt: yield* DateTime.now
          })
          return { apiKey, value }
        },
        Effect.provideService(Crypto, crypto)
      )

      const authenticate = Effect.fnUntraced(
        function* (value: Redacted.Redacted<string>) {
          const { hash } = yield* KeyValue.fingerprint(value)
          const found = yield* store.findByHash(hash)
          const now = yield* DateTime.now
          if (Option.isNone(found) || !isUsable(found.value, now)) return yield* new InvalidKey({})
          const { account, apiKey } = found.value
          if (
            apiKey.lastUsedAt === null ||
            DateTime.toEpochMillis(now) - DateTime.toEpochMillis(apiKey.lastUsedAt) >= Duration.toMillis(touchEvery)
          ) {
            yield* store.touch(apiKey.id, now)
          }
          return { account, apiKeyId: apiKey.id, permissions: new Set(apiKey.permissions) }
        },
        Effect.provideService(Crypto, crypto)
      )

      const rotate = Effect.fn("ApiKeys.rotate")(
        function* (accountId: AccountId, id: ApiKeyId, grace: Duration.Duration = defaultGrace) {
          const before = yield* require(accountId, id)
          if (before.revokedAt !== null) return yield* new ApiKeyRevoked({ apiKeyId: id })
          const value = yield* KeyValue.generate(before.prefix.startsWith("fd_test_") ? "test" : "live")
          const { hash, prefix } = yield* KeyValue.fingerprint(value)
          const previousExpiresAt = DateTime.addDuration(yield* DateTime.now, grace)
          yield* store.rotate(id, { hash, prefix, previousExpiresAt })
          return { apiKey: { ...before, prefix, previousExpiresAt }, value }
        },
        Effect.provideService(Crypto, crypto)
      )

      const revoke = Effect.fn("ApiKeys.revoke")(function* (accountId: AccountId, id: ApiKeyId) {
        yield* require(accountId, id)
        yield* store.revoke(id, yield* DateTime.now)
        return yield* require(accountId, id)
      })

      return ApiKeys.of({ create, authenticate, list: store.list, rotate, revoke })
    })
  )
}

const isUsable = ({ apiKey, matched }: FoundApiKey, now: DateTime.Utc): boolean => {
  const ends = matched === "current" ? apiKey.expiresAt : earlier(apiKey.expiresAt, apiKey.previousExpiresAt ?? now)
  return apiKey.revokedAt === null && (ends === null || DateTime.isLessThan(now, ends))
}

const earlier = (a: DateTime.Utc | null, b: DateTime.Utc): DateTime.Utc => (a === null ? b : DateTime.min(a, b))
