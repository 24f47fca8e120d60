import process from "node:process"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"

/** Inserts a row into `late` with a statement that waits until `gate` has a row. */
const insert = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`DO $$ BEGIN
    WHILE NOT EXISTS (SELECT FROM gate) LOOP PERFORM pg_sleep(0.01); END LOOP;
    INSERT INTO late VALUES (1);
  END $$`)
})

const client = PostgresStorage.layerClient({ url: Redacted.make(process.argv[2] ?? ""), maxConnections: 1 })

await Effect.runPromise(Effect.provide(insert, client))
