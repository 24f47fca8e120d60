import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"

/** Adds one to the counter of a database `times` times, each in a transaction that reads and writes. */
const program = Effect.fn(function* (times: number) {
  const sql = yield* SqlClient.SqlClient
  const increment = sql.withTransaction(
    Effect.gen(function* () {
      const [row] = yield* sql<{ n: number }>`SELECT n FROM item`
      yield* sql`UPDATE item SET n = ${(row?.n ?? NaN) + 1}`
    })
  )
  yield* Effect.repeat(increment, { times: times - 1 })
})

const [, , filename = "", times = ""] = process.argv
await Effect.runPromise(program(Number(times)).pipe(Effect.provide(SqliteClient.layer({ filename }))))
