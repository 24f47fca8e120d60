import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { TeamId } from "./Team.ts"
import type { TeamRef } from "./TeamRef.ts"

/** Port: where teams are stored. Which accounts are in a team is stored with the accounts (`Account.teamIds`). */
export class TeamStore extends Context.Service<
  TeamStore,
  {
    /** Stores a new team and returns it with its id. */
    readonly insert: (name: string) => Effect.Effect<TeamRef, StorageError>
    /** Returns a team by its id, whichever accounts are in it. */
    readonly find: (id: TeamId) => Effect.Effect<Option.Option<TeamRef>, StorageError>
    /** Renames a team. */
    readonly rename: (id: TeamId, name: string) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/access/TeamStore") {}
