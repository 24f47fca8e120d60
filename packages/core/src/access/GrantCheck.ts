import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import { InvalidKey, InvalidSession, PermissionDenied } from "./AccessError.ts"
import * as ApiKeyStatus from "./ApiKeyStatus.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { missingPermission } from "./Authorization.ts"
import { permissionsOf } from "./MemberRole.ts"
import type { CallerPermission, Permission } from "./Permission.ts"
import { Principal } from "./Principal.ts"
import { SessionStore } from "./SessionStore.ts"

/**
 * Fails unless the caller may grant all permissions: to a key, or with a role to a person.
 *
 * - `PermissionDenied`: the caller lacks one of them (D-KEY-14).
 * - `InvalidKey`, `InvalidSession`: the caller's key was revoked or has expired, or its session has ended. The key or the
 *   session is read again, because the caller may have been found a moment before that.
 */
export type GrantCheck = (
  permissions: ReadonlyArray<Permission>
) => Effect.Effect<void, PermissionDenied | InvalidKey | InvalidSession | StorageError, Principal>

/** Makes the check over the stores of keys and sessions. */
export const make: Effect.Effect<GrantCheck, never, ApiKeyStore | SessionStore> = Effect.gen(function* () {
  const keys = yield* ApiKeyStore
  const sessions = yield* SessionStore

  const requireAll = (granted: ReadonlySet<CallerPermission>, wanted: ReadonlyArray<Permission>) => {
    const permission = missingPermission(granted, wanted)
    return permission === undefined ? Effect.void : Effect.fail(new PermissionDenied({ permission }))
  }

  return Effect.fnUntraced(function* (wanted) {
    const { account, apiKeyId, permissions, person } = yield* Principal
    yield* requireAll(permissions, wanted)
    const now = yield* DateTime.now
    if (apiKeyId !== null) {
      const key = yield* keys.find(account.id, apiKeyId)
      if (Option.isNone(key) || ApiKeyStatus.of(key.value, now) !== "active") return yield* new InvalidKey({})
    }
    const sessionId = person?.sessionId ?? null
    if (sessionId !== null) {
      const session = yield* sessions.find(account.id, sessionId)
      if (Option.isNone(session) || DateTime.isLessThanOrEqualTo(session.value.expiresAt, now)) {
        return yield* new InvalidSession({})
      }
      yield* requireAll(new Set(permissionsOf(session.value.role)), wanted)
    }
  })
})
