import * as Context from "effect/Context"
import type { Account } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import * as MemberRole from "./MemberRole.ts"
import type { Acting, Origin } from "../audit/Acting.ts"
import { type Actor, maxIdLength, program } from "../audit/Actor.ts"
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
    readonly permissions: ReadonlySet<Permission.CallerPermission>
    /** The person who uses the dashboard. Absent when a key or a program acts. */
    readonly person?: Person | undefined
    /** Whether the caller may change nothing, whatever its permissions are (D-MEM-2). Absent: it may. */
    readonly isReadOnly?: boolean | undefined
  }
>()("@frontdesk/core/access/Principal") {}

/** Returns the actor that the audit log names for the changes of a caller (D-AUD-2). */
export const actorOf = ({ apiKeyId, person }: Pick<Principal["Service"], "apiKeyId" | "person">): Actor => {
  if (person !== undefined) return { type: "person", id: idOf(person) }
  return apiKeyId === null ? program : { type: "api_key", id: String(apiKeyId) }
}

/** Returns the id of a member, or the id that the embedding program gives to its own user, or else the session. */
const idOf = ({ memberId, sessionId, userId }: Person): string | null => {
  if (memberId !== null) return String(memberId)
  if (userId !== null) return `user:${userId}`.slice(0, maxIdLength)
  return sessionId === null ? null : `session:${sessionId}`
}

/** Returns what the audit log states for the changes of a caller in a request. */
export const actingOf = (principal: Principal["Service"], origin: Origin): Acting => ({
  ...origin,
  actor: actorOf(principal),
  accountId: principal.account.id
})

const allPermissions: ReadonlySet<Permission.Permission> = new Set(Permission.all)

/** Returns the caller for whom a program acts in the name of an account, with every permission and without a key. */
export const ofAccount = (account: Account): Principal["Service"] => ({
  account,
  apiKeyId: null,
  permissions: allPermissions
})

/**
 * Returns the caller for a person in the dashboard of an account. A person with the role `viewer` changes nothing. The operator
 * has `can_operate` besides the permissions of the role.
 */
export const ofPerson = (account: Account, person: Person): Principal["Service"] => ({
  account,
  apiKeyId: null,
  permissions: new Set<Permission.CallerPermission>([
    ...MemberRole.permissionsOf(person.role),
    ...(person.isOperator === true ? ["can_operate" as const] : [])
  ]),
  person,
  isReadOnly: MemberRole.isReadOnly(person.role)
})
