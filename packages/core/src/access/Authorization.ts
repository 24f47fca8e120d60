import * as Effect from "effect/Effect"
import { PermissionDenied } from "./AccessError.ts"
import { type Operation, permissions } from "./Permission.ts"
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
