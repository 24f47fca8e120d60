import * as Context from "effect/Context"
import type { Account, AccountId } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"
import type { TeamId } from "./Team.ts"

/**
 * The records that a caller sees: those of its account, and those of the account's teams (D-TEAM-1).
 *
 * Every store method that reads records takes a scope or an account. So code cannot forget to exclude the records of other
 * accounts.
 */
export interface Scope {
  readonly accountId: AccountId
  readonly teamIds: ReadonlyArray<TeamId>
}

/**
 * The caller of the present request: its account and the permissions of its key.
 *
 * @effect-leakable-service
 */
export class Principal extends Context.Service<
  Principal,
  {
    readonly account: Account
    /** The key of the request. Null when a program that embeds the core acts for an account. */
    readonly apiKeyId: ApiKeyId | null
    readonly permissions: ReadonlySet<Permission>
  }
>()("@frontdesk/core/access/Principal") {}

/** Returns the scope of the records that an account owns, without those that it sees through its teams. */
export const ownRows = (accountId: AccountId): Scope => ({ accountId, teamIds: [] })

/** Returns the scope of a caller. */
export const scope = (principal: Principal["Service"]): Scope => ({
  accountId: principal.account.id,
  teamIds: principal.account.teamIds
})
