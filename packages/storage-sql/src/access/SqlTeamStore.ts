import { TeamId } from "@frontdesk/core/access/Team"
import { TeamRef } from "@frontdesk/core/access/TeamRef"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"

const Inserted = Schema.Struct({ id: TeamId })

/** The `TeamStore` in a SQL database. */
export const layer: Layer.Layer<TeamStore, never, Database> = Layer.effect(
  TeamStore,
  Effect.map(Database, (database) => {
    const inserted = database.one("TeamStore.insert", Inserted)
    const found = database.lookUp("TeamStore.find", TeamRef)
    const renamed = database.run("TeamStore.rename")

    return TeamStore.of({
      insert: (name) =>
        Effect.map(inserted("INSERT INTO team (name) VALUES (?1) RETURNING id", [name]), ({ id }) => ({ id, name })),
      find: (id) => found("SELECT id, name FROM team WHERE id = ?1", [id]),
      rename: (id, name) => renamed("UPDATE team SET name = ?2 WHERE id = ?1", [id, name])
    })
  })
)
