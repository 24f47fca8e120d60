import { describe, expect, it } from "@effect/vitest"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as MigrationRunner from "@frontdesk/storage-sql/migrations/MigrationRunner"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { promisify } from "node:util"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import { untilWaiting } from "./LockWaits.ts"
import * as LogEvents from "./LogEvents.ts"

const run = promisify(execFile)

const worker = fileURLToPath(new URL("migrateWorker.ts", import.meta.url))

const client = (url: string) => PostgresStorage.layerMigrator({ url: Redacted.make(url), maxConnections: 4 })

/** Starts processes at once. Returns a 1 for each one that applied migrations and a 0 for each other, sorted. */
const migrateInProcesses = (url: string, processes: number) =>
  Effect.promise(async () => {
    const workers = Array.from({ length: processes }, () => run(process.execPath, [worker, url]))
    return (await Promise.all(workers)).map(({ stdout }) => Number(stdout)).toSorted((a, b) => a - b)
  })

/** Short, because these tests wait until a migration is tried again. */
const shortWait = Effect.provideService(MigrationRunner.LockWait, {
  timeout: Duration.millis(50),
  pause: Duration.millis(10)
})

describe("migrations of an empty database", () => {
  it.live(
    "are applied by one of two processes that start at once, and the other applies none",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.make
        expect(yield* migrateInProcesses(url, 2)).toEqual([0, 1])
        expect(yield* Effect.provide(SqlMigrations.isCurrent, client(url))).toBe(true)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "are applied by one of eight clients that start at once, in each of two rounds",
    () =>
      Effect.gen(function* () {
        for (let round = 0; round < 2; round++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const url = yield* TestDatabase.make
              const migrate = Effect.provide(SqlMigrations.migrate, client(url), { local: true })
              const applied = yield* Effect.all(
                Array.from({ length: 8 }, () => migrate),
                { concurrency: "unbounded" }
              )
              expect(applied.filter((migrations) => migrations.length > 0)).toHaveLength(1)
            })
          )
        }
      }),
    60_000
  )

  it.live(
    "leave nothing behind when their process is killed in the middle, and the next process applies them all",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabase.make
        const error = yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              // The migration has already created other tables when it waits for this one.
              yield* sql`CREATE TABLE webhook (id integer)`
              const child = spawn(process.execPath, [worker, url])
              yield* untilWaiting("CREATE TABLE webhook %")
              child.kill("SIGKILL")
              yield* Effect.promise(() => once(child, "exit"))
              return yield* Effect.fail("rolled back" as const)
            })
          )
        }).pipe(Effect.provide(client(url)), Effect.flip)
        expect(error).toBe("rolled back")
        expect((yield* Effect.provide(SqlMigrations.migrate, client(url)))[0]).toEqual([1, "initial"])
      }).pipe(Effect.scoped),
    60_000
  )
})

/** Replaces the first migration, which has already run. */
const applied = { "0001_initial": Effect.die("The first migration must not run again") }

describe("migrations of a database that is in use", () => {
  it.live("end at once when there is nothing to apply, even while a backup reads the list of migrations (D-PG-8)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* Effect.provide(SqlMigrations.migrate, client(url))
      const migrated = yield* Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(
            sql`SELECT 1 FROM ${sql(SqlMigrations.table)}`,
            Effect.provide(SqlMigrations.migrate, client(url), { local: true })
          )
        )
      ).pipe(Effect.provide(client(url)))
      expect(migrated).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("let other transactions read a table while they wait for it, and succeed when it is free", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      yield* Effect.provide(SqlMigrations.migrate, client(url))
      const { captured, lines } = yield* LogEvents.capture
      const later = Effect.asVoid(Effect.flatMap(SqlClient, (sql) => sql`ALTER TABLE contact ADD COLUMN later text`))
      const migrating = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM contact`
            const migrating = yield* MigrationRunner.run({ ...applied, "9999_later": later }).pipe(
              Effect.provide(client(url), { local: true }),
              Effect.provideService(MigrationRunner.LockWait, {
                timeout: Duration.millis(300),
                pause: Duration.millis(10)
              }),
              captured,
              Effect.forkDetach
            )
            yield* untilWaiting("ALTER TABLE contact %")
            // This read waits behind the migration, which cannot get the table before this transaction ends.
            yield* Effect.flatMap(SqlClient, (sql) => sql`SELECT 1 FROM contact`).pipe(
              Effect.provide(client(url), { local: true })
            )
            expect((yield* Queue.take(lines)).event).toBe("schema.in_use")
            return migrating
          })
        )
      }).pipe(Effect.provide(client(url)))
      expect(yield* Fiber.join(migrating)).toEqual([[9999, "later"]])
      // A server of an older version has nothing to apply, and accepts the newer schema.
      expect(yield* Effect.provide(SqlMigrations.migrate, client(url))).toEqual([])
      expect(yield* Effect.provide(SqlMigrations.isCurrent, client(url))).toBe(true)
    }).pipe(Effect.scoped)
  )
})

describe("migrations of a role with timeouts, as behind a pooler", () => {
  /** A database whose sessions have timeouts, and a client that sets none. */
  const withTimeouts = Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const setting of ["statement_timeout = '5s'", "lock_timeout = '100ms'"]) {
        yield* sql.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
      }
    }).pipe(Effect.provide(client(url), { local: true }))
    return { url, layer: PostgresStorage.layerMigrator({ url: Redacted.make(url), pooler: "transaction" }) }
  })

  it.live("have no statement timeout, and wait for each other beyond the lock timeout", () =>
    Effect.gen(function* () {
      const { layer } = yield* withTimeouts
      const { captured, lines } = yield* LogEvents.capture
      // Ends only after the waiting migration has met its lock timeout and tries again.
      const slow = Effect.gen(function* () {
        const sql = yield* SqlClient
        expect(yield* sql`SELECT current_setting('statement_timeout') AS value`).toEqual([{ value: "0" }])
        expect((yield* Queue.take(lines)).event).toBe("schema.in_use")
      })
      const migrate = MigrationRunner.run({ ...applied, "9999_later": slow }).pipe(
        Effect.provide(layer, { local: true }),
        shortWait,
        captured
      )
      expect((yield* Effect.all([migrate, migrate], { concurrency: 2 })).flat()).toEqual([[9999, "later"]])
    }).pipe(Effect.scoped)
  )

  it.live(
    "are tried again until their table is free, and log that once",
    () =>
      Effect.gen(function* () {
        const { layer, url } = yield* withTimeouts
        const { captured, lines } = yield* LogEvents.capture
        const migrating = yield* Effect.flatMap(SqlClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE ${sql(SqlMigrations.table)}`
              const migrating = yield* MigrationRunner.run({ ...applied, "9999_later": Effect.void }).pipe(
                Effect.provide(layer, { local: true }),
                shortWait,
                captured,
                Effect.forkDetach
              )
              const tries = new Set<unknown>()
              while (tries.size < 3) {
                yield* untilWaiting("%")
                const [waiting] = yield* sql`SELECT CAST(max(query_start) AS text) AS since FROM pg_stat_activity
                  WHERE datname = current_database() AND wait_event_type = 'Lock'`
                if (waiting?.["since"] !== null) tries.add(waiting?.["since"])
              }
              return migrating
            })
          )
        ).pipe(Effect.provide(client(url), { local: true }))
        expect(yield* Fiber.join(migrating)).toEqual([[9999, "later"]])
        expect((yield* Queue.clear(lines)).map(({ event }) => event)).toEqual(["schema.in_use"])
      }).pipe(Effect.scoped),
    60_000
  )
})

/** Returns options of a session as the parameter of a URL. */
const options = (text: string) => `?options=${encodeURIComponent(text)}`

/** A role that every server has, and that cannot create tables. */
const asMonitor = options("-c role=pg_monitor")

describe("a database that cannot have the tables", () => {
  it.live.each([
    [
      "is not in UTF-8",
      "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
      "",
      "its encoding is SQL_ASCII; create it with ENCODING 'UTF8' TEMPLATE template0"
    ],
    [
      "is read-only",
      "",
      options("-c default_transaction_read_only=on"),
      "it is read-only; connect to the primary, or turn default_transaction_read_only off"
    ],
    [
      "belongs to another role",
      "",
      asMonitor,
      "the role pg_monitor cannot create tables in the schema public; make it the owner of the database"
    ],
    [
      "has no schema of the search_path",
      "",
      options("-c search_path=frontdesk,other"),
      "no schema of its search_path exists for the role postgres: frontdesk,other; create one with CREATE SCHEMA, or " +
        "put another one into search_path"
    ]
  ] as const)(
    "because it %s is rejected with a message that says what to do, and stays empty (D-PG-26)",
    ([, made, parameters, message]) =>
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

it.live("a database with tables keeps the migrations before one that fails, and continues after them (D-PG-8)", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    let runs = 0
    const first = Effect.sync(() => void (runs += 1))
    const broken = Effect.flatMap(SqlClient, (sql) => sql.unsafe("SELECT no_such_column"))
    const migrate = (last: Effect.Effect<unknown, SqlError, SqlClient>) =>
      MigrationRunner.run({ ...applied, "9998_first": first, "9999_last": Effect.asVoid(last) }).pipe(
        Effect.provide(client(url), { local: true })
      )
    yield* Effect.flip(migrate(broken))
    expect(yield* migrate(Effect.void)).toEqual([[9999, "last"]])
    expect(runs).toBe(1)
  }).pipe(Effect.scoped)
)

it.live("migrations of a database whose tables are gone fail instead of creating a new installation (D-LITE-6)", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    yield* Effect.flatMap(SqlClient, (sql) => sql`DROP TABLE account CASCADE`).pipe(Effect.provide(client(url)))
    const { cause } = yield* Effect.flip(Effect.provide(SqlMigrations.migrate, client(url)))
    expect(cause).toMatchObject({
      message:
        "its tables are gone, although frontdesk_migration lists them as created; restore a backup, or drop frontdesk_migration for " +
        "a new installation"
    })
  }).pipe(Effect.scoped)
)

it.live("isCurrent fails when the role has no permission to read the tables, instead of reporting an old schema", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.make
    yield* Effect.provide(SqlMigrations.migrate, client(url))
    const { reason } = yield* Effect.flip(Effect.provide(SqlMigrations.isCurrent, client(`${url}${asMonitor}`)))
    expect(reason.cause).toMatchObject({ message: "permission denied for table frontdesk_migration" })
  }).pipe(Effect.scoped)
)
