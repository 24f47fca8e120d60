import { describe, expect, it } from "@effect/vitest"
import * as RecordingTracer from "@frontdesk/testing/RecordingTracer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import * as Tracer from "effect/Tracer"
import * as SqliteClient from "@frontdesk/storage-sqlite/SqliteClient"

const layer = SqliteClient.layer({ filename: ":memory:" })

const withTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE item (id TEXT PRIMARY KEY)`
  const insert = (id: string) => sql`INSERT INTO item VALUES (${id})`
  const ids = Effect.map(sql<{ readonly id: string }>`SELECT id FROM item ORDER BY id`, (rows) =>
    rows.map(({ id }) => id)
  )
  return { sql, insert, ids }
})

describe("transactions of the client (D-LITE-13)", () => {
  it.effect("a traced transaction has a span with its end, and is the parent of its statements", () =>
    Effect.gen(function* () {
      const { spans, tracer } = RecordingTracer.make()
      const { insert, sql } = yield* withTable
      const failing = Effect.exit(sql.withTransaction(Effect.andThen(insert("b"), Effect.fail("no"))))
      yield* Effect.provideService(
        sql.withTransaction(Effect.andThen(insert("a"), failing)).pipe(Effect.withSpan("caller")),
        Tracer.Tracer,
        tracer
      )
      const transactions = spans.filter(({ name }) => name === "sql.transaction")
      expect(transactions.map(({ events }) => events.map(([name]) => name))).toEqual([
        ["effect.sql.transaction.commit"],
        ["effect.sql.transaction.rollback"]
      ])
      expect(transactions.map(({ attributes }) => attributes.get("db.system.name"))).toEqual(["sqlite", "sqlite"])
      const parents = spans
        .filter(({ kind }) => kind === "client")
        .map(({ parent }) => (parent._tag === "Some" ? parent.value.spanId : ""))
      expect(parents).toEqual(transactions.map(({ spanId }) => spanId))
    }).pipe(Effect.provide(layer))
  )

  it.effect("what waits for the commit of a nested transaction runs after the outermost one, unless either fails", () =>
    Effect.gen(function* () {
      const { insert, sql } = yield* withTable
      const done: Array<string> = []
      const after = (name: string) => sql.afterCommit(Effect.sync(() => void done.push(name)))
      const inner = (name: string) => sql.withTransaction(Effect.andThen(insert(name), after(name)))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* inner("a")
          yield* Effect.exit(sql.withTransaction(Effect.andThen(after("undone"), Effect.fail("no"))))
          yield* after("outer")
          expect(done).toEqual([])
        })
      )
      expect(done).toEqual(["a", "outer"])
      yield* Effect.exit(sql.withTransaction(Effect.andThen(inner("b"), Effect.fail("no"))))
      expect(done).toEqual(["a", "outer"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("queries are invalidated after the COMMIT", () =>
    Effect.gen(function* () {
      const { insert, sql } = yield* withTable
      const reactivity = yield* Reactivity.Reactivity
      let invalidated = 0
      reactivity.registerUnsafe(["item"], () => {
        invalidated += 1
      })
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* Reactivity.mutation(insert("a"), ["item"])
          expect(invalidated).toBe(0)
        })
      )
      expect(invalidated).toBe(1)
    }).pipe(Effect.provide(Layer.merge(layer, Reactivity.layer)))
  )

  it.effect("nested transactions of several fibers run one after another", () =>
    Effect.gen(function* () {
      const { ids, insert, sql } = yield* withTable
      const finish = yield* Deferred.make<void>()
      const exits = yield* sql.withTransaction(
        Effect.gen(function* () {
          const slow = yield* Effect.forkChild(
            sql.withTransaction(
              Effect.andThen(insert("slow"), Effect.andThen(Deferred.await(finish), Effect.fail("no")))
            )
          )
          yield* Effect.yieldNow
          const other = yield* Effect.forkChild(sql.withTransaction(insert("other")))
          yield* Effect.yieldNow
          yield* Deferred.succeed(finish, undefined)
          return [yield* Fiber.await(slow), yield* Fiber.await(other)]
        })
      )
      expect(exits.map(Exit.isSuccess)).toEqual([false, true])
      expect(yield* ids).toEqual(["other"])
    }).pipe(Effect.provide(layer))
  )
})
