import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { AccountId } from "./Account.ts"
import { NotOwner, TeamAccessDenied, TeamNotFound } from "./AccessError.ts"
import { Principal } from "./Principal.ts"
import type { TeamId, TeamRef } from "./Team.ts"
import { TeamStore } from "./TeamStore.ts"

/**
 * The team a write names, when the caller may put things into it.
 *
 * Fails with `TeamNotFound` when no team has the id, and with `TeamAccessDenied` when the caller is not in the team. Every other
 * record that the caller cannot see is not found (D-TEAM-2).
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

/** A row that an account owns and a team may see. */
interface TeamRow {
  readonly accountId: AccountId
  readonly team: TeamRef | null
}

/**
 * Returns the team that a row gets; null is none. A row may keep the team it has, also when the caller has left that
 * team since. Fails with `NotOwner` when that is another team than
 * before and the caller does not own the row: a team mate could otherwise give it to a team that its owner is not in.
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
 * Returns the team that a full replace of a row names. One that names no team takes the row out of its team for the
 * owner, and leaves it there for a team mate, who could not undo that.
 */
export const replaceTeam = Effect.fnUntraced(function* (row: TeamRow, id: TeamId | null | undefined) {
  const { account } = yield* Principal
  return id || account.id === row.accountId ? yield* changeTeam(row, id ?? null) : row.team
})

/** Returns the team that a partial change of a row names, or the one it has where the change names none. */
export const patchTeam: typeof replaceTeam = (row, id) =>
  id === undefined ? Effect.succeed(row.team) : changeTeam(row, id)
