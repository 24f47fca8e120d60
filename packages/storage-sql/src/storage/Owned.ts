import type { Scope } from "@frontdesk/core/access/Principal"
import type { Dialect } from "../dialect/Dialect.ts"

/** The parameters `?1` and `?2` of a statement that looks at one row in a scope. */
export const params = (scope: Scope): readonly [accountId: number, teamIds: string] => [
  scope.accountId,
  JSON.stringify(scope.teamIds)
]

/** Whether a row is in the scope of the parameters `?1` and `?2`: the account's, or one of its teams' (Decisions 3). */
export const inScope = (dialect: Dialect, alias: string): string =>
  `(${alias}.account_id = ?1 OR ${dialect.isOneOf(`${alias}.team_id`, "?2")})`
