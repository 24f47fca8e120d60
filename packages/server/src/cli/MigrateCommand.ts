import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Storage from "../Storage.ts"
import { fromSql, fromStorage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** `frontdesk migrate`. */
export const migrate = Command.make(
  "migrate",
  { database: Parameters.databaseFlags, json: Parameters.json },
  Effect.fnUntraced(function* ({ database, json }) {
    const url = yield* OperatorServices.database(database, { mayCreate: true })
    const applied = yield* SqlMigrations.migrate.pipe(
      Effect.provide(Storage.layerClient(url)),
      Effect.catchTags({ SqlError: fromSql(url), StorageError: fromStorage(url) })
    )
    if (json) return yield* Output.json({ applied: applied.map(([id, name]) => ({ id, name })) })
    if (applied.length === 0) return yield* Output.line("The database has the present schema already")
    for (const [id, name] of applied) yield* Output.line(`Applied ${id} ${name}`)
  })
).pipe(
  Command.withShortDescription("Bring the database to the present schema"),
  Command.withDescription(
    "Brings the database to the present schema, and makes it when there is none. Several nodes may do so at once. " +
      "The server and provision do the same by themselves; other commands refuse a database without it."
  )
)
