import * as Effect from "effect/Effect"
import { PermissionDenied } from "./AccessError.ts"
import { type Operation, type Permission, permissions } from "./Permission.ts"
import { Principal } from "./Principal.ts"

/** Returns whether the caller's key has the permission of an operation. */
export const isAllowed = (principal: Principal["Service"], operation: Operation): boolean =>
  principal.permissions.has(permissions[operation])

/**
 * Fails with `PermissionDenied` when the caller's key lacks the permission of the operation (C-5-11).
 *
 * A driving adapter calls it before it validates the request, so that a key without the permission learns nothing from
 * validation errors (D-HTTP-1). The services do not check permissions, because a program that embeds them decides for
 * itself (D-KEY-12).
 */
export const authorize = (operation: Operation): Effect.Effect<void, PermissionDenied, Principal> =>
  Effect.flatMap(Principal, (principal) =>
    isAllowed(principal, operation)
      ? Effect.void
      : Effect.fail(new PermissionDenied({ permission: permissions[operation] }))
  )

/**
 * Returns the first of the wanted permissions that is not among the granted ones, or undefined when all are. A caller grants
 * only permissions that it has (D-KEY-14).
 */
export const missingPermission = (
  granted: ReadonlySet<Permission>,
  wanted: ReadonlyArray<Permission>
): Permission | undefined => wanted.find((permission) => !granted.has(permission))
