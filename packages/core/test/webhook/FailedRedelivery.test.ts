import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { accountId } from "./samples.ts"
import { as, services } from "./services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended"] }

/** Stores a delivery of a webhook event some minutes after `Samples.now`, and records that it has failed. Returns its id. */
const fail = Effect.fnUntraced(function* (webhookId: WebhookId, minutes: number) {
  const id = yield* Deliveries.addAt({ accountId, id: webhookId }, minutes)
  const failed = (yield* Deliveries.claim(1_000)).map((one) => Deliveries.finalFailure(one, null))
  yield* (yield* DeliveryQueue).record(failed, Samples.later(1_000))
  return id
})

const statusesOf = Effect.fnUntraced(function* (id: WebhookId) {
  const { items } = yield* (yield* Webhooks).deliveries(id, { limit: 100 })
  return new Map(items.map((delivery) => [delivery.id, delivery.status]))
})

/** A store in which each step finds as many failed deliveries as it may, up to 12,500 in all. */
const manyFailed = Layer.effect(
  DeliveryStore,
  Effect.map(DeliveryStore, (store) =>
    DeliveryStore.of({
      ...store,
      redeliverFailed: ({ after, limit }) => {
        const last = Math.min((after ?? 0) + limit, 12_500)
        return Effect.succeed({ count: last - (after ?? 0), after: last === 12_500 ? null : last })
      }
    })
  )
)

/** The time of a webhook event, as a request states it. */
const time = (minutes: number) => Samples.later(minutes).pipe((at) => new Date(at.epochMilliseconds).toISOString())

describe("Webhooks.redeliverFailed (D-DEL-33)", () => {
  it.effect("makes the failed deliveries of the stated time due, and writes one entry", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const ids = [
        yield* fail(webhook.id, 0),
        yield* fail(webhook.id, 10),
        yield* fail(webhook.id, 20),
        yield* fail(webhook.id, 30)
      ]
      const selected = { since: time(10), until: time(20) }
      expect(yield* webhooks.redeliverFailed(webhook.id, selected)).toEqual({
        redelivered: 2,
        until: Samples.later(20),
        after: null
      })
      const statuses = yield* statusesOf(webhook.id)
      expect(ids.map((id) => statuses.get(id))).toEqual(["failed", "pending", "pending", "failed"])
      expect(yield* webhooks.redeliverFailed(webhook.id, selected)).toMatchObject({ redelivered: 0 })
      const entries = (yield* allEntriesOf(accountId)).filter(
        ({ operation }) => operation === "webhooks.redeliverFailed"
      )
      expect(entries).toMatchObject([
        { entity: { type: "webhook", id: String(webhook.id) }, changes: [{ field: "deliveries", after: 2 }] }
      ])
    }).pipe(Effect.provide(services()))
  )

  it.effect("makes at most 5,000 due in one request, and says where the next one continues", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const redeliver = (after?: number) =>
        webhooks.redeliverFailed(webhook.id, { since: time(0), ...(after !== undefined && { after }) })
      expect(yield* redeliver()).toMatchObject({ redelivered: 5_000, after: 5_000 })
      expect(yield* redeliver(5_000)).toMatchObject({ redelivered: 5_000, after: 10_000 })
      expect(yield* redeliver(10_000)).toMatchObject({ redelivered: 2_500, after: null })
    }).pipe(Effect.provide(Layer.fresh(Webhooks.layer).pipe(Layer.provide(manyFailed), Layer.provideMerge(services()))))
  )

  it.effect("reads a time without an offset in the time zone of the account, and refuses what is not a time", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      yield* fail(webhook.id, 0)
      const wall = time(0).slice(0, 19)
      expect(yield* webhooks.redeliverFailed(webhook.id, { since: wall, until: time(1) })).toMatchObject({
        redelivered: 1
      })
      for (const [field, selected] of [
        ["since", { since: "yesterday" }],
        ["until", { since: wall, until: "2026-02-30T00:00:00Z" }],
        ["until", { since: time(1), until: time(0) }]
      ] as const)
        expect(yield* Effect.flip(webhooks.redeliverFailed(webhook.id, selected))).toMatchObject({
          _tag: "ValidationError",
          problems: [{ field }]
        })
    }).pipe(Effect.provide(services()))
  )

  it.effect("finds no webhook of another account", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const id = yield* fail(webhook.id, 0)
      const stranger = as(AccountId.make(2))
      expect(yield* Effect.flip(stranger(webhooks.redeliverFailed(webhook.id, { since: time(0) })))).toMatchObject({
        _tag: "WebhookNotFound"
      })
      expect((yield* statusesOf(webhook.id)).get(id)).toBe("failed")
    }).pipe(Effect.provide(services()))
  )
})
