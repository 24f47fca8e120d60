import { describe, expect, it } from "@effect/vitest"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxTaskId, type OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Page from "@frontdesk/core/values/Page"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { unreadableTaskSuite } from "@frontdesk/testing/suite/unreadableTaskSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"
import { damage } from "./outbox/damage.ts"

/** JSON documents that are not the work of any task of this version. */
const unreadableWork = ['{"_tag":"Notify"}', '{"_tag":"Later","eventId":"x"}', "null", "5"]

const sync = (event: number): OutboxWork => ({
  _tag: "SyncEvent",
  provider: "google",
  eventId: CalendarEventId.make(event)
})

/** Adds a task whose work is the given text, and a readable task after it. */
const withUnreadableWork = Effect.fnUntraced(function* (work: string) {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* OutboxStore
  const event = yield* Samples.makeCalendarEvent((yield* Samples.makeAccount()).id)
  yield* outbox.add(event.accountId, [sync(event.id), sync(999)], Samples.now)
  const bad = OutboxTaskId.make(1)
  yield* sql`UPDATE outbox_task SET work = ${work} WHERE id = ${bad}`
  return { bad, event, outbox }
})

for (const [dialect, storage] of databases) {
  unreadableTaskSuite(dialect, Layer.merge(storage, Logger.layer([])), { damage })
}

describe.each(databases)("deliveries and tasks that cannot be read, in %s", (_, storage) => {
  it.effect("a claim leaves out a delivery that does not decode, and returns a later delivery (D-STO-8)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* DeliveryStore
      const account = yield* Samples.makeAccount()
      const webhook = yield* Samples.makeWebhook(account.id)
      const [bad, good] = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"]
      yield* Effect.forEach([bad, good], (id) =>
        deliveries.add({
          accountId: account.id,
          name: "call.ended",
          subject: id,
          body: new Uint8Array(),
          createdAt: Samples.now,
          deliveries: [{ id: DeliveryId.make(id), webhookId: webhook.id }]
        })
      )
      yield* sql`UPDATE webhook_delivery SET kind = 'odd' WHERE delivery_id = ${bad}`

      const request = {
        leaseId: "lease",
        owner: "me",
        limit: 10,
        perWebhook: 10,
        takenPlaces: new Map(),
        takenByAccount: new Map()
      }
      const claimed = yield* (yield* DeliveryQueue).claim({
        ...request,
        now: Samples.now,
        leaseUntil: Samples.later(1)
      })
      expect(claimed.map((delivery) => delivery.id)).toEqual([good])
    }).pipe(Effect.provide(Layer.merge(storage, Logger.layer([]))))
  )

  it.effect(
    "a delivery that does not decode becomes failed, and the next claim returns the next one of its subject",
    () =>
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

  it.effect.each(unreadableWork)(
    "a task with the work %s is dead-lettered as unreadable, and later tasks are claimed (D-OUT-9)",
    (work) =>
      Effect.gen(function* () {
        const { bad, event, outbox } = yield* withUnreadableWork(work)
        expect(yield* outbox.claim(Samples.now, Samples.later(1), 1)).toMatchObject([{ work: sync(999) }])
        expect(yield* outbox.claim(Samples.now, Samples.later(1), 1)).toEqual([])
        expect(yield* outbox.claim(Samples.later(999), Samples.later(1_000), 9)).toMatchObject([{ work: sync(999) }])
        const deadLetter = {
          id: bad,
          work: null,
          eventId: event.id,
          accountId: event.accountId,
          attempts: 1,
          error: "unreadable",
          deadLetteredAt: Samples.now
        }
        for (const filter of [{}, { id: bad }, { tag: "SyncEvent" }, { accountId: event.accountId }] as const) {
          expect(yield* outbox.deadLettered(filter, Page.request({}))).toMatchObject({ count: 1, items: [deadLetter] })
        }
      }).pipe(Effect.provide(Layer.merge(storage, Logger.layer([]))))
  )

  it.effect.each(unreadableWork)(
    "a dead-lettered task with the work %s is renewed with its work unchanged, and dead-lettered again",
    (work) =>
      Effect.gen(function* () {
        const { bad, outbox } = yield* withUnreadableWork(work)
        const sql = yield* SqlClient.SqlClient
        yield* outbox.claim(Samples.now, Samples.later(1), 9)
        expect(yield* outbox.renew({}, null, 9, Samples.later(2))).toMatchObject({ renewed: [{ id: bad }] })
        const stored =
          yield* sql`SELECT id, tag, CAST(work AS text) AS work, attempts, error, lease_owner FROM outbox_task
        ORDER BY id DESC LIMIT 1`
        expect(stored).toMatchObject([{ tag: "SyncEvent", work, error: null, lease_owner: null }])
        expect(yield* outbox.claim(Samples.later(2), Samples.later(3), 9)).toMatchObject([{ work: sync(999) }])
        const [again] = (yield* outbox.deadLettered({}, Page.request({}))).items
        expect(again).toMatchObject({ error: "unreadable", attempts: 1, deadLetteredAt: Samples.later(2) })
        expect(again?.id).toBeGreaterThan(bad)
      }).pipe(Effect.provide(Layer.merge(storage, Logger.layer([]))))
  )
})
