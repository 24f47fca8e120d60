import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { instantOf } from "../values/DateTimeText.ts"
import {
  type ApiKeyExpired,
  type ApiKeyInGrace,
  ApiKeyNotFound,
  type ApiKeyRevoked,
  type InvalidKey,
  type InvalidSession,
  type PermissionDenied
} from "./AccessError.ts"
import type { LimitReached } from "./AccountLimits.ts"
import { AccountStore } from "./AccountStore.ts"
import { type ApiKey, ApiKeyId } from "./ApiKey.ts"
import { CreateOwnApiKey, RotateApiKey } from "./ApiKeyInput.ts"
import { ApiKeys, type IssuedApiKey } from "./ApiKeys.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import * as GrantCheck from "./GrantCheck.ts"
import type { Permission } from "./Permission.ts"
import { Principal } from "./Principal.ts"
import type { SessionStore } from "./SessionStore.ts"

const inputs: Input.Inputs<OwnApiKeys["Service"]> = {
  create: [{ key: CreateOwnApiKey }],
  get: [{ id: ApiKeyId }],
  rotate: [{ id: ApiKeyId }, { options: Schema.UndefinedOr(RotateApiKey) }],
  revoke: [{ id: ApiKeyId }]
}

/**
 * The API keys of the caller's account.
 *
 * A caller grants only permissions that it has itself (D-KEY-14). The key or the session with which it acts is read again
 * before it creates or rotates a key, so that a key which was revoked a moment ago gets no successor.
 */
export class OwnApiKeys extends Context.Service<
  OwnApiKeys,
  {
    /**
     * Creates a key and returns it with its value.
     *
     * Fails with `PermissionDenied` when the caller lacks one of the permissions, and with `ValidationError` when
     * `expiresAt` is not a time in the future. `InvalidKey` means that the caller's own key has just been revoked or has
     * expired. Also fails as `ApiKeys.create` does.
     */
    readonly create: (
      key: CreateOwnApiKey
    ) => Effect.Effect<
      IssuedApiKey,
      PermissionDenied | InvalidKey | InvalidSession | LimitReached | ValidationError | StorageError,
      Principal
    >
    /** Returns all keys of the account, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>, StorageError, Principal>
    /** Returns a key of the account. */
    readonly get: (id: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | ValidationError | StorageError, Principal>
    /**
     * Gives a key a new value and returns it. The old value works for the grace time (D-KEY-7).
     *
     * Fails with `PermissionDenied` when the key has a permission that the caller lacks, because its value would give the
     * caller that permission. Also fails as `create` and `ApiKeys.rotate` do.
     */
    readonly rotate: (
      id: ApiKeyId,
      options?: RotateApiKey
    ) => Effect.Effect<
      IssuedApiKey,
      | PermissionDenied
      | InvalidKey
      | InvalidSession
      | ApiKeyNotFound
      | ApiKeyRevoked
      | ApiKeyExpired
      | ApiKeyInGrace
      | ValidationError
      | StorageError,
      Principal
    >
    /**
     * Revokes a key at once and for good, together with the value from before a rotation. Returns the revoked key. A
     * caller may revoke any key of its account, also its own and one with more permissions.
     */
    readonly revoke: (id: ApiKeyId) => Effect.Effect<ApiKey, ApiKeyNotFound | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/access/OwnApiKeys") {
  /** The service over `ApiKeys` and the store of keys. */
  static readonly layer: Layer.Layer<
    OwnApiKeys,
    never,
    AccountStore | ApiKeys | ApiKeyStore | SessionStore | Transaction
  > = Layer.effect(
    OwnApiKeys,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const apiKeys = yield* ApiKeys
      const store = yield* ApiKeyStore
      const transaction = yield* Transaction
      const requireGrantable = yield* GrantCheck.make

      const get = Tracing.operation("OwnApiKeys.get")(function* (id: ApiKeyId) {
        const { account } = yield* Principal
        const found = yield* store.find(account.id, id)
        return Option.isSome(found) ? found.value : yield* new ApiKeyNotFound({ apiKeyId: id })
      })

      /**
       * Locks the account, and then checks that the caller may grant the permissions. A member is removed under the same lock,
       * so no session of a removed member passes the check.
       */
      const lockAndCheck = Effect.fnUntraced(function* (permissions: ReadonlyArray<Permission>) {
        const { account } = yield* Principal
        yield* accounts.lockFunds(account.id)
        yield* requireGrantable(permissions)
      })

      const create = Tracing.operation("OwnApiKeys.create")(
        function* ({ expiresAt, mode, value, ...named }: CreateOwnApiKey) {
          const { account } = yield* Principal
          yield* lockAndCheck(named.permissions)
          return yield* apiKeys.create({
            ...named,
            accountId: account.id,
            expiresAt: yield* Effect.fromResult(readTime(expiresAt, account.settings.timeZone)),
            mode: mode ?? undefined,
            value
          })
        },
        transaction.run,
        Effect.catchTag("AccountNotFound", (error) => Effect.die(error))
      )

      const rotate = Tracing.operation("OwnApiKeys.rotate")(function* (id: ApiKeyId, options?: RotateApiKey) {
        // The permissions of a key never change, so the key needs no lock.
        const { accountId, permissions } = yield* get(id)
        yield* lockAndCheck(permissions)
        return yield* apiKeys.rotate(accountId, id, options)
      }, transaction.run)

      const revoke = Tracing.operation("OwnApiKeys.revoke")(function* (id: ApiKeyId) {
        const { account } = yield* Principal
        return yield* apiKeys.revoke(account.id, id)
      })

      const list = Effect.flatMap(Principal, ({ account }) => store.list(account.id))

      return Input.service(OwnApiKeys, inputs, { create, list, get, rotate, revoke })
    })
  )
}

const readTime = (
  text: string | null | undefined,
  zone: TimeZone
): Result.Result<DateTime.Utc | undefined, ValidationError> =>
  text === null || text === undefined ? Result.succeed(undefined) : instantOf("expires_at", text, zone)
