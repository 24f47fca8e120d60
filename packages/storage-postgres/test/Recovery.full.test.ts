import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as PostgresServer from "@frontdesk/test-postgres/PostgresServer"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

let server: PostgresServer.PostgresServer
beforeAll(async () => {
  // A commit is in the operating system when it returns, so it survives a crash of the server. The disk need not have
  // it.
  server = await PostgresServer.make({ settings: { synchronous_commit: "on" } })
})
afterAll(() => server.remove())

/** Short timeouts, so that the tests are fast. */
const short = { acquireTimeout: "1 second", statementTimeout: "1 second", connectTimeout: "1 second" } as const

/** A storage in a database of its own. */
const storage = (config: PostgresConfig = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.suspend(() => TestDatabase.on(server.url)),
      (url) => PostgresStorage.layer({ url: Redacted.make(url), ...config })
    )
  )

const insert = (name: string) => Effect.flatMap(TeamStore, (teams) => teams.insert(name))
const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const names = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM team ORDER BY id`, (rows) => rows.map(({ name }) => name))
)

const unavailable = { _tag: "StorageError", reason: "unavailable" }

describe("a database that is lost", () => {
  it.live("makes every statement and transaction fail as unavailable, and is used again after its restart", () =>
    Effect.gen(function* () {
      yield* insert("before")
      const begun = yield* Deferred.make<void>()
      const lost = yield* Deferred.make<void>()
      const open = yield* Effect.forkChild(
        Effect.flip(
          inTransaction(
            insert("open").pipe(
              Effect.andThen(Deferred.succeed(begun, undefined)),
              Effect.andThen(Deferred.await(lost)),
              Effect.andThen(insert("after"))
            )
          )
        )
      )
      yield* Deferred.await(begun)
      yield* Effect.promise(server.crash)
      yield* Deferred.succeed(lost, undefined)
      expect(yield* Fiber.join(open)).toMatchObject(unavailable)
      expect(yield* Effect.flip(insert("down"))).toMatchObject(unavailable)
      expect(yield* Effect.flip(inTransaction(insert("down")))).toMatchObject(unavailable)
      yield* Effect.promise(server.start)
      yield* Effect.retry(insert("back"), { while: (error) => error.reason === "unavailable", times: 20 })
      expect(yield* names).toEqual(["before", "back"])
    }).pipe(Effect.provide(storage(short)))
  )

  it.live("during a transaction that then fails does not replace the failure by a defect", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        inTransaction(
          insert("open").pipe(
            Effect.andThen(Effect.promise(server.crash)),
            Effect.andThen(Effect.fail("refused" as const))
          )
        )
      )
      expect(error).toBe("refused")
      yield* Effect.promise(server.start)
    }).pipe(Effect.provide(storage(short)))
  )

  it.live("during a nested transaction makes the outer transaction fail as unavailable", () =>
    Effect.gen(function* () {
      const inner = inTransaction(Effect.andThen(insert("inner"), Effect.promise(server.crash)))
      const error = yield* Effect.flip(inTransaction(Effect.andThen(inner, insert("outer"))))
      expect(error).toMatchObject(unavailable)
      yield* Effect.promise(server.start)
    }).pipe(Effect.provide(storage(short)))
  )
})

describe("a database that does not respond", () => {
  it.live(
    "makes every statement and transaction fail while it does not respond, and is used again when it responds",
    () =>
      Effect.gen(function* () {
        yield* insert("before")
        const begun = yield* Deferred.make<void>()
        const frozen = yield* Deferred.make<void>()
        const open = yield* Effect.forkChild(
          Effect.exit(
            inTransaction(
              insert("open").pipe(
                Effect.andThen(Deferred.succeed(begun, undefined)),
                Effect.andThen(Deferred.await(frozen))
              )
            )
          )
        )
        yield* Deferred.await(begun)
        yield* Effect.promise(server.freeze)
        yield* Deferred.succeed(frozen, undefined)
        const calls = [...Array(20).keys()].map((index) =>
          Effect.exit(index % 2 === 0 ? insert("frozen") : inTransaction(insert("frozen")))
        )
        // The statements end while the server is frozen, so each has ended by a timeout.
        const ended = [...(yield* Effect.all(calls, { concurrency: "unbounded" })), yield* Fiber.join(open)]
        for (const result of ended) expect(result).toMatchObject({ _tag: "Failure" })
        yield* Effect.promise(server.thaw)
        yield* Effect.retry(insert("back"), {
          while: (error) => error.reason === "unavailable",
          schedule: Schedule.spaced("100 millis"),
          times: 50
        })
      }).pipe(Effect.provide(storage({ ...short, maxConnections: 3 }))),
    30_000
  )
})
