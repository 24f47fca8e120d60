import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import { TeamAccessDenied, TeamNotFound } from "./AccessError.ts"
import { Principal } from "./Principal.ts"
import type { TeamId, TeamRef } from "./Team.ts"
import { TeamStore } from "./TeamStore.ts"

/**
 * The team a write names, when the caller may put things into it.
 *
 * The one exception to hiding what is not the caller's: a team that exists but is not the caller's is refused as such,
 * one that does not exist is not found (Decisions 2).
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
