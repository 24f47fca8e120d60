import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { EventId } from "@frontdesk/core/calendar/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as Page from "@frontdesk/core/values/Page"
import { DeliveryId } from "@frontdesk/core/webhook/Delivery"
import { DeliveryQueue } from "@frontdesk/core/webhook/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

describe.each(databases)("what the database refuses, in %s", (_, storage) => {
  it.effect("a row that does not decode is a StorageError with reason corrupt, which shows no value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      yield* sql`UPDATE account SET role = 'the king' WHERE id = ${account.id}`
      const error = yield* Effect.flip((yield* AccountStore).find(account.id))
      expect(error).toMatchObject({ reason: "corrupt", operation: "AccountStore.find" })
      expect(String(error.cause)).toContain("role")
      expect(JSON.stringify(error)).not.toContain("the king")
    }).pipe(Effect.provide(storage))
  )

  it.effect("a row that does not decode stops no queue: the rows behind it are claimed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxStore
      const deliveries = yield* DeliveryStore
      const account = yield* Samples.makeAccount()
      const webhook = yield* Samples.makeWebhook(account.id)
      const sync = (id: number) => ({
        _tag: "SyncEvent" as const,
        provider: "google" as const,
        eventId: EventId.make(id)
      })
      const ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"]
      yield* outbox.add([sync(1), sync(2)], Samples.now)
      yield* Effect.forEach(ids, (id) =>
        deliveries.add({
          accountId: account.id,
          name: "call.ended",
          subject: id,
          body: new Uint8Array(),
          createdAt: Samples.now,
          deliveries: [{ id: DeliveryId.make(id), webhookId: webhook.id }]
        })
      )
      yield* sql`UPDATE outbox_task SET work = '{}' WHERE id = 1`
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE id = 1`

      const request = { leaseId: "lease", owner: "me", limit: 10, perWebhook: 10, inFlight: new Map() }
      const claimed = yield* (yield* DeliveryQueue).claim({
        ...request,
        now: Samples.now,
        leaseUntil: Samples.later(1)
      })
      expect(claimed.map((delivery) => delivery.id)).toEqual(ids.slice(1))
      const tasks = yield* outbox.claim(Samples.now, Samples.later(1), 10)
      expect(tasks.map((task) => task.work)).toEqual([sync(2)])
    }).pipe(Effect.provide(Layer.merge(storage, Logger.layer([]))))
  )

  it.effect("a delivery that does not decode is set aside as failed, and its line goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
      const bad = yield* Deliveries.add(webhook, "call:1")
      const good = yield* Deliveries.add(webhook, "call:1")
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE delivery_id = ${bad}`
      expect(yield* Deliveries.claim(0)).toEqual([])
      expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([good])
      expect(yield* Deliveries.claim(9)).toMatchObject([{ id: good }])
      const list = (yield* DeliveryStore).list(webhook.accountId, webhook.id, Option.some("failed"), Page.request({}))
      expect((yield* list).items).toMatchObject([{ id: bad, nextAttemptAt: null }])
    }).pipe(Effect.provide(Layer.merge(storage, Logger.layer([]))))
  )

  it.effect("a reference to a row that does not exist is refused", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const nobody = { id: AgentId.make(999), name: "", assistantId: "none" }
      const error = yield* Effect.flip(Samples.makeCall(account.id, nobody))
      expect(error).toMatchObject({ reason: "unknown", operation: "CallStore.insert" })
    }).pipe(Effect.provide(storage))
  )

  it.effect("an account's deposits, charges and holds never add up to less than nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const account = yield* Samples.makeAccount()
      const error = yield* Effect.flip(sql`UPDATE account SET holds = 1 WHERE id = ${account.id}`)
      expect(error.reason._tag).toBe("ConstraintError")
    }).pipe(Effect.provide(storage))
  )
})
