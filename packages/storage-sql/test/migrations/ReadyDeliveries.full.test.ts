import { describe, expect, it } from "@effect/vitest"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

/** The pending deliveries of the old schema: the minute at which each is due, and its webhook. */
const pending = [
  { id: 1, minute: 0, webhook_id: 1 },
  { id: 2, minute: 1, webhook_id: 1 },
  { id: 3, minute: 2, webhook_id: 1 },
  { id: 4, minute: 3, webhook_id: 2 },
  { id: 5, minute: 9, webhook_id: 3 }
]

const deliveryId = (id: number): string => `00000000-0000-4000-8000-00000000000${id}`

/** Inserts rows of the first schema. */
const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  yield* OldSchema.insertAccounts
  yield* OldSchema.insertAll(
    "webhook",
    [1, 2, 3].map((id) => ({
      ...times,
      id,
      account_id: 1,
      name: "Calls",
      url: "https://example.com",
      subscribed_events: '["call.ended"]',
      status: "active",
      secret: "plain:whsec_test",
      consecutive_failures: 0
    }))
  )
  const body = new TextEncoder().encode("{}")
  yield* OldSchema.insertAll("webhook_event", [
    { id: 1, account_id: 1, name: "call.ended", created_at: times.created_at, body }
  ])
  yield* OldSchema.insertAll(
    "webhook_delivery",
    pending.map(({ id, minute, webhook_id }) => ({
      id,
      delivery_id: deliveryId(id),
      event_id: 1,
      webhook_id,
      subject: `call:${id}`,
      state: "pending",
      kind: "automatic",
      due_at: dialect.time(Samples.later(minute)),
      results: 0,
      claims: 0,
      attempts: 0
    }))
  )
})

describe.each(emptyDatabases)(
  "the migration to ready deliveries of a database with webhooks, on %s",
  (_, emptyDatabase) => {
    it.live("pending deliveries from before are claimed when they are due, also behind the backlog of a webhook", () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.andThen(OldSchema.migrateFirst, fill).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const claim = (minute: number) =>
            Effect.map(Deliveries.claim(minute, { perWebhook: 1 }), (claimed) => claimed.map(({ id }) => id))
          // The first two deliveries at the front are of one webhook, so the others are found webhook by webhook.
          expect(yield* claim(5)).toEqual([deliveryId(1), deliveryId(4)])
          expect(yield* claim(9)).toEqual([deliveryId(2), deliveryId(4), deliveryId(5)])
        }).pipe(Effect.provide(storage), Effect.provideService(FrontLength, 2))
        expect(yield* SqlMigrations.migrate.pipe(Effect.provide(client))).toEqual([])
      }).pipe(Effect.scoped)
    )
  }
)
