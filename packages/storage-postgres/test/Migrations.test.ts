import { describe, expect, it } from "@effect/vitest"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as MigrationRunner from "@frontdesk/storage-sql/migrations/MigrationRunner"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { promisify } from "node:util"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

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
              expect(done.map((applied) => Math.min(applied.length, 1)).toSorted((a, b) => a - b)).toEqual([
                0, 0, 0, 0, 0, 0, 0, 1
              ])
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
              yield* isWaiting("CREATE TABLE webhook %")
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

/** What a database that has the first migration needs of it no more. */
const unbroken = { "0001_initial": Effect.die("It is done") }

describe("migrations of a database that is in use", () => {
  it.live(
    "keep nobody waiting where there is nothing to do, not even for a backup, which reads all tables (D-PG-8)",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.make
        yield* Effect.provide(SqlMigrations.migrate, client(url))
        const done = yield* Effect.flatMap(SqlClient, (sql) =>
          sql.withTransaction(
            Effect.andThen(
              sql`SELECT 1 FROM ${sql(SqlMigrations.table)}`,
              Effect.provide(SqlMigrations.migrate, client(url), { local: true })
            )
          )
        ).pipe(Effect.provide(client(url)))
        expect(done).toEqual([])
      }).pipe(Effect.scoped)
  )

  it.live("wait for a table that is read, let others to it meanwhile, and are done when it is free", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* Effect.provide(SqlMigrations.migrate, client(url))
      const tried = yield* Queue.unbounded<unknown>()
      const logger = Logger.make<unknown, void>(({ message }) => void Queue.offerUnsafe(tried, message))
      const later = Effect.asVoid(Effect.flatMap(SqlClient, (sql) => sql`ALTER TABLE contact ADD COLUMN later text`))
      const migrating = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM contact`
            const migrating = yield* MigrationRunner.run({ ...unbroken, "9999_later": later }).pipe(
              Effect.provide(client(url), { local: true }),
              Effect.provideService(Logger.CurrentLoggers, new Set([logger])),
              Effect.forkDetach
            )
            // It would be behind the migration, which does not get the table before this transaction ends.
            yield* isWaiting("ALTER TABLE contact %")
            yield* Effect.flatMap(SqlClient, (sql) => sql`SELECT 1 FROM contact`).pipe(
              Effect.provide(client(url), { local: true })
            )
            expect(yield* Queue.take(tried)).toEqual([
              expect.stringContaining("while others use its tables"),
              expect.anything()
            ])
            return migrating
          })
        )
      }).pipe(Effect.provide(client(url)))
      expect(yield* Fiber.join(migrating)).toEqual([[9999, "later"]])
      // The version before has nothing to do there, and does not mind.
      expect(yield* Effect.provide(SqlMigrations.migrate, client(url))).toEqual([])
      expect(yield* Effect.provide(SqlMigrations.isCurrent, client(url))).toBe(true)
    }).pipe(Effect.scoped)
  )
})

describe("migrations of a role that has limits, as behind a pooler", () => {
  /** A database whose sessions have limits, and a client that sets none. */
  const limited = Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const setting of ["statement_timeout = '1s'", "lock_timeout = '300ms'"]) {
        yield* sql.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
      }
    }).pipe(Effect.provide(client(url), { local: true }))
    return { url, layer: PostgresStorage.layerMigrator({ url: Redacted.make(url), pooler: "transaction" }) }
  })

  it.live("take as long as they take, and wait for each other", () =>
    Effect.gen(function* () {
      const { layer } = yield* limited
      const slow = Effect.flatMap(SqlClient, (sql) => Effect.asVoid(sql`SELECT pg_sleep(2)`))
      const migrate = MigrationRunner.run({ ...unbroken, "9999_later": slow }).pipe(
        Effect.provide(layer, { local: true })
      )
      expect((yield* Effect.all([migrate, migrate], { concurrency: 2 })).flat()).toEqual([[9999, "later"]])
    }).pipe(Effect.scoped)
  )

  it.live(
    "are tried again as often as it takes when their table is in use, and say so once",
    () =>
      Effect.gen(function* () {
        const { layer, url } = yield* limited
        const said = yield* Queue.unbounded<unknown>()
        const logger = Logger.make<unknown, void>(({ message }) => void Queue.offerUnsafe(said, message))
        const migrating = yield* Effect.flatMap(SqlClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE ${sql(SqlMigrations.table)}`
              const migrating = yield* MigrationRunner.run({ ...unbroken, "9999_later": Effect.void }).pipe(
                Effect.provide(layer, { local: true }),
                Effect.provideService(Logger.CurrentLoggers, new Set([logger])),
                Effect.forkDetach
              )
              const tries = new Set<unknown>()
              while (tries.size < 3) {
                yield* isWaiting("%")
                const [one] = yield* sql`SELECT CAST(max(query_start) AS text) AS at FROM pg_stat_activity
                  WHERE datname = current_database() AND wait_event_type = 'Lock'`
                if (one?.["at"] !== null) tries.add(one?.["at"])
                yield* Effect.sleep("10 millis")
              }
              return migrating
            })
          )
        ).pipe(Effect.provide(client(url), { local: true }))
        expect(yield* Fiber.join(migrating)).toEqual([[9999, "later"]])
        expect(yield* Queue.clear(said)).toHaveLength(1)
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
    ],
    [
      "has none of the schemas of the search_path",
      "",
      options("-c search_path=frontdesk,other"),
      "none of the schemas of its search_path exists for the role postgres: frontdesk,other; make one with CREATE SCHEMA, or " +
        "name another in search_path"
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

it.live("a database whose tables are gone is no new installation (D-LITE-6)", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    yield* Effect.flatMap(SqlClient, (sql) => sql`DROP TABLE account CASCADE`).pipe(Effect.provide(client(url)))
    const { cause } = yield* Effect.flip(Effect.provide(SqlMigrations.migrate, client(url)))
    expect(cause).toMatchObject({
      message:
        "its tables are gone, although frontdesk_migration lists them as made; restore a backup, or drop frontdesk_migration for " +
        "a new installation"
    })
  }).pipe(Effect.scoped)
)

it.live("tables that the role may not read are not taken for an old schema", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    const { reason } = yield* Effect.flip(Effect.provide(SqlMigrations.isCurrent, client(`${url}${asMonitor}`)))
    expect(reason.cause).toMatchObject({ message: "permission denied for table frontdesk_migration" })
  }).pipe(Effect.scoped)
)

/** Waits until a statement is held up by a lock. */
const isWaiting = (statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    for (let found = 0; found === 0;) {
      // Within a transaction the view stays as it was seen first.
      yield* sql`SELECT pg_stat_clear_snapshot()`
      found = (yield* sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${statement}`).length
      if (found === 0) yield* Effect.sleep("10 millis")
    }
  })
