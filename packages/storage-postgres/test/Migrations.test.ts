import { describe, expect, it } from "@effect/vitest"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { promisify } from "node:util"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as PostgresStorage from "../src/PostgresStorage.ts"

const run = promisify(execFile)

const worker = fileURLToPath(new URL("migrateWorker.ts", import.meta.url))

const client = (url: string) => PostgresStorage.layerMigrator({ url: Redacted.make(url), maxConnections: 4 })

/** How many migrations each of some processes that start at once has applied. */
const migrateAtOnce = (url: string, processes: number) =>
  Effect.promise(async () => {
    const workers = Array.from({ length: processes }, () => run(process.execPath, [worker, url]))
    return (await Promise.all(workers)).map(({ stdout }) => Number(stdout)).toSorted((a, b) => a - b)
  })

describe("migrations of an empty database", () => {
  it.live(
    "by four processes at once are done by one of them, and the others wait for it",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.make
        expect(yield* migrateAtOnce(url, 4)).toEqual([0, 0, 0, 1])
        expect(yield* Effect.provide(SqlMigrations.isCurrent, client(url))).toBe(true)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "by eight clients at once succeed however often it is tried",
    () =>
      Effect.gen(function* () {
        for (let round = 0; round < 5; round++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const url = yield* TestDatabase.make
              const migrate = Effect.provide(SqlMigrations.migrate, client(url), { local: true })
              const done = yield* Effect.all(
                Array.from({ length: 8 }, () => migrate),
                { concurrency: "unbounded" }
              )
              expect(done.map((applied) => applied.length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
            })
          )
        }
      }),
    60_000
  )

  it.live(
    "leave nothing of a process that is killed in the middle, and the next one does them all",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.make
        const killed = yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              // In the way of the migration, once it has made other tables already.
              yield* sql`CREATE TABLE webhook (id integer)`
              const child = spawn(process.execPath, [worker, url])
              yield* isWaiting(child)
              child.kill("SIGKILL")
              yield* Effect.promise(() => once(child, "exit"))
              return yield* Effect.fail("rolled back" as const)
            })
          )
        }).pipe(Effect.provide(client(url)), Effect.flip)
        expect(killed).toBe("rolled back")
        expect(yield* migrateAtOnce(url, 2)).toEqual([0, 1])
      }).pipe(Effect.scoped),
    60_000
  )
})

/** Options of a session, as the parameter of a URL. */
const options = (text: string) => `?options=${encodeURIComponent(text)}`

/** A role of every server, which may make nothing. */
const asMonitor = options("-c role=pg_monitor")

describe("a database that cannot have the tables", () => {
  it.live.each([
    [
      "is not in UTF-8",
      "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
      "",
      "its encoding is SQL_ASCII; make it with ENCODING 'UTF8' TEMPLATE template0"
    ],
    [
      "is read-only",
      "",
      options("-c default_transaction_read_only=on"),
      "it is read-only; name the primary, or turn default_transaction_read_only off"
    ],
    [
      "is another role's",
      "",
      asMonitor,
      "the role pg_monitor may not make tables in the schema public; let it own the database"
    ]
  ] as const)("because it %s is refused with what helps, and stays empty", ([, made, parameters, message]) =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.on(inject("postgresUrl"), made)
      const { cause } = yield* Effect.flip(Effect.provide(SqlMigrations.migrate, client(`${url}${parameters}`)))
      expect(cause).toMatchObject({ message })
      const tables = yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`
      ).pipe(Effect.provide(client(url), { local: true }))
      expect(tables).toEqual([])
    }).pipe(Effect.scoped)
  )
})

it.live("tables that the role may not read are not taken for an old schema", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    const { reason } = yield* Effect.flip(Effect.provide(SqlMigrations.isCurrent, client(`${url}${asMonitor}`)))
    expect(reason.cause).toMatchObject({ message: "permission denied for table frontdesk_migration" })
  }).pipe(Effect.scoped)
)

/** Waits until the process is held up by a lock. */
const isWaiting = (child: ChildProcess) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    while (child.exitCode === null) {
      // Within a transaction the view stays as it was seen first.
      yield* sql`SELECT pg_stat_clear_snapshot()`
      const found = yield* sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE TABLE webhook %'`
      if (found.length > 0) return
      yield* Effect.sleep("10 millis")
    }
  })
