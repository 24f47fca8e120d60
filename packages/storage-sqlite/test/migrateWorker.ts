import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"

/** Migrates the database of its argument. Prints 1 if it applied migrations, else 0. */
const [, , filename = ""] = process.argv
const done = await Effect.runPromise(
  SqlMigrations.migrate.pipe(Effect.provide(SqliteClient.layer({ filename, busyTimeout: "20 seconds" })))
)
console.log(Math.min(done.length, 1))
