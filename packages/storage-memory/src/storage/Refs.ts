import type { Scope } from "@frontdesk/core/access/Principal"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { TeamId, TeamRef } from "@frontdesk/core/access/Team"
import { type AgentId, type AgentRef, ref } from "@frontdesk/core/agent/Agent"
import * as Option from "effect/Option"
import type { State } from "./State.ts"
import * as Table from "./Table.ts"

/** The team as it is now; null for none. */
export const team = (state: State, id: TeamId | null): TeamRef | null =>
  id === null ? null : Option.getOrNull(Table.get(state.teams, id))

/** The agent as it is now; null for none. */
export const agent = (state: State, id: AgentId | null): AgentRef | null =>
  id === null ? null : Option.getOrNull(Option.map(Table.get(state.agents, id), ref))

/** Whether a row is in the scope: it is the account's, or one of its teams' (Decisions 3). */
export const inScope = (
  scope: Scope,
  row: { readonly accountId: AccountId; readonly teamId: TeamId | null }
): boolean => row.accountId === scope.accountId || (row.teamId !== null && scope.teamIds.includes(row.teamId))
