import { describe, expect, it } from "@effect/vitest"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { DatabaseSync } from "node:sqlite"
import * as Path from "node:path"
import { folder } from "../SqlClientSuite.ts"

/** Opens a database with a table, and the connection of another process that writes. */
const open = Effect.gen(function* () {
  const filename = Path.join(yield* folder, "test.db")
  const services = yield* Layer.build(SqliteClient.layer({ filename }))
  const sql = yield* Effect.provide(SqlClient.SqlClient, services)
  yield* sql`CREATE TABLE item (id INTEGER PRIMARY KEY)`
  const other = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename)),
    (database) => Effect.sync(() => database.close())
  )
  const count = Effect.map(sql<{ count: number }>`SELECT count(*) AS count FROM item`, ([row]) => row?.count)
  return { sql, other, count, write: Effect.sync(() => other.exec("INSERT INTO item DEFAULT VALUES")) }
})

describe("the reads of one callback of the event loop (D-LITE-14)", () => {
  it.effect("have one state of the database, and the next callback sees what others have committed meanwhile", () =>
    Effect.gen(function* () {
      const { count, write } = yield* open
      const reads = yield* Effect.all([count, write, count])
      expect(reads).toEqual([0, undefined, 0])
      yield* Effect.yieldNow
      expect(yield* count).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.effect("see what this process has committed before", () =>
    Effect.gen(function* () {
      const { count, sql } = yield* open
      const insert = sql`INSERT INTO item DEFAULT VALUES`
      expect(yield* Effect.all([count, Effect.asVoid(insert), count])).toEqual([0, undefined, 1])
      expect(yield* Effect.all([count, Effect.asVoid(sql.withTransaction(insert)), count])).toEqual([1, undefined, 2])
      expect(yield* Effect.all([count, Effect.asVoid(sql`DELETE FROM item`), count])).toEqual([2, undefined, 0])
      yield* Effect.all([count, Effect.asVoid(sql`ALTER TABLE item ADD COLUMN name TEXT`)])
      expect(yield* sql`SELECT name FROM item`).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("do not keep the write-ahead log from being emptied afterwards", () =>
    Effect.gen(function* () {
      const { count, other, write } = yield* open
      yield* Effect.all([count, write])
      yield* Effect.yieldNow
      expect(other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toEqual({ busy: 0, log: 0, checkpointed: 0 })
    }).pipe(Effect.scoped)
  )
})
