import * as Context from "effect/Context"
import type { Account, AccountId } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"
import type { TeamId } from "./Team.ts"

/**
 * The rows a caller may see: its account's own, and those whose team is one of the account's teams (D-TEAM-1).
 *
 * Every store method that looks for rows takes it, or an account, so that reading another tenant's row is not something
 * code can forget to prevent.
 */
export interface Scope {
  readonly accountId: AccountId
  readonly teamIds: ReadonlyArray<TeamId>
}

/**
 * The caller of the present request: its account and what its key may do.
 *
 * @effect-leakable-service
 */
export class Principal extends Context.Service<
  Principal,
  {
    readonly account: Account
    /** The key that was presented; null for a program that embeds the core and calls as an account. */
    readonly apiKeyId: ApiKeyId | null
    readonly permissions: ReadonlySet<Permission>
  }
>()("@frontdesk/core/access/Principal") {}

/** The rows of an account itself, without those of its teams. */
export const ownRows = (accountId: AccountId): Scope => ({ accountId, teamIds: [] })

/** The rows a caller may see. */
export const scope = (principal: Principal["Service"]): Scope => ({
  accountId: principal.account.id,
  teamIds: principal.account.teamIds
})
