import { TeamId } from "@frontdesk/core/access/Team"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, Database } from "../storage/Database.ts"
import * as Table from "../storage/Table.ts"

/** The `TeamStore` in memory. */
export const layer: Layer.Layer<TeamStore, never, Database> = Layer.effect(
  TeamStore,
  Effect.map(Database, (database) =>
    TeamStore.of({
      insert: (name) =>
        database.modify((state) => {
          const [team, teams] = Table.insert(state.teams, (id): TeamRef => ({ id: TeamId.make(id), name }))
          return changed(team, { ...state, teams })
        }),
      find: (id) => database.read((state) => Table.get(state.teams, id)),
      rename: (id, name) =>
        database.modify((state) =>
          changed(undefined, { ...state, teams: Table.update(state.teams, id, (team) => ({ ...team, name })) })
        )
    })
  )
)
