import { describe, expect, it } from "@effect/vitest"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"

describe("turns on the connection that writes", () => {
  it.effect("a worker waits for at most one request, however many requests are waiting before it (D-LOAD-7)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const order: Array<string> = []
      const finish = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const write = (name: string) => sql.withTransaction(Effect.sync(() => order.push(name)))
      const first = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(finish)))
      )
      yield* Deferred.await(begun)
      const requests = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(write("request")))
      const workers = yield* Effect.forEach(Array.from({ length: 3 }), () =>
        Effect.forkChild(Effect.provideService(write("worker"), CurrentWorkload, "worker"))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(finish, undefined)
      for (const fiber of [...requests, ...workers]) yield* Fiber.join(fiber)
      yield* Fiber.join(first)
      expect(order).toHaveLength(53)
      // Turns alternate, so at most four requests come before the third worker.
      expect(order.lastIndexOf("worker")).toBeLessThanOrEqual(6)
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )

  it.effect("a thousand transactions that wait for one all run after it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const finish = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      yield* sql`CREATE TABLE item (id INTEGER)`
      const first = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(finish)))
      )
      yield* Deferred.await(begun)
      const waiting = yield* Effect.forEach(Array.from({ length: 1_000 }), (_, id) =>
        Effect.forkChild(sql.withTransaction(sql`INSERT INTO item VALUES (${id})`))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(first)
      for (const fiber of waiting) yield* Fiber.join(fiber)
      expect(yield* sql`SELECT count(*) AS count FROM item`).toEqual([{ count: 1_000 }])
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )

  it.effect("a transaction that is interrupted while it waits or has its turn does not block later ones", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const begun = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Deferred.await(begun)
      const waiting = yield* Effect.forkChild(sql.withTransaction(Effect.void))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      yield* sql.withTransaction(Effect.void)
      yield* sql`SELECT changes()`
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})
