import type { Scope } from "@frontdesk/core/access/Scope"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { TeamId } from "@frontdesk/core/access/Team"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import * as Option from "effect/Option"
import type { State } from "./State.ts"
import * as Table from "./Table.ts"

/** Returns the team with its present name. Returns null for null and for a team that does not exist. */
export const team = (state: State, id: TeamId | null): TeamRef | null =>
  id === null ? null : Option.getOrNull(Table.get(state.teams, id))

/** Returns the scope of an account: its own rows and those of its present teams. */
export const scopeOf = (state: State, accountId: AccountId): Scope => ({
  accountId,
  teamIds: Option.match(Table.get(state.accounts, accountId), { onNone: () => [], onSome: ({ teamIds }) => teamIds })
})

/** Returns whether a row is in a scope: it belongs to the account or to one of its teams (D-TEAM-1). */
export const inScope = (
  scope: Scope,
  row: { readonly accountId: AccountId; readonly teamId: TeamId | null }
): boolean => row.accountId === scope.accountId || (row.teamId !== null && scope.teamIds.includes(row.teamId))
