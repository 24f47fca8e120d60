import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import { accountOf, deliveries, fill, insertChildren } from "./FilledDatabase.ts"
import * as OldSchema from "./OldSchema.ts"

/** Returns the number of rows of each child table, and how many have another account than their parent, or none. */
const wrongAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const counts: Record<string, ReadonlyArray<number>> = {}
  for (const [table, parent, key] of [
    ["api_key_hash", "api_key", "api_key_id"],
    ["reminder", "calendar_event", "event_id"],
    ["outbox_task", "calendar_event", "event_id"],
    ["webhook_delivery", "webhook", "webhook_id"],
    ["webhook_attempt", "webhook_delivery", "delivery_id"]
  ] as const) {
    const [found] = yield* sql.unsafe<{ all: unknown; right: unknown }>(
      `SELECT count(*) AS "all", count(CASE WHEN child.account_id = parent.account_id THEN 1 END) AS "right"
        FROM ${table} AS child LEFT JOIN ${parent} AS parent ON parent.id = child.${key}`
    )
    counts[table] = [Number(found?.all), Number(found?.all) - Number(found?.right)]
  }
  return counts
})

const counts = (few: number, many: number) => ({
  api_key_hash: [few, 0],
  reminder: [few, 0],
  outbox_task: [few, 0],
  webhook_delivery: [many, 0],
  webhook_attempt: [many, 0]
})

describe.each(emptyDatabases)(
  "the migration to accounts of all rows of a filled database, on %s",
  (name, emptyDatabase) => {
    it.live("gives every row the account of its parent, also rows that an older server inserts later (D-STO-15)", () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          yield* Effect.andThen(OldSchema.migrateTo(20), fill)
          yield* SqlMigrations.migrate
          expect(yield* wrongAccounts).toEqual(counts(3, deliveries))
          yield* insertChildren(deliveries + 1, 6)
          expect(yield* wrongAccounts).toEqual(counts(6, deliveries + 6))
        }).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const tasks = yield* (yield* OutboxStore).claim(Samples.now, Samples.later(1), 10)
          expect(tasks.map(({ accountId }) => accountId)).toEqual([2, 3, 1, 3, 1, 2].map((id) => AccountId.make(id)))
          const claimed = yield* Deliveries.claim(1, { limit: 100, perWebhook: 100 })
          // Three accounts share the places. Each stops at three times as many as stay free (D-DEL-31).
          expect(claimed).toHaveLength(90)
          expect(claimed.every(({ accountId, key }) => accountId === accountOf(key))).toBe(true)
        }).pipe(Effect.provide(storage))
      }).pipe(Effect.scoped)
    )

    it.live.skipIf(name === "SQLite")("makes the account required, and leaves no check behind", () =>
      Effect.gen(function* () {
        const { client } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* Effect.andThen(OldSchema.migrateTo(20), fill)
          yield* SqlMigrations.migrate
          expect(
            yield* sql`SELECT table_name, is_nullable FROM information_schema.columns
            WHERE column_name = 'account_id' AND table_schema = current_schema() AND is_nullable = 'YES'`
          ).toEqual([])
          expect(yield* sql`SELECT conname FROM pg_constraint WHERE contype = 'c' AND NOT convalidated`).toEqual([])
          const update = sql`UPDATE webhook_attempt SET account_id = NULL WHERE delivery_id = 1`
          expect((yield* Effect.flip(update)).reason._tag).toBe("ConstraintError")
        }).pipe(Effect.provide(client))
      }).pipe(Effect.scoped)
    )
  }
)
