import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Migrates the database of its argument. Prints 1 if it applied migrations, else 0. */
const [, , url = ""] = process.argv
const done = await Effect.runPromise(
  SqlMigrations.migrate.pipe(Effect.provide(PostgresStorage.layerMigrator({ url: Redacted.make(url) })))
)
console.log(Math.min(done.length, 1))
