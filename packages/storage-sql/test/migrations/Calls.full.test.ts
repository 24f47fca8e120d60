import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const calls = [
  { id: 1, status: "in_progress", submission: "accepted", price_per_minute: 5, isAnswered: true },
  { id: 2, status: "in_progress", submission: "accepted", price_per_minute: 0, isAnswered: true },
  { id: 3, status: "ringing", submission: "accepted", price_per_minute: 5, isAnswered: false },
  { id: 4, status: "completed", submission: "accepted", price_per_minute: 5, isAnswered: true },
  { id: 5, status: "failed", submission: "refused", price_per_minute: 5, isAnswered: false },
  { id: 6, status: "failed", submission: "unknown", price_per_minute: 5, isAnswered: false },
  { id: 7, status: "queued", submission: "unknown", price_per_minute: 5, isAnswered: false }
] as const

/** Inserts rows of the first schema, in which agents counted every ended call. */
const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  yield* OldSchema.insertAccounts
  const agent = { role: "outbound agent", model: "m", voice_id: "v", created_at: times.created_at }
  yield* OldSchema.insertAll("agent", [
    { ...agent, id: 1, account_id: 1, assistant_id: "asst_1", name: "Ada", total_calls: 3 },
    { ...agent, id: 2, account_id: 1, assistant_id: "asst_2", name: "Grace", total_calls: 8 }
  ])
  yield* OldSchema.insertAll(
    "call",
    calls.map(({ isAnswered, ...call }) => ({
      ...times,
      account_id: 1,
      agent_id: 1,
      call_id: `call_${call.id}`,
      type: "outbound",
      phone_number: "+12025550111",
      billing_status: "pending",
      initial_charge: call.price_per_minute,
      final_charge: 0,
      reconcile_count: 0,
      variables: "{}",
      started_at: isAnswered ? dialect.time(Samples.now) : null,
      ...call
    }))
  )
  const key = {
    account_id: 1,
    method: "POST",
    fingerprint: "body",
    taken_at: dialect.time(Samples.now),
    expires_at: dialect.time(Samples.later(1_440))
  }
  yield* OldSchema.insertAll("idempotency_key", [
    { ...key, path: "/api/v1/calls", name: "start" },
    { ...key, path: "/api/v1/contacts/create", name: "contact" }
  ])
})

describe.each(emptyDatabases)("the migrations of calls and idempotency keys, in %s", (_, emptyDatabase) => {
  it.live(
    "paid calls in progress become due for their next minute, and agents no longer count calls never accepted",
    () =>
      Effect.gen(function* () {
        const { client } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* Effect.andThen(OldSchema.migrateFirst, fill)
          yield* SqlMigrations.migrate
          expect(
            yield* sql`SELECT id FROM call WHERE reserve_at = started_at AND confirmed_at IS NULL ORDER BY id`
          ).toHaveLength(1)
          expect(yield* sql`SELECT id FROM call WHERE reserve_at IS NOT NULL AND id <> 1`).toEqual([])
          expect(yield* sql`SELECT id FROM call WHERE reserved_minutes <> 1`).toEqual([])
          const agents = yield* sql<{ total: number | bigint }>`SELECT total_calls AS total FROM agent ORDER BY id`
          expect(agents.map(({ total }) => Number(total))).toEqual([1, 8])
        }).pipe(Effect.provide(client))
      }).pipe(Effect.scoped)
  )

  it.live("the key of a call start without an answer counts as executed, and another key can be claimed again", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.provide(Effect.andThen(OldSchema.migrateFirst, fill), client)
      yield* Effect.gen(function* () {
        const keys = yield* IdempotencyStore
        const begin = (path: string, key: string) =>
          keys.begin({ accountId: AccountId.make(1), method: "POST", path, key }, "body", {
            now: Samples.later(5),
            expiresAt: Samples.later(1_445),
            takeOverBefore: Samples.later(4)
          })
        expect((yield* begin("/api/v1/calls", "start"))._tag).toBe("Executed")
        expect((yield* begin("/api/v1/contacts/create", "contact"))._tag).toBe("Started")
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )
})
