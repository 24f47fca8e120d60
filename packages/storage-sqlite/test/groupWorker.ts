import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as Fs from "node:fs"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"

const text = "n".repeat(4_000)

/** Prints the outcome of a transaction in one write, so that a trace shows when it was answered. */
const answer = (id: string, exit: Exit.Exit<unknown, unknown>): void => {
  const error = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error : undefined
  const outcome = Exit.isSuccess(exit) ? "stored" : isSqlError(error) ? error.reason._tag : String(error)
  Fs.writeSync(1, `answered ${id} ${outcome}\n`)
}

/** Runs rounds of ten transactions that end in one turn of the event loop. The fifth of each round is refused. */
const program = Effect.fn(
  function* (rounds: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY, text TEXT)`
    for (let round = 0; round < rounds; round++) {
      const members = Array.from({ length: 10 }, (_, index) => {
        const id = `${round}-${index}`
        return sql`INSERT INTO item VALUES (${id}, ${text})`.pipe(
          Effect.andThen(index === 4 ? Effect.fail("refused") : Effect.void),
          sql.withTransaction,
          Effect.exit,
          Effect.map((exit) => answer(id, exit))
        )
      })
      yield* Effect.all(members, { concurrency: "unbounded" })
    }
  },
  Effect.provideService(References.MaxOpsBeforeYield, 1_000_000)
)

const [, , filename = "", synchronous = "", rounds = ""] = process.argv
await Effect.runPromise(
  program(Number(rounds)).pipe(
    Effect.provide(SqliteClient.layer({ filename, synchronous: synchronous === "NORMAL" ? "NORMAL" : "FULL" }))
  )
)
