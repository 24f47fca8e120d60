import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"

const SecretRow = Schema.Struct({ value: Schema.String })

/** Secrets of the installation in a SQL database. */
export const layer: Layer.Layer<InstallationStore, never, Database> = Layer.effect(
  InstallationStore,
  Effect.map(Database, (database) => {
    const kept = database.one("InstallationStore.secret", SecretRow)

    return InstallationStore.of({
      // The update writes what is there already: it makes a late caller wait and read what the first one kept.
      secret: (name, candidate) =>
        Effect.map(
          kept(
            `INSERT INTO installation_secret (name, value) VALUES (?1, ?2)
              ON CONFLICT (name) DO UPDATE SET value = installation_secret.value RETURNING value`,
            [name, Redacted.value(candidate)]
          ),
          ({ value }) => Redacted.make(value)
        )
    })
  })
)
