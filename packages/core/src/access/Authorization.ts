import * as Effect from "effect/Effect"
import { CallerReadOnly, PermissionDenied } from "./AccessError.ts"
import { effects } from "./OperationEffect.ts"
import { type CallerPermission, type Operation, type Permission, permissions } from "./Permission.ts"
import { Principal } from "./Principal.ts"

/**
 * Returns why the caller may not do an operation: it lacks the permission, or it may only read and the operation changes
 * something (D-MEM-2). Returns undefined when it may.
 */
export const refusal = (
  principal: Principal["Service"],
  operation: Operation
): PermissionDenied | CallerReadOnly | undefined => {
  const permission = permissions[operation]
  if (!principal.permissions.has(permission)) return new PermissionDenied({ permission })
  if (principal.isReadOnly === true && effects[operation] === "change") return new CallerReadOnly({})
  return undefined
}

/** Returns whether the caller may do an operation. */
export const isAllowed = (principal: Principal["Service"], operation: Operation): boolean =>
  refusal(principal, operation) === undefined

/**
 * Fails with `PermissionDenied` when the caller lacks the permission of the operation (C-5-11), and with `CallerReadOnly` when
 * the caller may only read and the operation changes something.
 *
 * A driving adapter calls it before it validates the request, so that a key without the permission learns nothing from
 * validation errors (D-HTTP-1). The services do not check permissions, because a program that embeds them decides for
 * itself (D-KEY-12).
 */
export const authorize = (operation: Operation): Effect.Effect<void, PermissionDenied | CallerReadOnly, Principal> =>
  Effect.flatMap(Principal, (principal) => {
    const refused = refusal(principal, operation)
    return refused === undefined ? Effect.void : Effect.fail(refused)
  })

/**
 * Returns the first of the wanted permissions that is not among the granted ones, or undefined when all are. A caller grants
 * only permissions that it has (D-KEY-14).
 */
export const missingPermission = (
  granted: ReadonlySet<CallerPermission>,
  wanted: ReadonlyArray<Permission>
): Permission | undefined => wanted.find((permission) => !granted.has(permission))
