import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/** Adds the list in which each process of the installation reports itself (D-OP-6). */
export const serverNodes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`CREATE TABLE server_node (
      name ${types.text} NOT NULL PRIMARY KEY,
      version ${types.text} NOT NULL,
      runtime ${types.text} NOT NULL,
      workers ${types.integer} NOT NULL,
      restarting ${types.integer} NOT NULL,
      started_at ${types.time} NOT NULL,
      reported_at ${types.time} NOT NULL
    )${types.table}`)
  yield* sql.unsafe("CREATE INDEX server_node_reported ON server_node (reported_at, name)")
})
