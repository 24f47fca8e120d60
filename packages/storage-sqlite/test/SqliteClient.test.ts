import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as StatementCache from "@frontdesk/storage-sqlite/client/StatementCache"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"
import { connectWith, folder, suite, yieldOften } from "./SqlClientSuite.ts"

const connect = connectWith((filename) => SqliteClient.layer({ filename }))

suite("SqliteClient", (filename) => SqliteClient.layer({ filename }), new URL("incrementWorker.ts", import.meta.url))

describe("reads outside a transaction", () => {
  const database = Effect.gen(function* () {
    const filename = Path.join(yield* folder, "test.db")
    const sql = yield* connect(filename)
    yield* sql`CREATE TABLE item (n INTEGER)`
    yield* sql`INSERT INTO item VALUES (0)`
    return { filename, sql }
  })

  it.effect("a read does not wait for an open transaction, and sees what was committed before (D-LITE-1)", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      const written = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE item SET n = 1`
            expect(yield* sql`SELECT n FROM item`).toMatchObject([{ n: 1 }])
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(finish)
          })
        )
      )
      yield* Deferred.await(written)
      expect(yield* sql`SELECT n FROM item`).toMatchObject([{ n: 0 }])
      expect(yield* Stream.runCollect(sql`SELECT n FROM item`.stream)).toMatchObject([{ n: 0 }])
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(writer)
      expect(yield* sql`SELECT n FROM item`).toMatchObject([{ n: 1 }])
    })
  )

  it.effect("a stream reads one state and blocks neither writes nor later reads", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      // With the row of `database` these are 300 rows, more than the stream reads at a time.
      yield* sql`INSERT INTO item SELECT value FROM json_each(${JSON.stringify(Array.from({ length: 299 }, () => 0))})`
      const streamed: Array<number> = []
      const readBetween: Array<unknown> = []
      yield* Stream.runForEach(sql<{ n: number }>`SELECT n FROM item`.stream, (row) =>
        Effect.gen(function* () {
          streamed.push(row.n)
          yield* sql`UPDATE item SET n = n + 1`
          readBetween.push((yield* sql<{ n: number }>`SELECT n FROM item WHERE rowid = 300`)[0]?.n)
        })
      )
      expect(streamed).toEqual(Array.from({ length: 300 }, () => 0))
      expect(readBetween).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    })
  )

  it.effect("a read sees a column that was added after it first ran", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      const read = sql`SELECT * FROM item`
      expect(yield* read).toMatchObject([{ n: 0 }])
      yield* sql`ALTER TABLE item ADD COLUMN m INTEGER DEFAULT 5`
      expect(yield* read).toMatchObject([{ n: 0, m: 5 }])
    })
  )

  it.effect("changes() returns the number of rows that the last write changed", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      yield* sql`UPDATE item SET n = 1`
      expect(yield* sql`SELECT changes() AS n`).toMatchObject([{ n: 1 }])
      expect(yield* sql`SELECT  changes() AS n`).toMatchObject([{ n: 1 }])
      expect(
        yield* sql`SELECT 0 AS zero,
        changes() AS n`
      ).toMatchObject([{ n: 1 }])
      expect(yield* sql`UPDATE item SET n = 2`.raw).toMatchObject({ changes: 1 })
    })
  )
})

describe("a busy database", () => {
  it.effect("makes a write fail with a LockTimeoutError when the lock lasts longer than busyTimeout", () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "test.db")
      const holder = yield* connect(filename)
      const waiting = yield* connectWith((filename) => SqliteClient.layer({ filename, busyTimeout: "5 millis" }))(
        filename
      )
      const error = yield* Effect.flip(holder.withTransaction(waiting`CREATE TABLE item (n INTEGER)`))
      expect(error.reason._tag).toBe("LockTimeoutError")
      yield* waiting`CREATE TABLE item (n INTEGER)`
    })
  )

  it.effect("a waiting write that is interrupted ends at once and is not made", () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "test.db")
      const holder = yield* connect(filename)
      // Longer than the test may take: the interruption must not wait for the lock.
      const other = yield* connectWith((filename) => SqliteClient.layer({ filename, busyTimeout: "1 minute" }))(
        filename
      )
      yield* holder`CREATE TABLE item (n INTEGER)`
      yield* holder.withTransaction(
        Effect.gen(function* () {
          const waiting = yield* Effect.forkChild(other`INSERT INTO item VALUES (1)`, { startImmediately: true })
          yield* yieldOften
          yield* Fiber.interrupt(waiting)
        })
      )
      yield* other`INSERT INTO item VALUES (2)`
      expect(yield* holder`SELECT n FROM item`).toMatchObject([{ n: 2 }])
    })
  )
})

describe("opening", () => {
  it.effect("creates the folders above a new database, and files that only their owner can read (D-LITE-2)", () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "a", "b", "test.db")
      const sql = yield* connect(filename)
      yield* sql`CREATE TABLE item (n INTEGER)`
      const files = Fs.readdirSync(Path.dirname(filename))
      expect(files).toEqual(["test.db", "test.db-shm", "test.db-wal"])
      if (process.platform !== "win32") {
        const permissions = files.map((file) => Fs.statSync(Path.join(Path.dirname(filename), file)).mode & 0o777)
        expect(permissions).toEqual([0o600, 0o600, 0o600])
      }
    })
  )

  it.effect("a folder or a text file fails", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const error = yield* Effect.flip(Effect.scoped(connect(path)))
      expect(error.reason._tag).toBe("ConnectionError")
      Fs.writeFileSync(Path.join(path, "text.db"), "plain text ".repeat(20))
      expect((yield* Effect.flip(Effect.scoped(connect(Path.join(path, "text.db")))))._tag).toBe("SqlError")
    })
  )

  it.effect("a readonly client can read, also in transactions, and cannot write", () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "test.db")
      const sql = yield* connect(filename)
      yield* sql`CREATE TABLE item (n INTEGER)`
      const reader = yield* connectWith((filename) => SqliteClient.layer({ filename, readonly: true }))(filename)
      expect(yield* sql.withTransaction(reader.withTransaction(reader`SELECT * FROM item`))).toEqual([])
      expect((yield* Effect.flip(reader`INSERT INTO item VALUES (1)`))._tag).toBe("SqlError")
      expect(yield* sql`SELECT * FROM item`).toEqual([])
    })
  )

  it.effect("sets synchronous to FULL unless it is NORMAL, enforces foreign keys, and uses WAL", () =>
    Effect.gen(function* () {
      const filename = Path.join(yield* folder, "test.db")
      const full = yield* connect(filename)
      expect(yield* full`PRAGMA synchronous`).toMatchObject([{ synchronous: 2 }])
      expect(yield* full`PRAGMA foreign_keys`).toMatchObject([{ foreign_keys: 1 }])
      expect(yield* full`PRAGMA journal_mode`).toMatchObject([{ journal_mode: "wal" }])
      const normal = yield* connectWith((filename) => SqliteClient.layer({ filename, synchronous: "NORMAL" }))(filename)
      expect(yield* normal`PRAGMA synchronous`).toMatchObject([{ synchronous: 1 }])
    })
  )

  it.effect("layerConfig reads the options from the configuration", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`PRAGMA database_list`).toMatchObject([{ FILE: "" }])
      yield* sql`CREATE TABLE item (first_name TEXT)`
      yield* sql`INSERT INTO item ${sql.insert({ firstName: "Ann" })}`
      expect(yield* sql`SELECT * FROM item`).toMatchObject([{ FIRST_NAME: "Ann" }])
      expect(yield* sql.withoutTransforms()`SELECT * FROM item`).toMatchObject([{ first_name: "Ann" }])
    }).pipe(
      Effect.provide(
        SqliteClient.layerConfig({
          filename: Config.String("FILE"),
          transformQueryNames: Config.succeed(snake),
          transformResultNames: Config.succeed((name: string) => name.toUpperCase())
        }).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ FILE: ":memory:" }))))
      )
    )
  )
})

describe("statements", () => {
  it.effect("a parameter that is not a SQLite value fails instead of shifting later parameters", () =>
    Effect.gen(function* () {
      const sql = yield* connect(":memory:")
      const error = yield* Effect.flip(sql`SELECT ${{}} AS a, ${1} AS b`)
      expect(error.message).toContain("Parameter 1")
      expect(yield* sql`SELECT ${true} AS a, ${undefined} AS b`).toMatchObject([{ a: 1, b: null }])
    })
  )

  it.effect("a text with a second statement fails, because SQLite would ignore that statement", () =>
    Effect.gen(function* () {
      const sql = yield* connect(":memory:")
      const error = yield* Effect.flip(sql`CREATE TABLE a (n); CREATE TABLE b (n)`)
      expect(error.message).toContain("more than one statement")
      expect(
        yield* sql`SELECT ';' AS a; -- the end;
        /* of it; */ `
      ).toMatchObject([{ a: ";" }])
    })
  )

  it.effect("reading bigints or arrays does not affect the next run of a statement", () =>
    Effect.gen(function* () {
      const sql = yield* connect(":memory:")
      const read = sql`SELECT 1 AS n`
      expect(yield* read.values).toEqual([[1]])
      expect(yield* Effect.provideService(read, SqlClient.SafeIntegers, true)).toMatchObject([{ n: 1n }])
      expect(yield* read).toMatchObject([{ n: 1 }])
    })
  )

  it("the cache keeps statements in use and drops unused ones beyond its capacity", () => {
    const database = new DatabaseSync(":memory:")
    const cached = StatementCache.make(database, 4)
    const used = cached("SELECT 'used'")
    const unused = cached("SELECT 'unused'")
    for (let i = 0; i < 20; i++) {
      cached(`SELECT ${i}`)
      expect(cached("SELECT 'used'")).toBe(used)
    }
    expect(cached("SELECT 'unused'")).not.toBe(unused)
  })
})

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
