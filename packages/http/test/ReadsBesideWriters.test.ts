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
import { event, makeTestApi, type TestApi } from "./testApi.ts"

/** The paths of the reads: one list of each kind of record. */
const reads = ["/api/v1/agents", "/api/v1/calls", "/api/v1/contacts", "/api/v1/calendar/events", "/api/v1/webhooks"]

/**
 * Returns a function that sends all reads and returns their statuses. Its key is new, so the API must also record the
 * first use of the key.
 */
const makeReader = async (api: TestApi) => {
  const caller = await api.caller()
  return () => Promise.all(reads.map(async (path) => (await caller.get(path)).status))
}

const allSucceed = reads.map(() => 200)

// The lock lasts until the reads are answered. A read that waited for it would exceed the timeout of the test.
const lockTimeout = "60 seconds"

/** Takes the write lock, after the commit of transactions that end in this turn of the event loop. */
const lock = async (database: DatabaseSync): Promise<void> => {
  await expect
    .poll(() => {
      database.exec("BEGIN IMMEDIATE")
      return database.isTransaction
    })
    .toBe(true)
}

describe("reads do not wait for a lock", () => {
  it("in SQLite while another connection has the write lock (D-LITE-1)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-reads-"))
    const filename = join(folder, "a.db")
    const api = await makeTestApi(Layer.orDie(SqliteStorage.layer({ filename, busyTimeout: lockTimeout })))
    const read = await makeReader(api)
    const other = new DatabaseSync(filename)
    onTestFinished(async () => {
      await api.close()
      other.close()
      rmSync(folder, { recursive: true })
    })
    await lock(other)
    expect(await read()).toEqual(allSucceed)
    other.exec("ROLLBACK")
  })

  it("in SQLite while another connection has the write lock and hundreds of writes wait (D-LITE-9)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-reads-"))
    const filename = join(folder, "a.db")
    const api = await makeTestApi(Layer.orDie(SqliteStorage.layer({ filename, busyTimeout: lockTimeout })))
    const read = await makeReader(api)
    const writers = [await api.caller(), await api.caller()]
    // The API now knows the accounts of both keys, so their requests wait in queues of their own and not in that of the
    // reader, whose key is new.
    for (const writer of writers) await writer.get("/api/v1/agents")
    const other = new DatabaseSync(filename)
    onTestFinished(async () => {
      await api.close()
      other.close()
      rmSync(folder, { recursive: true })
    })
    await lock(other)
    const writes = writers.flatMap(({ post }) =>
      Array.from({ length: 150 }, () => post("/api/v1/contacts/create", { first_name: "Jo" }))
    )
    // Lets the writes begin. Those that have a place then wait for the lock, and the others wait for a place.
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await read()).toEqual(allSucceed)
    other.exec("ROLLBACK")
    const statuses = new Set((await Promise.all(writes)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
  })

  it.each([
    ["the row of the key is locked", "SELECT 1 FROM api_key FOR UPDATE"],
    ["the table of keys is locked against writes", "LOCK TABLE api_key IN SHARE MODE"]
  ])("in PostgreSQL while %s", async (_what, lock) => {
    await Effect.runPromise(
      Effect.gen(function* () {
        const url = Redacted.make(yield* TestDatabase.make)
        const api = yield* Effect.promise(() =>
          makeTestApi(
            PostgresStorage.layer({ url, maxConnections: 4, lockTimeout, statementTimeout: lockTimeout }).pipe(
              Layer.orDie
            )
          )
        )
        const read = yield* Effect.promise(() => makeReader(api))
        const locked = Effect.gen(function* () {
          const sql = yield* SqlClient
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql.unsafe(lock)
              return yield* Effect.promise(read)
            })
          )
        }).pipe(Effect.provide(PostgresClient.layer({ url, idleInTransactionTimeout: lockTimeout })))
        expect(yield* locked).toEqual(allSucceed)
        yield* Effect.promise(() => api.close())
      }).pipe(Effect.scoped)
    )
  })
})

it("reads succeed and writes get 503 in PostgreSQL in read-only mode", async () => {
  await Effect.runPromise(
    Effect.gen(function* () {
      const url = Redacted.make(yield* TestDatabase.make)
      const storage = PostgresStorage.layer({ url, maxConnections: 4 }).pipe(Layer.orDie)
      const api = yield* Effect.promise(() => makeTestApi(storage))
      const caller = yield* Effect.promise(() => api.caller())
      yield* Effect.flatMap(SqlClient, (sql) =>
        sql.unsafe(`DO $$ BEGIN
          EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
          PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid();
        END $$`)
      ).pipe(Effect.provide(PostgresClient.layer({ url })))
      // Waits until the pool has replaced the terminated sessions.
      yield* Effect.promise(() => expect.poll(async () => (await caller.get("/api/v1/agents")).status).toBe(200))
      const statuses = yield* Effect.promise(() =>
        Promise.all(reads.map(async (path) => (await caller.get(path)).status))
      )
      expect(statuses).toEqual(allSucceed)
      const write = yield* Effect.promise(() => caller.post("/api/v1/calendar/events/create", event))
      expect([write.status, write.json["error"]]).toEqual([503, "service_unavailable"])
      yield* Effect.promise(() => api.close())
    }).pipe(Effect.scoped)
  )
})
