import process from "node:process"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"

/** Prints a line, and inserts a row with a statement that takes a second. */
const insert = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("SELECT 1")
  process.stdout.write("connected\n")
  yield* sql.unsafe("INSERT INTO late SELECT 1 FROM pg_sleep(1)")
})

const client = PostgresStorage.layerClient({ url: Redacted.make(process.argv[2] ?? ""), maxConnections: 1 })

await Effect.runPromise(Effect.provide(insert, client))
