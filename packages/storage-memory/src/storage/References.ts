import type { Scope } from "@frontdesk/core/access/Principal"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { TeamId, TeamRef } from "@frontdesk/core/access/Team"
import * as Option from "effect/Option"
import type { State } from "./State.ts"
import * as Table from "./Table.ts"

/** The team as it is now; null for none. */
export const team = (state: State, id: TeamId | null): TeamRef | null =>
  id === null ? null : Option.getOrNull(Table.get(state.teams, id))

/** What an account sees by itself, without a caller's scope: its own rows and those of its present teams. */
export const scopeOf = (state: State, accountId: AccountId): Scope => ({
  accountId,
  teamIds: Option.match(Table.get(state.accounts, accountId), { onNone: () => [], onSome: ({ teamIds }) => teamIds })
})

/** Whether a row is in the scope: it is the account's, or one of its teams' (D-TEAM-1). */
export const inScope = (
  scope: Scope,
  row: { readonly accountId: AccountId; readonly teamId: TeamId | null }
): boolean => row.accountId === scope.accountId || (row.teamId !== null && scope.teamIds.includes(row.teamId))
