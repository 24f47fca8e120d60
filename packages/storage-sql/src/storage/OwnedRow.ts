import type { Scope } from "@frontdesk/core/access/Scope"
import type { Dialect } from "../dialect/Dialect.ts"

/** Returns the scope as the parameters `?1` and `?2` of a statement about one row. */
export const params = (scope: Scope): readonly [accountId: number, teamIds: string] => [
  scope.accountId,
  JSON.stringify(scope.teamIds)
]

/**
 * Returns the condition that a row is in a scope: it belongs to the account or to one of its teams (D-TEAM-1).
 * `account` and `teams` are the names of the two {@link params}.
 */
export const inScope = (dialect: Dialect, alias: string, account = "?1", teams = "?2"): string =>
  `(${alias}.account_id = ${account} OR ${dialect.isOneOf(`${alias}.team_id`, teams)})`
