import type { AccountId } from "./Account.ts"
import type { Principal } from "./Principal.ts"
import type { TeamId } from "./Team.ts"

/**
 * The records that a caller sees: those of its account, and those of the account's teams (C-1-1, C-4.4-3,
 * D-TEAM-1).
 *
 * Every store method that reads records for a caller takes a scope or an account. So code cannot forget to exclude the
 * records of other accounts. Methods without a scope are for workers, signed links and authentication.
 */
export interface Scope {
  readonly accountId: AccountId
  readonly teamIds: ReadonlyArray<TeamId>
}

/** Returns the scope of the records that an account owns, without those that it sees through its teams. */
export const ownRows = (accountId: AccountId): Scope => ({ accountId, teamIds: [] })

/** Returns the scope of a caller. */
export const scope = (principal: Principal["Service"]): Scope => ({
  accountId: principal.account.id,
  teamIds: principal.account.teamIds
})
