import { Cell } from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const CellRow = Schema.Struct({ cell: Cell })

const SecretRow = Schema.Struct({ value: Schema.String })

const NamedRow = Schema.Struct({ name: Schema.String, value: Schema.String })

/** The `InstallationStore` in a SQL database. */
export const layer: Layer.Layer<InstallationStore, never, Database> = Layer.effect(
  InstallationStore,
  Effect.map(Database, (database) => {
    const stored = database.one("InstallationStore.secret", SecretRow)
    const listed = database.all("InstallationStore.secrets", NamedRow)
    const replaced = database.first("InstallationStore.replaceSecret", Column.Found)

    const cell = database.one("InstallationStore.cell", CellRow)

    return InstallationStore.of({
      cell: Effect.map(cell("SELECT cell FROM installation"), ({ cell }) => cell),
      // On a conflict the statement writes the value that is already stored. So a later caller waits for the first one
      // and reads its value.
      secret: (name, candidate) =>
        Effect.map(
          stored(
            `INSERT INTO installation_secret (name, value) VALUES (?1, ?2)
              ON CONFLICT (name) DO UPDATE SET value = installation_secret.value RETURNING value`,
            [name, Redacted.value(candidate)]
          ),
          ({ value }) => Redacted.make(value)
        ),
      secrets: Effect.map(listed("SELECT name, value FROM installation_secret ORDER BY name"), (rows) =>
        rows.map(({ name, value }) => ({ name, stored: Redacted.make(value) }))
      ),
      replaceSecret: (name, before, after) =>
        Effect.map(
          replaced("UPDATE installation_secret SET value = ?3 WHERE name = ?1 AND value = ?2 RETURNING name", [
            name,
            Redacted.value(before),
            Redacted.value(after)
          ]),
          Option.isSome
        )
    })
  })
)
