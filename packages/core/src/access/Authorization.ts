import * as Effect from "effect/Effect"
import { PermissionDenied } from "./AccessError.ts"
import { type Operation, permissions } from "./Permission.ts"
import { Principal } from "./Principal.ts"

/** Whether a caller may do an operation. */
export const isAllowed = (principal: Principal["Service"], operation: Operation): boolean =>
  principal.permissions.has(permissions[operation])

/**
 * Refuses a caller whose key lacks the permission of the operation (C-5-11).
 *
 * A driving adapter calls it before it looks at the request: a key without the permission learns nothing from
 * validation (D-HTTP-1). The services themselves do not: a program that embeds them decides for itself.
 */
export const authorize = (operation: Operation): Effect.Effect<void, PermissionDenied, Principal> =>
  Effect.flatMap(Principal, (principal) =>
    isAllowed(principal, operation)
      ? Effect.void
      : Effect.fail(new PermissionDenied({ permission: permissions[operation] }))
  )
