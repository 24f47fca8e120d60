import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Operator from "./Operator.ts"
import { databaseFlags } from "./Parameters.ts"

/** `frontdesk migrate`. */
export const migrate = Command.make("migrate", { database: databaseFlags }, ({ database }) =>
  Operator.run(Console.log("The database has the present schema"), database, { mayCreate: true })
).pipe(
  Command.withShortDescription("Bring the database to the present schema"),
  Command.withDescription(
    "Brings the database to the present schema, and makes it when there is none. Several nodes may do so at once."
  )
)
