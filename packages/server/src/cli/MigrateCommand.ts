import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Storage from "../Storage.ts"
import { fromSql, fromStorage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** The command `frontdesk migrate`. */
export const migrate = Command.make(
  "migrate",
  { database: Parameters.databaseFlags, json: Parameters.json },
  Effect.fnUntraced(function* ({ database, json }) {
    const url = yield* OperatorServices.database(database, { mayCreate: true })
    const applied = yield* Storage.migrate(url).pipe(
      Effect.catchTags({ SqlError: fromSql(url), StorageError: fromStorage(url) })
    )
    if (json) return yield* Output.json({ applied: applied.map(([id, name]) => ({ id, name })) })
    if (applied.length === 0) return yield* Output.line("The database already has the current schema")
    for (const [id, name] of applied) yield* Output.line(`Applied ${id} ${name}`)
  })
).pipe(
  Command.withShortDescription("Migrate the database to the current schema"),
  Command.withDescription(
    "Migrates the database to the current schema, and creates the database if it does not exist. Several nodes may do so at " +
      "once. The server and frontdesk provision also migrate; the other commands reject a database with another schema."
  )
)
