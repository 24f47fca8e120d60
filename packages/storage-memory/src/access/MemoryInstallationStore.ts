import * as Cell from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { changed, Database } from "../storage/Database.ts"

/** The `InstallationStore` in memory. */
export const layer: Layer.Layer<InstallationStore, never, Database> = Layer.effect(
  InstallationStore,
  Effect.map(Database, (database) =>
    InstallationStore.of({
      cell: Effect.succeed(Cell.single),
      secret: (name, candidate) =>
        database.modify((state) =>
          Option.match(HashMap.get(state.secrets, name), {
            onSome: (secret) => changed(secret, state),
            onNone: () => changed(candidate, { ...state, secrets: HashMap.set(state.secrets, name, candidate) })
          })
        ),
      secrets: database.read((state) => HashMap.toEntries(state.secrets).map(([name, stored]) => ({ name, stored }))),
      replaceSecret: (name, before, after) =>
        database.modify((state) => {
          const isExpected = Option.exists(
            HashMap.get(state.secrets, name),
            (stored) => Redacted.value(stored) === Redacted.value(before)
          )
          return changed(
            isExpected,
            isExpected ? { ...state, secrets: HashMap.set(state.secrets, name, after) } : state
          )
        })
    })
  )
)
