import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { Database } from "@frontdesk/storage-sql/storage/Database"

const Row = Schema.Struct({ id: Schema.Int, accountName: Schema.String })
const good = { id: 1, account_name: "Acme" }
const decoded = { id: 1, accountName: "Acme" }

describe("a statement", () => {
  it.effect("returns its rows decoded, with their columns in camelCase", () =>
    Effect.gen(function* () {
      const database = yield* Database
      expect(yield* database.all("Store.list", Row)("SELECT")).toEqual([decoded, decoded])
    }).pipe(Effect.provide(answering([good, good]).layer))
  )

  it.effect("fails as corrupt when a row does not decode, and the cause names the column as in the schema", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const error = yield* Effect.flip(database.all("Store.list", Row)("SELECT"))
      expect(error).toMatchObject({ reason: "corrupt", operation: "Store.list" })
      expect(error.cause).toBe("does not decode: 1.accountName")
    }).pipe(Effect.provide(answering([good, { id: 2, account_name: 7 }]).layer))
  )

  it.effect("run with `readable` leaves out a row that does not decode, and returns the others", () =>
    Effect.gen(function* () {
      const database = yield* Database
      expect(yield* database.readable("Store.claim", Row)("SELECT")).toEqual([decoded, decoded])
    }).pipe(Effect.provide(answering([good, { id: 2 }, good]).layer))
  )
})

describe("inTransaction", () => {
  it.effect("runs statements in the open transaction without a savepoint", () => {
    const { layer, ran } = answering([])
    return Effect.gen(function* () {
      const database = yield* Database
      const pair = Effect.andThen(database.run("Store.add")("A"), database.run("Store.add")("B"))
      yield* database.atomically("Transaction.run")(database.inTransaction("Store.add")(pair))
      expect(ran).toEqual(["BEGIN", "A", "B", "COMMIT"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("runs statements in a new transaction if none is open, and rolls it back after a failure", () => {
    const { layer, ran } = answering([])
    return Effect.gen(function* () {
      const database = yield* Database
      const failing = Effect.andThen(database.run("Store.add")("A"), Effect.fail("no"))
      expect(yield* Effect.flip(database.inTransaction("Store.add")(failing))).toBe("no")
      expect(ran).toEqual(["BEGIN", "A", "ROLLBACK"])
    }).pipe(Effect.provide(layer))
  })
})

/** Returns a database that returns the same rows for every statement, and the statements that it ran. */
const answering = (rows: ReadonlyArray<object>) => {
  const ran: Array<string> = []
  const execute = (text: string) =>
    Effect.sync(() => {
      ran.push(text)
      return rows
    })
  const connection: Connection = {
    execute,
    executeRaw: execute,
    executeStream: () => Stream.empty,
    executeValues: () => Effect.succeed([]),
    executeValuesUnprepared: () => Effect.succeed([]),
    executeUnprepared: execute
  }
  const client = SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: Statement.makeCompilerSqlite(),
    driver: "answering",
    spanAttributes: []
  })
  const layer = Database.layer.pipe(
    Layer.provide(Layer.effect(SqlClient.SqlClient, client)),
    Layer.provide(Reactivity.layer)
  )
  return { layer, ran }
}
