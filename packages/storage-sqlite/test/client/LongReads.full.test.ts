import { describe, expect, it } from "@effect/vitest"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as LongRead from "@frontdesk/storage-sql/storage/LongRead"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import * as Fs from "node:fs"
import * as Module from "node:module"
import * as Path from "node:path"
import WorkerThreads from "node:worker_threads"
import { connectWith, folder } from "../SqlClientSuite.ts"

const connect = connectWith((filename) => SqliteClient.layer({ filename }))

const database = Effect.gen(function* () {
  const filename = Path.join(yield* folder, "test.db")
  const sql = yield* connect(filename)
  yield* sql`CREATE TABLE item (n INTEGER, text TEXT, bytes BLOB, real REAL)`
  yield* sql`INSERT INTO item VALUES (1, 'ä', x'00ff', 0.5), (NULL, '', NULL, -1e300)`
  return { filename, sql }
})

const [first, second] = [1, 2]

/** Examines many numbers: some tenths of a second of work. */
const counting = `SELECT count(*) AS count FROM (
  WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000) SELECT n FROM number
)`

/** Five times as many. */
const longCounting = counting.replace("1000000", "5000000")

/** Starts both threads, so that later reads of two accounts begin at once. */
const startThreads = (sql: SqlClient.SqlClient) =>
  Effect.forEach([first, second], (account) => LongRead.by(account)(sql`SELECT n FROM item`), { concurrency: 2 })

/** Begins a long read and returns when its thread has it. */
const begin = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.tap(Effect.forkDetach(LongRead.by(first)(read)), () => Effect.yieldNow)

const { Worker } = WorkerThreads

/**
 * Runs an effect while the constructor of threads throws, as it may in a process with too many open files.
 *
 * It replaces the constructor in the module of Node. `vi.mock` would not reach modules that an earlier test file of the
 * same process has imported.
 */
const withoutNewThreads = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const replace = (constructor: typeof Worker) =>
    Effect.sync(() => {
      WorkerThreads.Worker = constructor
      Module.syncBuiltinESMExports()
    })
  const throwing = new Proxy(Worker, {
    construct: () => {
      throw Object.assign(new Error("too many open files"), { code: "EMFILE" })
    }
  })
  return Effect.acquireUseRelease(
    replace(throwing),
    () => effect,
    () => replace(Worker)
  )
}

describe("long reads (D-LITE-10)", () => {
  it.live("other reads, writes and accounts do not wait for a long read, and later ones of its account do", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      yield* startThreads(sql)
      const ended: Array<string> = []
      const record = (name: string) => Effect.sync(() => void ended.push(name))
      const count = Effect.tap(sql.unsafe(counting), () => record("long"))
      const reads = yield* Effect.forkChild(
        Effect.all([count, sql.unsafe("SELECT 1 AS n").pipe(Effect.tap(() => record("later")))], {
          concurrency: "unbounded"
        }).pipe(LongRead.by(first))
      )
      yield* Effect.yieldNow
      yield* sql`SELECT n FROM item`
      yield* record("read")
      yield* sql`UPDATE item SET n = 2`
      yield* record("write")
      yield* sql.unsafe("SELECT 1 AS n").pipe(LongRead.by(second))
      yield* record("other account")
      const [counted] = yield* Fiber.join(reads)
      expect(ended).toEqual(["read", "write", "other account", "long", "later"])
      expect(counted).toEqual([{ count: 1_000_000 }])
    })
  )

  it.live("a long read sees every commit before it, and inside a transaction the writes of the transaction", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      const read = sql<{ n: number }>`SELECT n FROM item`.pipe(LongRead.by(first))
      for (let n = 1; n <= 50; n++) {
        yield* sql`UPDATE item SET n = ${n}`
        expect(yield* read).toEqual([{ n }, { n }])
      }
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`UPDATE item SET n = 99`
          expect(yield* read).toMatchObject([{ n: 99 }, { n: 99 }])
        })
      )
    })
  )

  it.live("a long read returns the same rows and errors as any other read", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      yield* sql`INSERT INTO item (n) SELECT value FROM json_each(${JSON.stringify(Array.from({ length: 5_000 }, (_, n) => n))})`
      for (const text of [
        "SELECT * FROM item",
        "SELECT n AS a, n AS b FROM item WHERE n > 4990",
        "SELECT n FROM item WHERE n < -1"
      ]) {
        const statement = sql.unsafe<object>(text)
        const rows = yield* statement
        expect((yield* statement.pipe(LongRead.by(first))).map((row) => ({ ...row }))).toEqual(
          rows.map((row) => ({ ...row }))
        )
        expect(yield* statement.values.pipe(LongRead.by(first))).toEqual(yield* statement.values)
        const bigints = Effect.provideService(statement, SqlClient.SafeIntegers, true)
        expect((yield* bigints.pipe(LongRead.by(first))).map((row) => ({ ...row }))).toEqual(
          (yield* bigints).map((row) => ({ ...row }))
        )
      }
      const parameters = sql`SELECT ${1.5} AS a, ${"x"} AS b, ${null} AS c, ${new Uint8Array([1])} AS d, ${true} AS e`
      expect((yield* parameters.pipe(LongRead.by(first))).map((row) => ({ ...row }))).toEqual(
        (yield* parameters).map((row) => ({ ...row }))
      )
      for (const text of ["SELECT nothing FROM item", "SELECT 9007199254740993 AS n", "SELECT 1; SELECT 2"]) {
        const statement = sql.unsafe(text)
        const error = yield* Effect.flip(statement)
        const long = yield* Effect.flip(statement.pipe(LongRead.by(first)))
        expect([long.reason._tag, long.reason.message]).toEqual([error.reason._tag, error.reason.message])
      }
    })
  )

  it.live("an interrupted long read, waiting or running, makes way for the next one of its account", () =>
    Effect.gen(function* () {
      const { filename, sql } = yield* database
      yield* startThreads(sql)
      const running = yield* begin(sql.unsafe(counting))
      const waiting = yield* Effect.forkChild(sql.unsafe(counting).pipe(LongRead.by(first)))
      yield* Effect.yieldNow
      yield* Fiber.interruptAll([waiting, running])
      expect(Exit.hasInterrupts(yield* Fiber.await(running))).toBe(true)
      expect(yield* sql`SELECT n FROM item WHERE n = 1`.pipe(LongRead.by(first))).toEqual([{ n: 1 }])
      // A read transaction that stayed open would keep the log from being emptied.
      yield* sql`UPDATE item SET n = 5`
      yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
      expect(Fs.statSync(`${filename}-wal`).size).toBe(0)
    })
  )

  it.live(
    "after a long read failed at a row, long reads of every account see later commits, and the log is emptied",
    () =>
      Effect.gen(function* () {
        const { filename, sql } = yield* database
        yield* sql`INSERT INTO item (n) SELECT value FROM json_each(${JSON.stringify(Array.from({ length: 3_000 }, (_, n) => n))})`
        const count = sql`SELECT count(*) AS count FROM item WHERE n >= 0`
        // The error is in the first message of the thread, and then in the second one.
        for (const failing of [
          "SELECT 9007199254740993 AS n FROM item",
          "SELECT CASE WHEN n = 2500 THEN 9007199254740993 ELSE n END AS n FROM item"
        ]) {
          yield* Effect.flip(sql.unsafe(failing).pipe(LongRead.by(first)))
          const [before] = yield* count
          yield* sql`INSERT INTO item (n) VALUES (7)`
          const [after] = yield* count
          expect(after).not.toEqual(before)
          for (const account of [first, second]) expect(yield* count.pipe(LongRead.by(account))).toEqual([after])
          expect(yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`).toMatchObject([{ busy: 0 }])
          expect(Fs.statSync(`${filename}-wal`).size).toBe(0)
        }
      })
  )

  it.live("when 256 long reads wait, the newest read of the account with the most of them fails", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      const one = sql.unsafe("SELECT 1 AS n")
      const failureOf = (read: Effect.Effect<unknown, SqlError>) =>
        read.pipe(Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => "none" }))
      const reads = [sql.unsafe(counting), ...Array.from({ length: 256 }, () => one)]
      const flood = yield* Effect.forkChild(
        Effect.forEach(reads, failureOf, { concurrency: "unbounded" }).pipe(LongRead.by(first))
      )
      yield* Effect.yieldNow
      expect(yield* failureOf(one.pipe(LongRead.by(first)))).toBe("LockTimeoutError")
      expect(yield* one.pipe(LongRead.by(second))).toEqual([{ n: 1 }])
      const failures = yield* Fiber.join(flood)
      expect(failures).toEqual([...Array.from({ length: 256 }, () => "none"), "LockTimeoutError"])
      expect(yield* one.pipe(LongRead.by(first))).toEqual([{ n: 1 }])
    })
  )

  it.live("a long read whose thread is starting when the client closes fails", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { sql } = yield* Scope.provide(database, scope)
      const reading = yield* begin(sql.unsafe(counting))
      yield* Scope.close(scope, Exit.void)
      expect((yield* Effect.flip(Fiber.join(reading))).reason._tag).toBe("ConnectionError")
    })
  )

  it.effect("a thread that cannot start is tried again later, and long reads succeed meanwhile", () =>
    Effect.gen(function* () {
      const { filename, sql } = yield* database
      const read = sql`SELECT count(*) AS count FROM item`.pipe(LongRead.by(first))
      yield* LogCapture.collect(
        (lines) =>
          Effect.gen(function* () {
            const events = () => lines.map(({ event }) => event)
            // The thread finds no file to open. The connections of the client have theirs open.
            Fs.renameSync(filename, `${filename}.away`)
            expect(yield* Effect.all([read, read])).toMatchObject([[{ count: 2 }], [{ count: 2 }]])
            Fs.renameSync(`${filename}.away`, filename)
            yield* TestClock.adjust("900 millis")
            expect(yield* read).toMatchObject([{ count: 2 }])
            expect(events()).toEqual(["storage.reads_block"])
            yield* TestClock.adjust("100 millis")
            expect(yield* read).toMatchObject([{ count: 2 }])
            expect(events()).toEqual(["storage.reads_block", "storage.reads_resumed"])
          }),
        "Info"
      )
    })
  )

  it.effect("while no other thread can start, long reads of all accounts use the one that has started", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      yield* sql`SELECT n FROM item`.pipe(LongRead.by(first))
      yield* LogCapture.collect(
        (lines) =>
          Effect.gen(function* () {
            const counted = yield* begin(sql.unsafe(counting))
            const read = sql`SELECT n FROM item WHERE n = 1`.pipe(LongRead.by(second))
            expect(yield* withoutNewThreads(read)).toMatchObject([{ n: 1 }])
            expect(counted.pollUnsafe()).toBeDefined()
            expect(lines).toEqual([])
          }),
        "Info"
      )
    })
  )

  it.live("a client that closes does not wait for a long read, which fails at once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { sql } = yield* Scope.provide(database, scope)
      yield* startThreads(sql)
      const count = sql.unsafe(longCounting)
      const [alone] = yield* Effect.timed(LongRead.by(first)(count))
      const reading = yield* begin(count)
      const waiting = yield* begin(sql.unsafe("SELECT 1"))
      const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
      for (const read of [reading, waiting]) {
        expect((yield* Effect.flip(Fiber.join(read))).reason._tag).toBe("ConnectionError")
      }
      expect(Duration.toMillis(took)).toBeLessThan(Duration.toMillis(alone) / 2)
    })
  )

  it.live("a caller that is interrupted does not wait for its long read, and the next read of the account does", () =>
    Effect.gen(function* () {
      const { sql } = yield* database
      yield* startThreads(sql)
      const reading = yield* begin(sql.unsafe(longCounting))
      yield* Fiber.interrupt(reading)
      const next = yield* begin(sql`SELECT n FROM item WHERE n = 1`)
      yield* sql`SELECT 1 AS n`.pipe(LongRead.by(second))
      expect(next.pollUnsafe()).toBeUndefined()
      expect(yield* Fiber.join(next)).toEqual([{ n: 1 }])
    })
  )

  it.live("a client closes while a long read is running, which ends with its rows or fails", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { sql } = yield* Scope.provide(database, scope)
      yield* startThreads(sql)
      const reading = yield* begin(sql.unsafe(counting))
      yield* Scope.close(scope, Exit.void)
      const ended = yield* Fiber.join(reading).pipe(
        Effect.match({ onFailure: ({ reason }): unknown => reason._tag, onSuccess: (rows): unknown => rows[0] })
      )
      expect(["ConnectionError", { count: 1_000_000 }]).toContainEqual(ended)
    })
  )

  it.live(
    "after the file was replaced, long reads use the connection of other reads, with one warning (D-LITE-7)",
    () =>
      Effect.gen(function* () {
        const { filename, sql } = yield* database
        Fs.renameSync(filename, `${filename}.old`)
        Fs.copyFileSync(`${filename}.old`, filename)
        const read = sql`SELECT count(*) AS count FROM item`.pipe(LongRead.by(first))
        yield* LogCapture.collect(
          (lines) =>
            Effect.gen(function* () {
              expect(yield* Effect.all([read, read])).toMatchObject([[{ count: 2 }], [{ count: 2 }]])
              expect(lines.map(({ event }) => event)).toEqual(["storage.reads_block"])
            }),
          "Info"
        )
      })
  )

  it.live("a database in memory has no other thread, and its long reads work", () =>
    Effect.gen(function* () {
      const sql = yield* connect(":memory:")
      yield* sql`CREATE TABLE item (n INTEGER)`
      yield* sql`INSERT INTO item VALUES (7)`
      expect(yield* sql`SELECT n FROM item`.pipe(LongRead.by(first))).toMatchObject([{ n: 7 }])
    })
  )
})
