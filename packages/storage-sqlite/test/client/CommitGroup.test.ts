import { describe, expect, it } from "@effect/vitest"
import { CurrentExternalWait } from "@frontdesk/core/storage/ExternalWait"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Scheduler from "effect/Scheduler"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { vi } from "vitest"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import { folder } from "../SqlClientSuite.ts"
import * as ExternalWaits from "./ExternalWaits.ts"

/** Opens a database with a table, and another connection to it that sees only what is committed. */
const open = Effect.gen(function* () {
  const filename = Path.join(yield* folder, "test.db")
  const services = yield* Layer.build(SqliteClient.layer({ filename }))
  const sql = yield* Effect.provide(SqlClient.SqlClient, services)
  yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY)`
  yield* sql`CREATE TABLE part (item TEXT REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)`
  const other = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename, { readOnly: true })),
    (database) => Effect.sync(() => database.close())
  )
  const committed = () =>
    other
      .prepare("SELECT id FROM item ORDER BY id")
      .all()
      .map(({ id }) => id)
  const before = commitsIn(filename)
  const insert = (id: string) => sql`INSERT INTO item VALUES (${id})`
  return { sql, insert, add: (id: string) => sql.withTransaction(insert(id)), committed, filename, before }
})

/** Runs effects at once, without giving up the turn of the event loop between them. */
const together = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" }).pipe(
    Effect.provideService(References.MaxOpsBeforeYield, 1_000_000)
  )

/** Returns the number of commits in the write-ahead log: only the last page of a commit has the size of the database. */
const commitsIn = (filename: string): number => {
  const log = Fs.readFileSync(`${filename}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

const names = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"))

const errorOf = (exit: Exit.Exit<unknown, unknown> | undefined): unknown =>
  exit !== undefined && Exit.isFailure(exit) ? exit.cause.reasons[0] : exit

/** Stops the clock that limits the wait of a group. Returns a function that advances it by milliseconds. */
const stopClock = Effect.acquireRelease(
  Effect.sync(() => vi.spyOn(performance, "now").mockReturnValue(1_000)),
  (spy) => Effect.sync(() => spy.mockRestore())
).pipe(Effect.map((spy) => (millis: number) => spy.mockReturnValue(performance.now() + millis)))

const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("transactions that end at about the same time (D-LITE-11)", () => {
  it.effect.each<readonly [number, number]>([
    [10, 1],
    [128, 1],
    [129, 2],
    [300, 3]
  ])("%d transactions make %d commits", ([count, commits]) =>
    Effect.gen(function* () {
      const { add, before, committed, filename } = yield* open
      const exits = yield* together(names(count).map(add))
      expect(exits.every(Exit.isSuccess)).toBe(true)
      expect(committed()).toEqual(names(count))
      expect(commitsIn(filename) - before).toBe(commits)
    })
  )

  it.effect("single statements that write commit together, too", () =>
    Effect.gen(function* () {
      const { before, committed, filename, insert } = yield* open
      yield* together(names(10).map(insert))
      expect(committed()).toEqual(names(10))
      expect(commitsIn(filename) - before).toBe(1)
    })
  )

  it.effect("each is answered after the COMMIT, and until then its writes are invisible outside", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open
      const seen: Array<ReadonlyArray<unknown>> = []
      const member = (id: string) =>
        insert(id).pipe(
          Effect.tap(() => Effect.sync(() => seen.push(committed()))),
          sql.withTransaction,
          Effect.map(committed)
        )
      const answered = yield* together(["a", "b", "c"].map(member))
      expect(seen).toEqual([[], [], []])
      expect(answered).toEqual([1, 2, 3].map(() => Exit.succeed(["a", "b", "c"])))
    })
  )

  it.effect("an effect that waits for the commit runs after the COMMIT", () =>
    Effect.gen(function* () {
      const { committed, insert, sql } = yield* open
      let seen: unknown
      const registered = sql.afterCommit(Effect.sync(() => (seen = committed())))
      yield* together([sql.withTransaction(Effect.andThen(insert("a"), registered)), insert("b")])
      expect(seen).toEqual(["a", "b"])
    })
  )

  it.effect(
    "a member that fails, dies or is interrupted loses its own writes only, and is answered after the COMMIT",
    () =>
      Effect.gen(function* () {
        const { add, before, committed, filename, insert, sql } = yield* open
        const ends = [Effect.fail("no"), Effect.die("no"), Effect.interrupt]
        const refused = ends.map((end, index) =>
          sql
            .withTransaction(Effect.andThen(insert(`lost ${index}`), end))
            .pipe(Effect.onExit(() => Effect.sync(() => expect(committed()).toEqual(["a", "z"]))))
        )
        const exits = yield* together([add("a"), ...refused, add("z")])
        expect(exits.map(Exit.isSuccess)).toEqual([true, false, false, false, true])
        expect(exits[1]).toEqual(Exit.fail("no"))
        expect(committed()).toEqual(["a", "z"])
        expect(commitsIn(filename) - before).toBe(1)
      })
  )

  it.effect("the first transaction that fails leaves no group behind", () =>
    Effect.gen(function* () {
      const { add, committed, insert, sql } = yield* open
      const exits = yield* together([sql.withTransaction(Effect.andThen(insert("a"), Effect.fail("no"))), add("b")])
      expect(exits[0]).toEqual(Exit.fail("no"))
      expect(committed()).toEqual(["b"])
    })
  )

  it.effect("a savepoint in a member that fails is undone alone", () =>
    Effect.gen(function* () {
      const { add, committed, insert, sql } = yield* open
      const inner = Effect.ignore(sql.withTransaction(Effect.andThen(insert("inner"), Effect.fail("no"))))
      const outer = sql.withTransaction(insert("outer").pipe(Effect.andThen(inner), Effect.andThen(insert("later"))))
      yield* together([add("first"), outer])
      expect(committed()).toEqual(["first", "later", "outer"])
    })
  )

  it.effect("transactions that end in turns close together commit together", () =>
    Effect.gen(function* () {
      const { add, before, committed, filename } = yield* open
      yield* stopClock
      const ends = [[add("a"), add("b")], [], [add("c")], [], [add("d")]]
      const running = yield* Effect.forEach(ends, (adding) =>
        Effect.tap(Effect.forkChild(together(adding), { startImmediately: true }), () => nextTurn)
      )
      yield* Effect.forEach(running, Fiber.join)
      expect(committed()).toEqual(["a", "b", "c", "d"])
      expect(commitsIn(filename) - before).toBe(1)
    })
  )

  it.effect("a transaction that ends alone in its turn waits for no other one", () =>
    Effect.gen(function* () {
      const { add, before, committed, filename } = yield* open
      const first = yield* Effect.forkChild(add("a"), { startImmediately: true })
      expect(committed()).toEqual([])
      yield* nextTurn
      expect(committed()).toEqual(["a"])
      yield* Fiber.join(first)
      yield* add("b")
      expect(commitsIn(filename) - before).toBe(2)
    })
  )

  it.effect("a group to which transactions are added again and again commits after 10 ms", () =>
    Effect.gen(function* () {
      const { add, committed } = yield* open
      const advance = yield* stopClock
      const running = yield* Effect.forEach(names(10), (name) =>
        Effect.gen(function* () {
          const adding = yield* Effect.forkChild(together([add(name), add(`${name} too`)]), { startImmediately: true })
          yield* nextTurn
          expect(committed()).toEqual([])
          advance(1)
          return adding
        })
      )
      yield* nextTurn
      expect(committed()).toHaveLength(20)
      yield* Effect.forEach(running, Fiber.join)
    })
  )

  it.effect("a group with a transaction of a worker waits for no further turn", () =>
    Effect.gen(function* () {
      const { add, committed } = yield* open
      const worker = Effect.provideService(add("worker"), CurrentWorkload, "worker")
      const running = yield* Effect.forkChild(together([add("request"), worker]), { startImmediately: true })
      expect(committed()).toEqual([])
      yield* nextTurn
      expect(committed()).toEqual(["request", "worker"])
      yield* Fiber.join(running)
    })
  )

  it.effect("a request waits for the COMMIT without its place", () =>
    Effect.gen(function* () {
      const { add } = yield* open
      const waits = ExternalWaits.make()
      const requests = together(names(20).map(add)).pipe(Effect.provideService(CurrentExternalWait, waits.service))
      const running = yield* Effect.forkChild(requests, { startImmediately: true })
      expect(waits.present()).toBe(20)
      expect((yield* Fiber.join(running)).every(Exit.isSuccess)).toBe(true)
      expect(waits.present()).toBe(0)
    })
  )

  it.effect("each member of a COMMIT goes on in a turn of its scheduler", () =>
    Effect.gen(function* () {
      const { add, committed } = yield* open
      let tasks: Array<() => void> = []
      const scheduler: Scheduler.Scheduler = {
        executionMode: "async",
        shouldYield: () => false,
        makeDispatcher: () => ({ scheduleTask: (task) => void tasks.push(task), flush: () => undefined })
      }
      const runTasks = () => {
        const due = tasks
        tasks = []
        for (const task of due) task()
      }
      const done: Array<string> = []
      const members = names(3).map((name) =>
        Effect.andThen(
          add(name),
          Effect.sync(() => done.push(name))
        )
      )
      const running = yield* Effect.forkChild(
        Effect.provideService(together(members), Scheduler.Scheduler, scheduler),
        { startImmediately: true }
      )
      while (committed().length === 0) {
        runTasks()
        yield* nextTurn
      }
      expect(done).toEqual([])
      while (running.pollUnsafe() === undefined) {
        runTasks()
        yield* nextTurn
      }
      expect(done).toEqual(names(3))
    })
  )

  it.effect("a member that ends in a later turn commits together with those before it", () =>
    Effect.gen(function* () {
      const { add, before, committed, filename, insert, sql } = yield* open
      const finish = yield* Deferred.make<void>()
      const slow = sql.withTransaction(Effect.andThen(insert("slow"), Deferred.await(finish)))
      const running = yield* Effect.forkChild(together([add("a"), slow]))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))
      expect(committed()).toEqual([])
      yield* Deferred.succeed(finish, undefined)
      expect((yield* Fiber.join(running)).every(Exit.isSuccess)).toBe(true)
      expect(committed()).toEqual(["a", "slow"])
      expect(commitsIn(filename) - before).toBe(1)
    })
  )
})

describe("a group that cannot commit", () => {
  it.effect("fails all members as conflicts, so that the storage runs them again, and the next one works", () =>
    Effect.gen(function* () {
      const { add, committed, sql } = yield* open
      const exits = yield* together([add("a"), sql.withTransaction(sql`INSERT INTO part VALUES ('none')`), add("b")])
      for (const exit of exits) {
        expect(errorOf(exit)).toMatchObject({ error: { _tag: "SqlError", reason: { _tag: "SerializationError" } } })
      }
      expect(committed()).toEqual([])
      yield* add("c")
      expect(committed()).toEqual(["c"])
    })
  )

  it.effect("because SQLite has rolled it back fails all members, and the later statements of the one to blame", () =>
    Effect.gen(function* () {
      const { add, committed, insert, sql } = yield* open
      yield* insert("x")
      const blamed = Effect.gen(function* () {
        const error = yield* Effect.flip(sql`INSERT OR ROLLBACK INTO item VALUES ('x')`)
        expect(error.reason._tag).toBe("UniqueViolation")
        // Without a transaction this would be stored at once.
        yield* insert("y")
      }).pipe(sql.withTransaction)
      const exits = yield* together<unknown, unknown, never>([add("a"), blamed, add("b")])
      expect(exits.map(Exit.isSuccess)).toEqual([false, false, true])
      expect(errorOf(exits[0])).toMatchObject({ error: { reason: { _tag: "SerializationError" } } })
      expect(errorOf(exits[1])).toMatchObject({ error: { reason: { _tag: "UniqueViolation" } } })
      expect(committed()).toEqual(["b", "x"])
    })
  )
})

describe("outside of a group", () => {
  it.effect("a statement that cannot run in a transaction commits the group first", () =>
    Effect.gen(function* () {
      const { add, before, committed, filename, sql } = yield* open
      const exits = yield* together<unknown, unknown, never>([add("a"), sql`VACUUM`, add("b")])
      expect(exits.every(Exit.isSuccess)).toBe(true)
      expect(committed()).toEqual(["a", "b"])
      expect(commitsIn(filename) - before).toBe(3)
    })
  )

  it.effect("a read on the connection that writes sees only what is committed", () =>
    Effect.gen(function* () {
      const { add, committed, sql } = yield* open
      const read = sql`WITH every AS (SELECT id FROM item) SELECT id FROM every`.pipe(
        Effect.map((rows) => ({ rows, committed: committed() }))
      )
      const exits = yield* together<unknown, unknown, never>([add("a"), read])
      expect(exits[1]).toEqual(Exit.succeed({ rows: [{ id: "a" }], committed: ["a"] }))
    })
  )

  it.effect("a transaction that begins with its own statement commits alone", () =>
    Effect.gen(function* () {
      const { add, before, committed, filename } = yield* open
      const own = Effect.provideService(add("b"), SqlClient.BeginTransaction, "BEGIN EXCLUSIVE")
      yield* together([add("a"), own, add("c")])
      expect(committed()).toEqual(["a", "b", "c"])
      expect(commitsIn(filename) - before).toBe(3)
    })
  )

  it("a transaction in memory ends within the same turn", () => {
    const program = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE item (id TEXT)`
      yield* sql.withTransaction(sql`INSERT INTO item VALUES ('a')`)
      return yield* sql`SELECT id FROM item`
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
    expect(Effect.runSync(program)).toEqual([{ id: "a" }])
  })
})

describe("a client that is closed", () => {
  const opened = Effect.gen(function* () {
    const filename = Path.join(yield* folder, "test.db")
    const scope = yield* Scope.make()
    const services = yield* Scope.provide(Layer.build(SqliteClient.layer({ filename })), scope)
    const sql = yield* Effect.provide(SqlClient.SqlClient, services)
    yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY)`
    const stored = () => {
      const database = new DatabaseSync(filename)
      const rows = database.prepare("SELECT id FROM item").all()
      database.close()
      return rows
    }
    return { stored, close: Scope.close(scope, Exit.void), sql }
  })

  it.effect("commits the members that have ended", () =>
    Effect.gen(function* () {
      const { close, sql, stored } = yield* opened
      const added = sql.withTransaction(sql`INSERT INTO item VALUES ('a')`)
      const exits = yield* together<unknown, unknown, never>([added, close])
      expect(exits.every(Exit.isSuccess)).toBe(true)
      expect(stored()).toEqual([{ id: "a" }])
    })
  )

  it.effect("fails all members of a group of which one has not ended", () =>
    Effect.gen(function* () {
      const { close, sql, stored } = yield* opened
      const finish = yield* Deferred.make<void>()
      const added = sql.withTransaction(sql`INSERT INTO item VALUES ('a')`)
      const slow = sql.withTransaction(Effect.andThen(sql`INSERT INTO item VALUES ('b')`, Deferred.await(finish)))
      const end = Effect.andThen(close, Deferred.succeed(finish, undefined))
      const exits = yield* together<unknown, unknown, never>([added, slow, end])
      expect(exits.map(Exit.isSuccess)).toEqual([false, false, true])
      expect(errorOf(exits[0])).toMatchObject({ error: { reason: { _tag: "ConnectionError" } } })
      expect(errorOf(exits[1])).toMatchObject({ error: { reason: { _tag: "ConnectionError" } } })
      expect(stored()).toEqual([])
    })
  )
})
