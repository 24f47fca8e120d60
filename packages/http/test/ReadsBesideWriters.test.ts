import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PostgresClient, PostgresStorage } from "@frontdesk/storage-postgres"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, it, onTestFinished } from "vitest"
import { event, makeWorld, type World } from "./world.ts"

/** What a caller reads, in the ways of reading that there are. */
const reads = ["/api/v1/agents", "/api/v1/calls", "/api/v1/contacts", "/api/v1/calendar/events", "/api/v1/webhooks"]

/** Asks everything with a key that was never used, and so with a use to write. Returns the statuses and how long it took. */
const read = async (world: World) => {
  const caller = await world.caller()
  return async () => {
    const since = performance.now()
    const statuses = await Promise.all(reads.map(async (path) => (await caller.get(path)).status))
    return { statuses, seconds: (performance.now() - since) / 1_000, caller }
  }
}

const fine = reads.map(() => 200)

describe("reads are answered at once", () => {
  it("in SQLite while another process holds the write lock (D-LITE-1)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-reads-"))
    const filename = join(folder, "a.db")
    const world = await makeWorld(Layer.orDie(SqliteStorage.layer({ filename })))
    const asking = await read(world)
    const other = new DatabaseSync(filename)
    onTestFinished(async () => {
      await world.close()
      other.close()
      rmSync(folder, { recursive: true })
    })
    other.exec("BEGIN IMMEDIATE")
    const { seconds, statuses } = await asking()
    expect(statuses).toEqual(fine)
    expect(seconds).toBeLessThan(2)
    other.exec("ROLLBACK")
  })

  it("in SQLite while another process holds the write lock and hundreds of writes of two callers wait for it (D-LITE-9)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-reads-"))
    const filename = join(folder, "a.db")
    const world = await makeWorld(Layer.orDie(SqliteStorage.layer({ filename, busyTimeout: "3 seconds" })))
    const asking = await read(world)
    const writers = [await world.caller(), await world.caller()]
    const other = new DatabaseSync(filename)
    onTestFinished(async () => {
      await world.close()
      other.close()
      rmSync(folder, { recursive: true })
    })
    other.exec("BEGIN IMMEDIATE")
    const writes = writers.flatMap(({ post }) =>
      Array.from({ length: 600 }, () => post("/api/v1/contacts/create", { first_name: "Jo" }))
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { seconds, statuses } = await asking()
    expect(statuses).toEqual(fine)
    expect(seconds).toBeLessThan(2)
    other.exec("ROLLBACK")
    const answered = new Set((await Promise.all(writes)).map(({ status }) => status))
    expect([...answered].filter((status) => status !== 201 && status !== 503)).toEqual([])
  })

  it.each([
    ["the row of the key is locked", "BEGIN; SELECT 1 FROM api_key FOR UPDATE"],
    ["the tables of keys take no writes", "BEGIN; LOCK TABLE api_key IN SHARE MODE"]
  ])("in PostgreSQL while %s", async (_what, lock) => {
    await Effect.runPromise(
      Effect.gen(function* () {
        const url = Redacted.make(yield* TestDatabase.make)
        const world = yield* Effect.promise(() =>
          makeWorld(PostgresStorage.layer({ url, maxConnections: 4 }).pipe(Layer.orDie))
        )
        const asking = yield* Effect.promise(() => read(world))
        const locked = Effect.gen(function* () {
          const sql = yield* SqlClient
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql.unsafe(lock.replace("BEGIN; ", ""))
              return yield* Effect.promise(asking)
            })
          )
        }).pipe(Effect.provide(PostgresClient.layer({ url })))
        const { seconds, statuses } = yield* locked
        expect(statuses).toEqual(fine)
        expect(seconds).toBeLessThan(2)
        yield* Effect.promise(() => world.close())
      }).pipe(Effect.scoped)
    )
  })

  it("in PostgreSQL that takes no writes at all, whose writes are 503", async () => {
    await Effect.runPromise(
      Effect.gen(function* () {
        const url = Redacted.make(yield* TestDatabase.make)
        const storage = PostgresStorage.layer({ url, maxConnections: 4 }).pipe(Layer.orDie)
        const world = yield* Effect.promise(() => makeWorld(storage))
        const caller = yield* Effect.promise(() => world.caller())
        yield* Effect.flatMap(SqlClient, (sql) =>
          sql.unsafe(`DO $$ BEGIN
            EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid();
          END $$`)
        ).pipe(Effect.provide(PostgresClient.layer({ url })))
        // The sessions that were ended are replaced.
        yield* Effect.promise(() => expect.poll(async () => (await caller.get("/api/v1/agents")).status).toBe(200))
        const statuses = yield* Effect.promise(() =>
          Promise.all(reads.map(async (path) => (await caller.get(path)).status))
        )
        expect(statuses).toEqual(fine)
        const write = yield* Effect.promise(() => caller.post("/api/v1/calendar/events/create", event))
        expect([write.status, write.json["error"]]).toEqual([503, "service_unavailable"])
        yield* Effect.promise(() => world.close())
      }).pipe(Effect.scoped)
    )
  })
})
