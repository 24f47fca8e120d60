import { describe, expect, it } from "@effect/vitest"
import * as Property from "@frontdesk/testing/Property"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Returns the layer of the client under test for the path of a database. */
export type ClientLayer = (filename: string) => Layer.Layer<SqlClient.SqlClient, SqlError>

/**
 * Checks what Frontdesk needs of a SQLite client. Another client that passes can replace this one.
 *
 * `incrementWorker` is the URL of a program that opens the database whose path is its first argument. It adds one to
 * the counter as often as its second argument says, each time by a read and a write in one transaction.
 */
export const suite = (name: string, layer: ClientLayer, incrementWorker: URL) => {
  const connect = connectWith(layer)

  describe.each(["in a file", "in memory"])(`${name}, a database %s`, (location) => {
    const database = Effect.gen(function* () {
      const sql = yield* connect(location === "in memory" ? ":memory:" : Path.join(yield* folder, "test.db"))
      yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY, name TEXT UNIQUE, n INTEGER NOT NULL DEFAULT 0)`
      return sql
    })

    it.effect("a transaction that fails leaves nothing behind", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const exit = yield* Effect.exit(
          sql.withTransaction(Effect.andThen(sql`INSERT INTO item ${sql.insert({ id: "a" })}`, Effect.fail("no")))
        )
        expect(exit).toEqual(Exit.fail("no"))
        expect(yield* ids(sql)).toEqual([])
      })
    )

    it.effect("a nested transaction that fails undoes its own writes only", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO item ${sql.insert({ id: "outer" })}`
            yield* Effect.ignore(
              sql.withTransaction(
                Effect.andThen(sql`INSERT INTO item ${sql.insert({ id: "lost" })}`, Effect.fail("no"))
              )
            )
            yield* sql.withTransaction(sql`INSERT INTO item ${sql.insert({ id: "inner" })}`)
          })
        )
        expect(yield* ids(sql)).toEqual(["inner", "outer"])
      })
    )

    it.effect("a transaction whose COMMIT fails leaves nothing behind, and the next one works", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`CREATE TABLE part (item TEXT REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)`
        const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO part ${sql.insert({ item: "none" })}`))
        expect(error.reason._tag).toBe("ConstraintError")
        yield* sql.withTransaction(sql`INSERT INTO item ${sql.insert({ id: "a" })}`)
        expect(yield* sql`SELECT * FROM part`).toEqual([])
        expect(yield* ids(sql)).toEqual(["a"])
      })
    )

    it.effect("a second row with a unique value is a UniqueViolation that names the columns", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`INSERT INTO item ${sql.insert({ id: "a", name: "Ann" })}`
        const byName = yield* Effect.flip(sql`INSERT INTO item ${sql.insert({ id: "b", name: "Ann" })}`)
        expect(byName.reason).toMatchObject({ _tag: "UniqueViolation", constraint: "item.name" })
        const byKey = yield* Effect.flip(sql`INSERT INTO item ${sql.insert({ id: "a", name: "Bob" })}`)
        expect(byKey.reason).toMatchObject({ _tag: "UniqueViolation", constraint: "item.id" })
      })
    )

    it.effect("a reference to a row that does not exist is a ConstraintError", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`CREATE TABLE part (item TEXT REFERENCES item (id))`
        const error = yield* Effect.flip(sql`INSERT INTO part ${sql.insert({ item: "none" })}`)
        expect(error.reason._tag).toBe("ConstraintError")
      })
    )

    it.effect("fibers that read, yield and write in transactions lose no update", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`INSERT INTO item ${sql.insert({ id: "a" })}`
        const increment = sql.withTransaction(
          Effect.gen(function* () {
            const n = yield* counter(sql)
            yield* Effect.yieldNow
            yield* sql`UPDATE item SET n = ${n + 1}`
          })
        )
        yield* Effect.all(
          Array.from({ length: 50 }, () => increment),
          { concurrency: "unbounded" }
        )
        expect(yield* counter(sql)).toBe(50)
      })
    )

    it.effect("a read does not see uncommitted writes of another fiber", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`INSERT INTO item ${sql.insert({ id: "a" })}`
        const written = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE item SET n = 1`
              yield* Deferred.succeed(written, undefined)
              yield* yieldOften
              yield* sql`UPDATE item SET n = 2`
            })
          )
        )
        yield* Deferred.await(written)
        expect(yield* counter(sql)).not.toBe(1)
        yield* Fiber.join(writer)
        expect(yield* counter(sql)).toBe(2)
      })
    )

    it.effect(
      "an interrupted transaction leaves nothing behind, whether it runs or waits, and the next one works",
      () =>
        Effect.gen(function* () {
          const sql = yield* database
          const written = yield* Deferred.make<void>()
          const writer = yield* Effect.forkChild(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* sql`INSERT INTO item ${sql.insert({ id: "lost" })}`
                yield* Deferred.succeed(written, undefined)
                return yield* Effect.never
              })
            )
          )
          yield* Deferred.await(written)
          const waiting = yield* Effect.forkChild(
            sql.withTransaction(sql`INSERT INTO item ${sql.insert({ id: "never started" })}`),
            { startImmediately: true }
          )
          yield* Fiber.interrupt(waiting)
          yield* Fiber.interrupt(writer)
          yield* sql.withTransaction(sql`INSERT INTO item ${sql.insert({ id: "a" })}`)
          expect(yield* ids(sql)).toEqual(["a"])
        })
    )

    it.effect("a stream returns every row in order", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const numbers = Array.from({ length: 1000 }, (_, i) => i)
        const rows = sql<{ n: number }>`SELECT value AS n FROM json_each(${JSON.stringify(numbers)})`.stream
        const read = Effect.map(Stream.runCollect(rows), (all) => all.map((row) => row.n))
        expect(yield* read).toEqual(numbers)
        expect(yield* sql.withTransaction(read)).toEqual(numbers)
      })
    )

    it.effect("a stream that ends early blocks neither writes nor later reads", () =>
      Effect.gen(function* () {
        const sql = yield* database
        const many = JSON.stringify(Array.from({ length: 1000 }, (_, i) => i))
        yield* sql`INSERT INTO item (id) SELECT value FROM json_each(${many})`
        expect(yield* Stream.runCollect(Stream.take(sql`SELECT id FROM item`.stream, 1))).toHaveLength(1)
        yield* sql.withTransaction(sql`DELETE FROM item WHERE id <> '7'`)
        expect(yield* ids(sql)).toEqual(["7"])
        yield* sql`DROP TABLE item`
      })
    )

    it.effect("rows decode with a Schema", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`INSERT INTO item ${sql.insert({ id: "a", name: null, n: 3 })}`
        const Item = Schema.Struct({ id: Schema.String, name: Schema.NullOr(Schema.String), n: Schema.Int })
        const decode = Schema.decodeUnknownEffect(Schema.Array(Item))
        expect(yield* decode(yield* sql`SELECT * FROM item`)).toEqual([{ id: "a", name: null, n: 3 }])
        expect(yield* sql`SELECT id, n FROM item`.values).toEqual([["a", 3]])
      })
    )

    it.effect("text, numbers, bytes and null are read as they were written", () =>
      Effect.gen(function* () {
        const sql = yield* database
        yield* sql`CREATE TABLE stored (value)`
        yield* Property.forAll(value, (written) =>
          Effect.gen(function* () {
            yield* sql`DELETE FROM stored`
            yield* sql`INSERT INTO stored ${sql.insert({ value: written })}`
            expect((yield* sql`SELECT value FROM stored`)[0]?.["value"]).toStrictEqual(written)
          })
        )
      })
    )

    it.effect(
      "an integer beyond the safe range fails instead of being rounded, and can be read as a bigint (D-LITE-3)",
      () =>
        Effect.gen(function* () {
          const sql = yield* database
          const read = sql`SELECT 9007199254740993 AS n`
          expect((yield* Effect.flip(read))._tag).toBe("SqlError")
          expect(yield* Effect.provideService(read, SqlClient.SafeIntegers, true)).toMatchObject([
            { n: 9007199254740993n }
          ])
          expect(yield* sql`SELECT 9007199254740991 AS n`).toMatchObject([{ n: 9007199254740991 }])
        })
    )
  })

  describe(`${name}, several clients of one file`, () => {
    const counterFile = Effect.gen(function* () {
      const filename = Path.join(yield* folder, "test.db")
      const sql = yield* connect(filename)
      yield* sql`CREATE TABLE item (n INTEGER NOT NULL)`
      yield* sql`INSERT INTO item ${sql.insert({ n: 0 })}`
      return { filename, sql }
    })

    it.effect("a write waits for the transaction of another client without blocking it", () =>
      Effect.gen(function* () {
        const { filename, sql } = yield* counterFile
        const other = yield* connect(filename)
        const started = yield* Deferred.make<void>()
        const finish = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              const n = yield* counter(sql)
              yield* Deferred.succeed(started, undefined)
              yield* Deferred.await(finish)
              yield* sql`UPDATE item SET n = ${n + 1}`
            })
          )
        )
        yield* Deferred.await(started)
        const waiting = yield* Effect.forkChild(other`UPDATE item SET n = n + 1`, { startImmediately: true })
        yield* yieldOften
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* Deferred.succeed(finish, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.join(waiting)
        expect(yield* counter(sql)).toBe(2)
      })
    )

    it.effect("processes that read and write in transactions lose no update", () =>
      Effect.gen(function* () {
        const { filename, sql } = yield* counterFile
        const worker = Effect.promise(() => run(process.execPath, [fileURLToPath(incrementWorker), filename, "50"]))
        yield* Effect.all([worker, worker], { concurrency: "unbounded" })
        expect(yield* counter(sql)).toBe(100)
      })
    )

    it.effect("a client that opens the file again reads what was committed", () =>
      Effect.gen(function* () {
        const filename = Path.join(yield* folder, "test.db")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* connect(filename)
            yield* sql`CREATE TABLE item (n INTEGER NOT NULL)`
            yield* sql`INSERT INTO item ${sql.insert({ n: 7 })}`
          })
        )
        expect(Fs.readdirSync(Path.dirname(filename))).toEqual(["test.db"])
        expect(yield* counter(yield* connect(filename))).toBe(7)
      })
    )
  })
}

/** Opens a client that closes with the scope. */
export const connectWith =
  (layer: ClientLayer) =>
  (filename: string): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope> =>
    Effect.map(Layer.build(layer(filename)), Context.get(SqlClient.SqlClient))

/** Creates a temporary folder that is removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "frontdesk-sqlite-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

/** Yields often enough for all other fibers to run. */
export const yieldOften = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

const run = promisify(execFile)

const ids = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM item ORDER BY id`, (rows) => rows.map((row) => row.id))

const counter = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(sql<{ n: number }>`SELECT n FROM item`, ([row]) => Effect.fromNullishOr(row?.n)).pipe(Effect.orDie)

const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.uint8Array(),
  fc.constant(null)
)
