import { PgClient } from "@effect/sql-pg/PgClient"
import { describe, expect, it } from "@effect/vitest"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as PgBouncer from "@frontdesk/test-postgres/PgBouncer"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import { afterAll, beforeAll, inject } from "vitest"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresSignals from "@frontdesk/storage-postgres/PostgresSignals"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

let pooler: PgBouncer.PgBouncer

describe.skipIf(PgBouncer.path === undefined)(`behind PgBouncer in transaction mode${PgBouncer.skipped}`, () => {
  beforeAll(async () => {
    pooler = await PgBouncer.make(inject("postgresUrl"))
  })
  afterAll(() => pooler.remove())

  /** Makes a new database, and returns its URLs: `url` through the pooler, `listenUrl` directly. */
  const newDatabase = Effect.map(
    Effect.suspend(() => TestDatabase.make),
    (url) => ({ url: Redacted.make(pooler.through(url)), listenUrl: Redacted.make(url) })
  )

  storageSuite(
    "PostgreSQL behind PgBouncer",
    Layer.unwrap(Effect.map(newDatabase, ({ url }) => PostgresStorage.layer({ url, pooler: "transaction" })))
  )

  const node = (config: PostgresConfig) =>
    Layer.build(
      Layer.merge(PostgresSignals.layer(config), DeliverySignal.layer).pipe(
        Layer.provideMerge(PostgresClient.layer(config))
      )
    )

  it.live("a signal reaches other nodes, which listen without the pooler", () =>
    Effect.gen(function* () {
      const config = { ...(yield* newDatabase), pooler: "transaction" } as const
      const one = Context.get(yield* node(config), DeliverySignal)
      const two = Context.get(yield* node(config), DeliverySignal)
      const latch = yield* two.listen
      // The node notifies its own workers when it begins to listen.
      yield* latch.await
      latch.closeUnsafe()
      yield* one.notify
      yield* latch.await
    }).pipe(Effect.scoped)
  )

  it.live("more transactions than the pooler has connections all commit, over at most those connections", () =>
    Effect.gen(function* () {
      const { url } = yield* newDatabase
      const client = Context.get(yield* node({ url, pooler: "transaction", maxConnections: 30 }), PgClient)
      yield* client`CREATE TABLE counter (total integer)`
      yield* client`INSERT INTO counter VALUES (0)`
      const add = client.withTransaction(
        Effect.andThen(client`SELECT total FROM counter FOR UPDATE`, client`UPDATE counter SET total = total + 1`)
      )
      yield* Effect.all(
        Array.from({ length: 100 }, () => add),
        { concurrency: "unbounded" }
      )
      expect(yield* client`SELECT total FROM counter`).toEqual([{ total: 100 }])
      const sessions =
        yield* client`SELECT count(*) > 1 AS some, count(*) <= ${PgBouncer.poolSize} AS few FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'`
      expect(sessions).toEqual([{ some: true, few: true }])
    }).pipe(Effect.scoped)
  )

  it.live("a client without the pooler option fails, because it sets timeouts for its session", () =>
    Effect.gen(function* () {
      const { url } = yield* newDatabase
      const { reason } = yield* Effect.flip(Effect.scoped(PostgresClient.make({ url })))
      expect(String(reason.cause)).toMatch(/unsupported startup parameter: \w+_timeout/)
    }).pipe(Effect.provide(Reactivity.layer))
  )
})
