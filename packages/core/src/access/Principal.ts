import * as Context from "effect/Context"
import type { Account } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import * as MemberRole from "./MemberRole.ts"
import * as Permission from "./Permission.ts"
import type { Person } from "./Person.ts"

/**
 * The caller of the present request: its account, its permissions, and who acts. {@link actorOf} says who that is.
 *
 * @effect-leakable-service
 */
export class Principal extends Context.Service<
  Principal,
  {
    readonly account: Account
    /** The key of the request. Null when a person acts, and when a program that embeds the core acts for an account. */
    readonly apiKeyId: ApiKeyId | null
    readonly permissions: ReadonlySet<Permission.Permission>
    /** The person who uses the dashboard. Absent when a key or a program acts. */
    readonly person?: Person | undefined
    /** Whether the caller may change nothing, whatever its permissions are (D-MEM-2). Absent: it may. */
    readonly isReadOnly?: boolean | undefined
  }
>()("@frontdesk/core/access/Principal") {}

const allPermissions: ReadonlySet<Permission.Permission> = new Set(Permission.all)

/** Returns the caller for whom a program acts in the name of an account, with every permission and without a key. */
export const ofAccount = (account: Account): Principal["Service"] => ({
  account,
  apiKeyId: null,
  permissions: allPermissions
})

/**
 * Returns the caller for a person in the dashboard of an account. A person with the role `viewer` changes nothing.
 *
 * @param isReadOnly whether the dashboard changes nothing, whatever the role is. The default is false
 */
export const ofPerson = (account: Account, person: Person, isReadOnly = false): Principal["Service"] => ({
  account,
  apiKeyId: null,
  permissions: new Set(MemberRole.permissionsOf(person.role)),
  person,
  isReadOnly: isReadOnly || MemberRole.isReadOnly(person.role)
})

/** The actor of a request: a program with an API key, a person in the dashboard, or a program that embeds the core. */
export type Actor =
  | { readonly _tag: "ApiKey"; readonly apiKeyId: ApiKeyId }
  | { readonly _tag: "Person"; readonly person: Person }
  | { readonly _tag: "Program" }

/** Returns who acts. */
export const actorOf = ({ apiKeyId, person }: Pick<Principal["Service"], "apiKeyId" | "person">): Actor => {
  if (person !== undefined) return { _tag: "Person", person }
  return apiKeyId === null ? { _tag: "Program" } : { _tag: "ApiKey", apiKeyId }
}
