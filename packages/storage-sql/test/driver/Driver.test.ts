import { describe, expect, it } from "@effect/vitest"
import * as Driver from "@frontdesk/storage-sql/driver/Driver"
import * as RecordingTracer from "@frontdesk/testing/RecordingTracer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import * as Tracer from "effect/Tracer"
import { emptyDatabases } from "../databases.ts"

/** Returns what the driver passed to the reader. */
const found: Driver.Read<{ readonly columns: ReadonlyArray<string>; readonly rows: unknown }, never> = (
  columns,
  rows
) => Effect.succeed({ columns, rows })

const recording = () => {
  const { spans, tracer } = RecordingTracer.make()
  return { spans, traced: Effect.provideService(Tracer.Tracer, tracer) }
}

describe.each(emptyDatabases)("the driver of a client, in %s", (name, database) => {
  const storage = Layer.unwrap(Effect.map(database, ({ client }) => client))
  const parameter = name === "SQLite" ? "?1" : "$1"

  const withItems = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE item (id integer PRIMARY KEY, item_name text UNIQUE)`
    yield* sql`INSERT INTO item VALUES (1, 'one'), (2, NULL)`
    return { sql, driver: Driver.make(sql) }
  })

  it.effect("rows arrive as arrays in the order of the columns, each time the statement runs", () =>
    Effect.gen(function* () {
      const { driver } = yield* withItems
      const text = "SELECT item_name, id FROM item ORDER BY id"
      const first = yield* driver.query(text, [], found)
      expect(first).toEqual({
        columns: ["item_name", "id"],
        rows: [
          ["one", 1],
          [null, 2]
        ]
      })
      expect(yield* driver.query(text, [], found)).toEqual(first)
      const none = { columns: ["id"], rows: [] }
      expect(yield* driver.query("SELECT id FROM item WHERE id = 3", [], found)).toEqual(none)
      expect(yield* driver.query("SELECT id FROM item WHERE id = 3", [], found)).toEqual(none)
      expect(yield* driver.query("UPDATE item SET id = 1 WHERE id = 1", [], found)).toEqual({ columns: [], rows: [] })
    }).pipe(Effect.provide(storage))
  )

  it.effect("a client without a driver returns the same rows", () =>
    Effect.gen(function* () {
      const { driver, sql } = yield* withItems
      const text = `SELECT id, item_name, id = ${parameter} AS is_given FROM item ORDER BY id`
      // `attach` uses a symbol.
      const plain = new Proxy(sql, { has: (client, key) => typeof key === "string" && Reflect.has(client, key) })
      expect(yield* Driver.make(plain).query(text, [1], found)).toEqual(yield* driver.query(text, [1], found))
    }).pipe(Effect.provide(storage))
  )

  it.effect("a statement in a transaction of the client belongs to it, and one outside does not", () =>
    Effect.gen(function* () {
      const { driver, sql } = yield* withItems
      const count = driver.query("SELECT id FROM item", [], (_, rows) => Effect.succeed(rows.length))
      const inserted = yield* Deferred.make<void>()
      const counted = yield* Deferred.make<void>()
      const transaction = yield* Effect.gen(function* () {
        yield* driver.query("INSERT INTO item (id) VALUES (3)", [], found)
        yield* Deferred.succeed(inserted, undefined)
        yield* Deferred.await(counted)
        return yield* Effect.fail(yield* count)
      }).pipe(sql.withTransaction, Effect.flip, Effect.forkChild)
      yield* Deferred.await(inserted)
      expect(yield* count).toBe(2)
      yield* Deferred.succeed(counted, undefined)
      expect(yield* Fiber.join(transaction)).toBe(3)
      expect(yield* count).toBe(2)
    }).pipe(Effect.provide(storage))
  )

  it.effect.each(["INSERT INTO item VALUES (1, 'two')", "INSERT INTO item VALUES (9, 'one')", "SELECT FROM WHERE"])(
    "%s fails with the error of the client, in and outside a transaction",
    (text) =>
      Effect.gen(function* () {
        const { driver, sql } = yield* withItems
        const expected = yield* Effect.flip(sql.unsafe(text))
        const query = Effect.flip(driver.query(text, [], found))
        for (const error of [yield* query, yield* Effect.flip(sql.withTransaction(Effect.flip(query)))]) {
          expect(error).toMatchObject({ _tag: "SqlError", reason: { _tag: expected.reason._tag } })
          expect(error.message).toBe(expected.message)
        }
      }).pipe(Effect.provide(storage))
  )

  it.effect("a failure of the reader is the failure of the query", () =>
    Effect.gen(function* () {
      const { driver } = yield* withItems
      expect(yield* Effect.flip(driver.query("SELECT id FROM item", [], () => Effect.fail("no")))).toBe("no")
    }).pipe(Effect.provide(storage))
  )

  it.effect("a traced statement has the span that the client gives it, with the same parent", () =>
    Effect.gen(function* () {
      const { driver, sql } = yield* withItems
      const text = "SELECT id FROM item"
      const { spans, traced } = recording()
      yield* sql.unsafe(text).pipe(Effect.withSpan("parent"), traced)
      yield* driver.query(text, [], found).pipe(Effect.withSpan("parent"), traced)
      const [, byClient, , byDriver, ...others] = spans
      expect(others).toEqual([])
      expect(byDriver).toMatchObject({ name: byClient?.name, kind: "client", sampled: true })
      expect(shown(byDriver)).toEqual(shown(byClient))
      expect(shown(byDriver)["db.query.text"]).toBe(text)
      expect(byDriver?.parent).toMatchObject({ value: { name: "parent" } })
    }).pipe(Effect.provide(storage))
  )

  it.effect("no span is made while tracing is off", () =>
    Effect.gen(function* () {
      const { driver } = yield* withItems
      const { spans, traced } = recording()
      yield* driver
        .query("SELECT id FROM item", [], found)
        .pipe(traced, Effect.provideService(References.TracerEnabled, false))
      expect(spans).toEqual([])
    }).pipe(Effect.provide(storage))
  )

  it.effect("a transformer of statements sees the statement", () =>
    Effect.gen(function* () {
      const { driver } = yield* withItems
      const seen: Array<string> = []
      const transformer: Statement.Transformer = (statement) => {
        seen.push(statement.compile()[0])
        return Effect.succeed(statement)
      }
      yield* driver
        .query("SELECT id FROM item", [], found)
        .pipe(Effect.provideService(Statement.CurrentTransformer, transformer))
      expect(seen).toEqual(["SELECT id FROM item"])
    }).pipe(Effect.provide(storage))
  )
})

/** Returns the attributes of a span, without the measured time. */
const shown = (span: Tracer.NativeSpan | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...(span?.attributes ?? [])].filter(([name]) => name !== "db.client.connection.wait_time_ms"))
