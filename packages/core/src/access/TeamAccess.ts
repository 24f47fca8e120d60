import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { AccountId } from "./Account.ts"
import { NotOwner, TeamAccessDenied, TeamNotFound } from "./AccessError.ts"
import { Principal } from "./Principal.ts"
import type { TeamId } from "./Team.ts"
import type { TeamRef } from "./TeamRef.ts"
import { TeamStore } from "./TeamStore.ts"

/**
 * Returns the team that a write names.
 *
 * Fails with `TeamNotFound` when no team has the id, and with `TeamAccessDenied` when the caller is not in the team. For
 * every other kind of record, one that the caller cannot see counts as not found (D-TEAM-2).
 */
export const requireTeam: (
  id: TeamId
) => Effect.Effect<TeamRef, TeamNotFound | TeamAccessDenied | StorageError, Principal | TeamStore> = Effect.fnUntraced(
  function* (id) {
    const teams = yield* TeamStore
    const { account } = yield* Principal
    const team = yield* teams.find(id)
    if (Option.isNone(team)) return yield* new TeamNotFound({ teamId: id })
    if (!account.teamIds.includes(team.value.id)) return yield* new TeamAccessDenied({ teamId: id })
    return team.value
  }
)

/** A record that an account owns and that may have a team. */
interface TeamRow {
  readonly accountId: AccountId
  readonly team: TeamRef | null
}

/**
 * Returns the new team of a row, or null for no team. A row may keep its team, also when the caller has left that team
 * since (D-TEAM-8).
 *
 * Fails with `NotOwner` when the team changes and the caller does not own the row (D-TEAM-7). Otherwise a team mate could
 * move the row to a team that the owner of the row is not in.
 */
const changeTeam: (
  row: TeamRow,
  id: TeamId | null
) => Effect.Effect<TeamRef | null, NotOwner | TeamNotFound | TeamAccessDenied | StorageError, Principal | TeamStore> =
  Effect.fnUntraced(function* (row, id) {
    if (id === (row.team?.id ?? null)) return row.team
    const team = id === null ? null : yield* requireTeam(id)
    const { account } = yield* Principal
    if (account.id !== row.accountId) return yield* new NotOwner({ action: "change_team" })
    return team
  })

/**
 * Returns the team of a row after a PUT (D-TEAM-7). A PUT that names no team removes the row from its team when the owner
 * sends the PUT. When a team mate sends it, the row keeps its team. Otherwise the team mate would lose the row and could
 * not undo that.
 */
export const replaceTeam = Effect.fnUntraced(function* (row: TeamRow, id: TeamId | null | undefined) {
  const { account } = yield* Principal
  return id || account.id === row.accountId ? yield* changeTeam(row, id ?? null) : row.team
})

/** Returns the team of a row after a PATCH: the team that it names, or the present team when it names none. */
export const patchTeam: typeof replaceTeam = (row, id) =>
  id === undefined ? Effect.succeed(row.team) : changeTeam(row, id)
