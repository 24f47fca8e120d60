import type { Scope } from "@frontdesk/core/access/Principal"
import type { Dialect } from "../dialect/Dialect.ts"

/** The parameters `?1` and `?2` of a statement that looks at one row in a scope. */
export const params = (scope: Scope): readonly [accountId: number, teamIds: string] => [
  scope.accountId,
  JSON.stringify(scope.teamIds)
]

/**
 * Whether a row is in a scope: the account's, or one of its teams' (D-TEAM-1). The scope is `params`, under the names
 * `?1` and `?2` unless the statement has others for them.
 */
export const inScope = (dialect: Dialect, alias: string, account = "?1", teams = "?2"): string =>
  `(${alias}.account_id = ${account} OR ${dialect.isOneOf(`${alias}.team_id`, teams)})`
