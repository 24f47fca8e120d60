import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Deliveries from "./Deliveries.ts"
import { page } from "./Pages.ts"
import { rolledBack } from "./participation/Participation.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies that a deleted webhook has no effect, before and after its deliveries are purged. */
export const webhookDeletionSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: a deleted webhook`, (it) => {
    it.effect(
      "a deleted webhook is not found, listed or changed, and its secrets are not listed, at once and after the purge",
      () =>
        Effect.gen(function* () {
          const webhooks = yield* WebhookStore
          const { accountId, id, ...webhook } = yield* Deliveries.newWebhook
          yield* webhooks.rotateSecret(id, Samples.stored("second"), Samples.later(60))
          expect(yield* webhooks.delete(accountId, id)).toBe(true)
          const isGone = Effect.gen(function* () {
            expect(yield* webhooks.find(accountId, id)).toEqual(Option.none())
            expect(yield* webhooks.findAnywhere(id)).toEqual(Option.none())
            const locked = (yield* Transaction).run(webhooks.findForUpdate(accountId, id))
            expect(yield* locked).toEqual(Option.none())
            expect(yield* webhooks.list(accountId)).toEqual([])
            expect(yield* webhooks.subscribers(accountId, "call.ended")).toEqual([])
            const secrets = yield* webhooks.secrets(null, 1_000_000)
            expect(secrets.filter(({ webhookId }) => webhookId === id)).toEqual([])
            expect(yield* webhooks.delete(accountId, id)).toBe(false)
          })
          yield* isGone
          yield* webhooks.update({ ...webhook, accountId, id })
          yield* webhooks.rotateSecret(id, Samples.stored("third"), Samples.later(60))
          for (const text of ["", "second", "third"]) {
            expect(yield* webhooks.replaceSecret(id, Redacted.make(text), Samples.stored("fourth"))).toBe(false)
          }
          yield* isGone
          yield* Deliveries.purge
          yield* isGone
        })
    )

    it.effect(
      "deliveries of a deleted webhook are not shown, counted, claimed or redelivered, at once and after the purge",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const queue = yield* DeliveryQueue
          const webhook = yield* Deliveries.newWebhook
          const { accountId, id } = webhook
          const failed = yield* Deliveries.add(webhook, "call:1")
          yield* queue.record(
            (yield* Deliveries.claim(0)).map((one) => Deliveries.finalFailure(one, null)),
            Samples.now
          )
          const pending = yield* Deliveries.add(webhook, "call:2")
          expect(yield* store.backlog(id)).toBe(1)
          yield* (yield* WebhookStore).delete(accountId, id)
          const isGone = Effect.gen(function* () {
            expect((yield* store.list(accountId, id, Option.none(), page(1))).count).toBe(0)
            expect((yield* store.list(accountId, id, Option.none(), page(1))).items).toEqual([])
            expect(yield* store.backlog(id)).toBe(0)
            expect((yield* store.lastAnswers(accountId, id, [failed, pending])).size).toBe(0)
            const which = { accountId, webhookId: id, since: Samples.later(-9), until: Samples.later(9), limit: 9 }
            expect((yield* store.redeliverFailed({ ...which, after: null }, Samples.now)).count).toBe(0)
            for (const delivery of [failed, pending]) {
              yield* store.redeliver(accountId, id, delivery, Samples.now)
              expect(yield* store.find(accountId, id, delivery)).toEqual(Option.none())
              expect(yield* store.locate(delivery)).toEqual(Option.none())
            }
            expect(yield* queue.nextDue(Samples.later(-1))).toEqual(Option.none())
            expect(yield* queue.oldestDue).toEqual(Option.none())
            expect(yield* Deliveries.claim(60)).toEqual([])
          })
          yield* isGone
          yield* Deliveries.purge
          yield* isGone
        })
    )

    it.effect("deliveries of a deleted webhook do not use up the limit of a claim", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        for (let event = 0; event < 20; event++) yield* Deliveries.add(webhook, `call:${event}`)
        const next = yield* Deliveries.add(other, "call:1", { createdAt: Samples.later(1) })
        yield* (yield* WebhookStore).delete(webhook.accountId, webhook.id)
        const claimed = yield* Deliveries.claim(1, { limit: 5, perWebhook: 5 })
        expect(claimed.map(({ id }) => id)).toEqual([next])
      })
    )

    it.effect("release ignores the claimed deliveries of a deleted webhook", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyStore
        const queue = yield* DeliveryQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        expect(yield* Deliveries.claim(0, { owner: "earlier process" })).toHaveLength(1)
        yield* (yield* WebhookStore).delete(webhook.accountId, webhook.id)
        expect(yield* queue.release("earlier process", Samples.later(0.1))).toBe(0)
        expect(yield* queue.nextDue(Samples.now)).toEqual(Option.none())
      })
    )

    it.effect("deliveries of the same webhook event to other webhooks are kept", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        const second = yield* Samples.makeWebhook(webhook.accountId)
        const other = yield* Samples.makeWebhook(webhook.accountId)
        const ids = [Deliveries.newId(), Deliveries.newId(), Deliveries.newId()] as const
        const exclusive = yield* Deliveries.add(webhook, "call:1")
        yield* Deliveries.add(webhook, "call:2", {
          deliveries: [webhook, second, other].map(({ id }, index) => ({ id: ids[index] ?? ids[0], webhookId: id }))
        })
        for (const { accountId, id } of [webhook, second]) yield* (yield* WebhookStore).delete(accountId, id)
        yield* Deliveries.purge
        expect(yield* store.purge(Samples.rowLimit(1))).toBe(false)
        const claimed = yield* Deliveries.claim(0)
        expect(claimed.map(({ id }) => id)).toEqual([ids[2]])
        expect(new TextDecoder().decode(claimed[0]?.body)).toContain("call:2")
        expect(yield* store.locate(exclusive)).toEqual(Option.none())
        expect(yield* store.locate(ids[2])).toEqual(Option.some({ accountId: webhook.accountId, webhookId: other.id }))
      })
    )

    it.effect(
      "purge keeps a webhook event as it is while another webhook needs it, and deletes it after the deletion of the last one",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const queue = yield* DeliveryQueue
          const webhook = yield* Deliveries.newWebhook
          const [received, waiting] = [
            yield* Samples.makeWebhook(webhook.accountId),
            yield* Samples.makeWebhook(webhook.accountId)
          ]
          const deliveries = [webhook, received, waiting].map(({ id }) => ({ id: Deliveries.newId(), webhookId: id }))
          yield* Deliveries.add(webhook, "call:1", { deliveries })
          const results = (yield* Deliveries.claim(0)).map((one) =>
            Deliveries.result(one, one.webhookId === waiting.id ? 5 : null)
          )
          yield* queue.record(results, Samples.later(1))
          const remove = Effect.fnUntraced(function* (target: Deliveries.Target) {
            yield* (yield* WebhookStore).delete(target.accountId, target.id)
            while (yield* store.purge(Samples.rowLimit(1)));
          })
          const shown = (target: Deliveries.Target) =>
            Effect.map(store.list(target.accountId, target.id, Option.none(), page(1)), ({ items }) => items)
          const before = [yield* shown(received), yield* shown(waiting)]
          expect(before).toMatchObject([[{ status: "delivered" }], [{ status: "pending" }]])

          yield* remove(webhook)
          expect([yield* shown(received), yield* shown(waiting)]).toEqual(before)
          const [retry] = yield* Deliveries.claim(5)
          expect(retry).toMatchObject({ id: deliveries[2]?.id, results: 1 })
          expect(new TextDecoder().decode(retry?.body)).toContain("call:1")
          yield* remove(waiting)
          expect(yield* shown(received)).toEqual(before[0])
          expect(yield* countFinished).toBe(1)
          yield* remove(received)
          expect(yield* countFinished).toBe(0)
        })
    )

    it.effect("purge deletes the webhook events of a deleted webhook, and no finished one of another webhook", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const { deleted, other } = yield* addDelivered(5)
        yield* (yield* WebhookStore).delete(deleted.accountId, deleted.id)
        yield* Deliveries.purge
        expect(yield* store.purge(Samples.rowLimit(1_000))).toBe(false)
        const found = yield* store.list(other.accountId, other.id, Option.none(), page(1))
        expect(found.items).toMatchObject([{ status: "delivered", attempts: [{ number: 1 }] }])
        expect(yield* countFinished).toBe(1)
      })
    )

    for (const [name, limit] of Object.entries({ rows: Samples.rowLimit(2), bytes: { rows: 1_000, bytes: 1 } })) {
      it.effect(
        `a step of the purge deletes deliveries up to its limit of ${name}, and true announces another step`,
        () =>
          Effect.gen(function* () {
            const store = yield* Deliveries.emptyStore
            const { deleted } = yield* addDelivered(5)
            yield* (yield* WebhookStore).delete(deleted.accountId, deleted.id)
            const counts = [yield* countFinished]
            while (yield* store.purge(limit)) counts.push(yield* countFinished)
            const steps = counts.slice(1).map((count, index) => (counts[index] ?? 0) - count)
            // A limit of bytes lets a step delete one row of any size. A storage may also delete all rows with the webhook.
            expect(Math.max(0, ...steps)).toBeLessThanOrEqual(name === "rows" ? 2 : 1)
            expect(counts.at(-1)).toBe(1)
          })
      )
    }

    it.effect("cancelOpen and purge together cancel any number of deliveries, and none is claimed meanwhile", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        const deliveries = Array.from({ length: 500 }, () => ({ id: Deliveries.newId(), webhookId: webhook.id }))
        yield* Deliveries.add(webhook, "call:1", { deliveries })
        yield* store.cancelOpen(webhook.id)
        while (yield* store.purge(Samples.rowLimit(1_000))) expect(yield* Deliveries.claim(0)).toEqual([])
        expect(yield* Deliveries.claim(0)).toEqual([])
        expect(yield* store.backlog(webhook.id)).toBe(0)
        expect((yield* store.list(webhook.accountId, webhook.id, Option.some("cancelled"), page(1))).count).toBe(500)
      })
    )
  })
}

/** Adds delivered deliveries of one webhook, each of a webhook event of its own, and one of another webhook. */
const addDelivered = (count: number) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const [deleted, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
    for (let event = 0; event < count; event++) yield* Deliveries.add(deleted, `call:${event}`)
    yield* Deliveries.add(other, "call:1")
    const results = (yield* Deliveries.claim(0)).map((one) => Deliveries.result(one, null))
    yield* queue.record(results, Samples.later(1))
    return { deleted, other }
  })

/** Returns how many webhook events without an open delivery are stored, also those of deleted webhooks. */
const countFinished = Effect.flatMap(DeliveryStore, (store) =>
  rolledBack(store.sweep({ before: Samples.later(60), after: null, limit: Samples.rowLimit(1_000) }))
).pipe(Effect.map(({ count }) => count))
