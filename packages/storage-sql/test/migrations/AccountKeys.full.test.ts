import { describe, expect, it } from "@effect/vitest"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import { migrations } from "@frontdesk/storage-sql/migrations/Migrations"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { deliveries, fill, insertChildren } from "./FilledDatabase.ts"
import * as OldSchema from "./OldSchema.ts"

/** A database of the version before, with rows, and its client. */
const filled = Effect.gen(function* () {
  const url = yield* TestDatabase.makeInEnglish
  const client = PostgresStorage.layerClient({ url: Redacted.make(url), maxConnections: 4 })
  yield* Effect.andThen(OldSchema.migrateTo(20), fill).pipe(Effect.provide(client))
  return client
})

/** The definitions of the keys of the tables, except the foreign keys to accounts and teams. */
const keys = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ name: string; definition: string }>`SELECT CAST(conname AS text) AS name,
      CAST(conrelid AS regclass)::text || ' ' || pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND connamespace = to_regnamespace(current_schema())
      AND confrelid NOT IN (SELECT oid FROM pg_class WHERE relname IN ('account', 'team'))
    ORDER BY 2`
)

const definitions = Effect.map(keys, (rows) => rows.map(({ definition }) => definition))

describe("the migration to keys with accounts of a filled PostgreSQL database", () => {
  it.live("puts the account first in primary keys and in foreign keys within an account (D-PG-33)", () =>
    Effect.gen(function* () {
      const client = yield* filled
      yield* Effect.gen(function* () {
        yield* SqlMigrations.migrate
        const found = yield* definitions
        for (const definition of [
          "calendar_event PRIMARY KEY (account_id, id)",
          "calendar_event UNIQUE (id)",
          "reminder PRIMARY KEY (account_id, event_id, due_at)",
          "reminder UNIQUE (event_id, due_at)",
          "reminder FOREIGN KEY (account_id, event_id) REFERENCES calendar_event(account_id, id) ON DELETE CASCADE",
          "webhook_attempt FOREIGN KEY (account_id, delivery_id) REFERENCES webhook_delivery(account_id, id) ON DELETE CASCADE",
          "call FOREIGN KEY (agent_id) REFERENCES agent(id)",
          "call FOREIGN KEY (contact_id) REFERENCES contact(id) ON DELETE SET NULL"
        ]) {
          expect(found).toContain(definition)
        }
        expect(found.filter((definition) => definition.endsWith("NOT VALID"))).toEqual([])
      }).pipe(Effect.provide(client))
      const fresh = PostgresStorage.layerClient({ url: Redacted.make(yield* TestDatabase.makeInEnglish) })
      yield* Effect.provide(SqlMigrations.migrate, fresh)
      expect(yield* Effect.provide(keys, client)).toEqual(yield* Effect.provide(keys, fresh))
    }).pipe(Effect.scoped)
  )

  it.live("rejects a row of another account than its parent, and deletes children with their parent", () =>
    Effect.gen(function* () {
      const client = yield* filled
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* SqlMigrations.migrate
        const insert = sql`INSERT INTO contact_tag (account_id, contact_id, position, tag) VALUES (2, 1, 9, 'wrong')`
        expect((yield* Effect.flip(insert)).reason._tag).toBe("ConstraintError")
        yield* sql`DELETE FROM contact WHERE id = 1`
        expect(yield* sql`SELECT 1 FROM contact_tag WHERE contact_id = 1`).toEqual([])
        expect(yield* sql`SELECT 1 FROM call WHERE contact_id = 1`).toEqual([])
        yield* sql`DELETE FROM webhook WHERE id = 2`
        expect(yield* sql`SELECT 1 FROM webhook_attempt WHERE account_id = 2`).toEqual([])
      }).pipe(Effect.provide(client))
    }).pipe(Effect.scoped)
  )

  it.live("continues after a process that stopped while it built an index, and lets older servers write", () =>
    Effect.gen(function* () {
      const client = yield* filled
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* OldSchema.migrateTo(23)
        // Such a process leaves an index that exists and is invalid.
        yield* sql`CREATE UNIQUE INDEX webhook_delivery_account_pkey ON webhook_delivery (account_id, id)`
        yield* sql`UPDATE pg_index SET indisvalid = FALSE
          WHERE indexrelid = 'webhook_delivery_account_pkey'::regclass`
        const before = yield* definitions
        const writing = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 100 }),
            (_, index) =>
              Effect.flatMap(SqlClient, (own) => own.withTransaction(insertChildren(deliveries + 1 + index, 1))).pipe(
                Effect.provide(client, { local: true }),
                // PostgreSQL may end either side of a deadlock, and servers repeat what has failed with one.
                Effect.retry({ times: 10, while: (error) => error.reason._tag === "DeadlockError" })
              ),
            { discard: true }
          )
        )
        const applied = yield* Effect.all(
          [SqlMigrations.migrate, Effect.provide(SqlMigrations.migrate, Layer.fresh(client))],
          {
            concurrency: 2
          }
        )
        // Each is applied once, by either process.
        expect(applied.flat().toSorted(([a], [b]) => a - b)).toEqual(
          Object.keys(migrations)
            .map((name) => [Number(name.slice(0, 4)), name.slice(5)])
            .filter(([id]) => Number(id) >= 24)
        )
        yield* Fiber.join(writing)
        expect(yield* definitions).not.toEqual(before)
        const [rows] = yield* sql<{ count: number }>`SELECT CAST(count(*) AS integer) AS count FROM webhook_attempt`
        expect(rows?.count).toBe(deliveries + 100)
        expect(yield* sql`SELECT 1 FROM pg_index WHERE NOT indisvalid`).toEqual([])
      }).pipe(Effect.provide(client))
    }).pipe(Effect.scoped)
  )
})
