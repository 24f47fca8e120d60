import { describe, expect, it } from "@effect/vitest"
import { KeyDigest } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import type { TeamId } from "@frontdesk/core/access/Team"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as SqlStorage from "@frontdesk/storage-sql/SqlStorage"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** A database that other tests use afterwards, from which the triggers of {@link onInsert} are removed. */
const database = Effect.tap(TestDatabase.withTables, (url) =>
  Effect.addFinalizer(() =>
    run("DROP FUNCTION IF EXISTS trouble() CASCADE").pipe(
      Effect.provide(PostgresStorage.layerMigrator({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
      Effect.orDie
    )
  )
)

const storageIn = (url: string, config: PostgresConfig = {}) =>
  PostgresStorage.layer({ url: Redacted.make(url), ...config })

const storage = (config: PostgresConfig = {}) => Layer.unwrap(Effect.map(database, (url) => storageIn(url, config)))

/** A storage that finds deadlocks soon, in a new database: other tests count the deadlocks of a lent database. */
const storageInNewDatabase = Layer.unwrap(
  Effect.map(TestDatabase.make, (url) => storageIn(`${url}?options=-c%20deadlock_timeout%3D20ms`))
)

const insert = (name: string) => Effect.flatMap(TeamStore, (teams) => teams.insert(name))
const rename = (id: number, name: string) =>
  Effect.flatMap(SqlClient, (sql) => sql`UPDATE team SET name = ${name} WHERE id = ${id}`)
const run = (statement: string) => Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement))

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const unavailable = { _tag: "StorageError", reason: "unavailable" }

const names = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM team ORDER BY name`, (rows) => rows.map(({ name }) => name))
)

/** Adds a trigger that runs a body for each inserted team. */
const onInsert = (body: string, when = "BEFORE INSERT ON team", deferred = "") =>
  Effect.andThen(
    run(`CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`),
    run(
      `CREATE ${deferred === "" ? "" : "CONSTRAINT "}TRIGGER trouble ${when} ${deferred} FOR EACH ROW EXECUTE FUNCTION trouble()`
    )
  )

/** Adds a team in a transaction that fails. Returns the failure, and how often the transaction ran. */
const failingInsert = Effect.gen(function* () {
  let runs = 0
  const counted = Effect.suspend(() => {
    runs += 1
    return insert("x")
  })
  const error = yield* Effect.flip(inTransaction(counted))
  return { error, runs }
})

const terminate = "PERFORM pg_terminate_backend(pg_backend_pid())"

describe("a transaction with a conflict", () => {
  it.live("is repeated after a deadlock, so that both transactions commit (D-PG-4)", () =>
    Effect.gen(function* () {
      const first = yield* insert("first")
      const second = yield* insert("second")
      const both = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
      let runs = 0
      const cross = (name: string, mine: TeamId, other: TeamId, at: 0 | 1) =>
        inTransaction(
          Effect.gen(function* () {
            runs += 1
            yield* (yield* TeamStore).rename(mine, name)
            yield* Deferred.succeed(both[at], undefined)
            yield* Deferred.await(both[at === 0 ? 1 : 0])
            yield* (yield* TeamStore).rename(other, name)
          })
        )
      yield* Effect.all([cross("a", first.id, second.id, 0), cross("b", second.id, first.id, 1)], {
        concurrency: "unbounded"
      })
      expect(runs).toBe(3)
    }).pipe(Effect.provide(storageInNewDatabase))
  )

  it.live("is repeated four times after a conflict at its COMMIT, and then fails as a conflict (D-PG-4)", () =>
    Effect.gen(function* () {
      yield* onInsert(
        "RAISE EXCEPTION 'lost' USING ERRCODE = '40001'",
        "AFTER INSERT ON team",
        "DEFERRABLE INITIALLY DEFERRED"
      )
      const { error, runs } = yield* failingInsert
      expect(error).toMatchObject({ reason: "conflict" })
      expect(runs).toBe(5)
    }).pipe(Effect.provide(storage()))
  )

  it.live("inside another transaction is not repeated; the outer transaction is", () =>
    Effect.gen(function* () {
      yield* onInsert("RAISE EXCEPTION 'lost' USING ERRCODE = '40P01'")
      let inner = 0
      let outer = 0
      const nested = inTransaction(
        Effect.andThen(
          Effect.sync(() => inner++),
          insert("x")
        )
      )
      yield* Effect.flip(
        inTransaction(
          Effect.andThen(
            Effect.sync(() => outer++),
            nested
          )
        )
      )
      // Only the outer transaction is repeated. If the inner one were repeated too, it would run 25 times.
      expect([outer, inner]).toEqual([5, 5])
    }).pipe(Effect.provide(storage()))
  )
})

describe("a transaction with a statement that cannot be sent", () => {
  it.live("is rolled back before its connection is used again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unsendable = sql.unsafe("SELECT $1", [{ no: "parameter" }])
      yield* Effect.flip(inTransaction(Effect.andThen(insert("x"), unsendable)))
      expect(yield* names).toEqual([])
    }).pipe(Effect.provide(storage({ maxConnections: 1 })))
  )
})

describe("a COMMIT whose answer is lost", () => {
  it.live("is not repeated, because it may have taken effect", () =>
    Effect.gen(function* () {
      yield* onInsert(terminate, "AFTER INSERT ON team", "DEFERRABLE INITIALLY DEFERRED")
      const { error, runs } = yield* failingInsert
      expect(error).toMatchObject(unavailable)
      expect(runs).toBe(1)
    }).pipe(Effect.provide(storage()))
  )
})

describe("a statement fails as unavailable", () => {
  it.live("when the server ends its connection", () =>
    Effect.gen(function* () {
      yield* onInsert(terminate)
      expect(yield* Effect.flip(insert("x"))).toMatchObject(unavailable)
      expect(yield* Effect.flip(inTransaction(insert("x")))).toMatchObject(unavailable)
      yield* run("DROP TRIGGER trouble ON team")
      yield* insert("after")
    }).pipe(Effect.provide(storage()))
  )

  it.live("when it takes too long (D-PG-1)", () =>
    Effect.gen(function* () {
      // The server measures the real time of a statement. The statements of the preparation have no timeout.
      yield* inTransaction(Effect.andThen(run("SET LOCAL statement_timeout = 0"), onInsert("PERFORM pg_sleep(60)")))
      expect(yield* Effect.flip(insert("x"))).toMatchObject(unavailable)
    }).pipe(Effect.provide(storage({ statementTimeout: "100 millis" })))
  )

  it.live("when it waits too long for a lock or for a connection", () =>
    Effect.gen(function* () {
      const team = yield* insert("x")
      const locked = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        inTransaction(
          Effect.andThen(rename(team.id, "renamed"), Effect.andThen(Deferred.succeed(locked, undefined), Effect.never))
        )
      )
      yield* Deferred.await(locked)
      const teams = yield* TeamStore
      expect(yield* Effect.flip(teams.rename(team.id, "y"))).toMatchObject({
        ...unavailable,
        cause: { reason: { _tag: "LockTimeoutError" } }
      })
      const acquired = yield* Deferred.make<void>()
      const second = yield* Effect.forkChild(
        inTransaction(Effect.andThen(Deferred.succeed(acquired, undefined), Effect.never))
      )
      yield* Deferred.await(acquired)
      const late = yield* Effect.flip(inTransaction(teams.find(team.id)))
      expect(late).toMatchObject({ ...unavailable, cause: { reason: { operation: "acquire" } } })
      yield* Fiber.interruptAll([holder, second])
      expect(yield* names).toEqual(["x"])
      // The timeouts are real. Every connection of this test must be opened within the second one.
    }).pipe(Effect.provide(storage({ lockTimeout: "100 millis", acquireTimeout: "500 millis", maxConnections: 2 })))
  )

  it.live("when the server is read-only, as the old primary may be after a failover", () =>
    Effect.gen(function* () {
      yield* run("SET default_transaction_read_only = on")
      expect(yield* Effect.flip(insert("x"))).toMatchObject(unavailable)
    }).pipe(Effect.provide(storage({ maxConnections: 1 })))
  )

  it.live("when the server accepts no more connections (D-PG-5)", () =>
    Effect.gen(function* () {
      const url = new URL(yield* TestDatabase.make)
      const role = `few_${url.pathname.slice(1)}`
      const asOwner = PostgresStorage.layer({ url: Redacted.make(url.href) })
      yield* Effect.acquireRelease(
        Effect.provide(
          run(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 1 IN ROLE pg_write_all_data, pg_read_all_data`),
          asOwner
        ),
        () => Effect.ignore(Effect.provide(run(`DROP ROLE ${role}`), asOwner))
      )
      url.username = role
      const few = Layer.provide(SqlStorage.layer, PostgresStorage.layerClient({ url: Redacted.make(url.href) }))
      const error = yield* Effect.provide(
        Effect.gen(function* () {
          const begun = yield* Deferred.make<void>()
          yield* Effect.forkScoped(inTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)))
          yield* Deferred.await(begun)
          return yield* Effect.flip(insert("x"))
        }).pipe(Effect.scoped),
        few
      )
      expect(error).toMatchObject({ ...unavailable, cause: { reason: { cause: { code: "53300" } } } })
    }).pipe(Effect.scoped)
  )
})

describe("a statement that violates a constraint", () => {
  it.live("fails with an error that shows no value of the row (D-PG-27)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const digest = "0123456789abcdef".repeat(4)
      const insertKey = Effect.flatMap(ApiKeyStore, (store) =>
        store.insert({
          accountId: account.id,
          name: "key",
          permissions: [],
          prefix: "fd_",
          expiresAt: null,
          createdAt: Samples.now,
          digest: KeyDigest.make(digest)
        })
      )
      yield* insertKey
      const error = yield* Effect.flip(insertKey)
      expect(error.reason).toBe("duplicate")
      expect(JSON.stringify(error)).not.toContain(digest)
    }).pipe(Effect.provide(storage()))
  )
})

describe("a process that is frozen in a transaction", () => {
  it.live("keeps its locks until the server ends the transaction, and changes nothing when it continues (D-PG-1)", () =>
    Effect.gen(function* () {
      const team = yield* insert("before")
      const locked = yield* Deferred.make<void>()
      const thawed = yield* Deferred.make<void>()
      const frozen = yield* Effect.forkChild(
        Effect.flip(
          inTransaction(
            Effect.gen(function* () {
              yield* (yield* TeamStore).rename(team.id, "frozen")
              yield* Deferred.succeed(locked, undefined)
              yield* Deferred.await(thawed)
              yield* (yield* TeamStore).rename(team.id, "late")
            })
          )
        )
      )
      yield* Deferred.await(locked)
      yield* (yield* TeamStore).rename(team.id, "after")
      yield* Deferred.succeed(thawed, undefined)
      expect(yield* Fiber.join(frozen)).toMatchObject(unavailable)
      expect(yield* names).toEqual(["after"])
      // The server measures the real time between two statements of a transaction.
    }).pipe(Effect.provide(storage({ idleInTransactionTimeout: "500 millis" })))
  )
})
