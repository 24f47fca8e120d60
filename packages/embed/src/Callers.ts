import { Accounts } from "@frontdesk/core/account/Accounts"
import { PermissionDenied } from "@frontdesk/core/access/AccessError"
import * as AccessCache from "@frontdesk/core/access/AccessCache"
import { AccountId } from "@frontdesk/core/access/Account"
import * as Permission from "@frontdesk/core/access/Permission"
import { ofAccount } from "@frontdesk/core/access/Principal"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import { ValidationError } from "@frontdesk/core/values/ValidationError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Failure from "./failure/Failure.ts"
import { AccountRefNotFound } from "./failure/AccountRefNotFound.ts"
import type { CallerOptions } from "./types/options.ts"

/** The maximum number of accounts that are cached. */
const maxCached = 1_000

const isAccountId = Schema.is(AccountId)

const noAccount = () =>
  new ValidationError({
    problems: [
      {
        field: "account",
        code: FieldProblems.wrongType,
        message: "Expected the id of an account (a number), or the ref with which it was provisioned (a text)"
      }
    ]
  })

/**
 * Returns a function that finds the caller for an account by its id, a number, or by the ref with which it was provisioned, a
 * text. Digits in a text are a ref too: a program may name accounts by numbers of its own, and those of another account's id
 * must not find that account (D-EMB-4). An account is read again after a second, and at once when this process changed it (D-KEY-13).
 */
export const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const refs = yield* ProvisioningStore
  const principalOf = (id: AccountId) => Effect.map(accounts.get(id), ofAccount)

  const idOf = Effect.fnUntraced(function* (given: unknown) {
    if (isAccountId(given)) return given
    if (typeof given !== "string") return yield* noAccount()
    if (given.includes("\0")) return yield* new AccountRefNotFound({ ref: given })
    const known = yield* refs.find({ kind: "account", accountRef: "", ref: given })
    return Option.isSome(known) && isAccountId(known.value)
      ? known.value
      : yield* new AccountRefNotFound({ ref: given })
  })

  const find = yield* AccessCache.make(
    (given: unknown) => Effect.map(Effect.flatMap(idOf(given), principalOf), Option.some),
    maxCached
  )
  return (given: unknown) => Effect.map(find(given), Option.getOrThrow)
})

/** The operations whose permissions the methods need that the API does not have. */
const furtherOperations: { readonly [method: string]: Permission.Operation } = {
  "audit.read": "audit.list",
  "calls.dryRun": "calls.start",
  "sessions.own": "caller.sessions"
}

/** The names of services whose operations have another name. */
const operationNames: { readonly [service: string]: string } = { businessContext: "business", calendar: "events" }

const isOperation = (name: string): name is Permission.Operation => Object.hasOwn(Permission.permissions, name)

/** Returns the permissions that a method needs: that of its operation, or all if it is the operation of none. */
const needed = (method: string): ReadonlyArray<Permission.CallerPermission> => {
  const further = furtherOperations[method]
  const [service = "", name] = method.split(".")
  const operation = further ?? `${operationNames[service] ?? service}.${name}`
  return isOperation(operation) ? [Permission.permissions[operation]] : Permission.all
}

/** All permissions, which need no check. */
const allPermissions: ReadonlySet<Permission.Permission> = new Set(Permission.all)

/** Fails with `PermissionDenied` when the given permissions lack one that a method needs. */
export const authorize = (
  method: string,
  granted: ReadonlySet<Permission.CallerPermission>
): Effect.Effect<void, PermissionDenied> => {
  const permission = needed(method).find((one) => !granted.has(one))
  return permission === undefined ? Effect.void : Effect.fail(new PermissionDenied({ permission }))
}

const isPermission = (name: unknown): name is Permission.Permission => Permission.all.some((one) => one === name)

/** Returns the permissions with these names: all of them for none or `"*"`. Throws for an unknown one. */
export const granted = (names: CallerOptions["permissions"]): ReadonlySet<Permission.Permission> => {
  if (names === undefined) return allPermissions
  const given: ReadonlyArray<unknown> = Array.isArray(names) ? names : [names]
  if (Array.isArray(names) && given.includes("*")) return allPermissions
  const unknown = given.filter((name) => !isPermission(name)).map(String)
  if (unknown.length > 0) {
    const message = `Unknown: ${unknown.join(", ").slice(0, 200)}. The permissions are ${Permission.all.join(", ")} and *`
    throw Failure.ofField("permissions", message)
  }
  return new Set(given.filter(isPermission))
}
