import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Deliveries from "./Deliveries.ts"
import * as DueRetries from "./DueRetries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

const lease = Deliveries.leaseMinutes

/** One millisecond, in minutes. */
const millisecond = 1 / 60_000

/** Verifies how a `DeliveryQueue` claims deliveries: which ones, in which order, and for how long. */
export const deliveryQueueSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryQueue`, (it) => {
    it.effect("claim returns a delivery with its body, URL, both secrets and counters", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const account = yield* Samples.makeAccount()
        const webhook = yield* Samples.makeWebhook(account.id, {}, "whsec_first")
        const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
        const id = yield* Deliveries.add(webhook, "call:1", { body })
        yield* (yield* WebhookStore).rotateSecret(webhook.id, Samples.stored("whsec_second"), Samples.later(60))
        const [claimed, ...rest] = yield* Deliveries.claim(0, { leaseId: "lease" })
        expect(rest).toEqual([])
        expect(claimed).toMatchObject({
          id,
          leaseId: "lease",
          accountId: account.id,
          webhookId: webhook.id,
          url: webhook.url,
          eventName: "call.ended",
          results: 0,
          claims: 1,
          kind: "automatic"
        })
        expect([...(claimed?.body ?? [])]).toEqual([...body])
        if (claimed === undefined) return
        expect(Redacted.value(claimed.secrets.current)).toBe("whsec_second")
        expect(claimed.secrets.previous?.expiresAt).toEqual(Samples.later(60))
        expect(
          Option.map(Option.fromNullishOr(claimed.secrets.previous), ({ secret }) => Redacted.value(secret))
        ).toEqual(Option.some("whsec_first"))
      })
    )

    it.effect(
      "claim returns one delivery with its own id for each subscribed webhook, and none for a webhook event without webhooks",
      () =>
        Effect.gen(function* () {
          yield* Deliveries.emptyQueue
          const account = yield* Samples.makeAccount()
          const [a, b] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
          const ids = [Deliveries.newId(), Deliveries.newId()] as const
          yield* Deliveries.add(a, "call:1", {
            deliveries: [
              { id: ids[0], webhookId: a.id },
              { id: ids[1], webhookId: b.id }
            ]
          })
          yield* Deliveries.add(a, "call:2", { deliveries: [] })
          const claimed = yield* Deliveries.claim(0)
          expect(claimed.map(({ id, webhookId }) => ({ id, webhookId }))).toEqual([
            { id: ids[0], webhookId: a.id },
            { id: ids[1], webhookId: b.id }
          ])
        })
    )

    it.effect("claim returns a delivery from the millisecond at which it is due", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        expect(yield* Deliveries.claim(-millisecond)).toEqual([])
        expect(yield* Deliveries.claim(0)).toHaveLength(1)
      })
    )

    it.effect("claim returns no delivery that was added in a transaction that failed", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const transaction = yield* Transaction
        yield* transaction.run(Effect.andThen(Deliveries.add(webhook, "call:1"), Effect.fail("no"))).pipe(Effect.flip)
        expect(yield* Deliveries.claim(0)).toEqual([])
        expect(yield* queue.nextDue(Samples.later(-1))).toEqual(Option.none())
      })
    )

    it.effect("claim returns a leased delivery again only when its lease has ended, with one more claim counted", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        expect((yield* Deliveries.claim(0)).map(({ claims }) => claims)).toEqual([1])
        expect(yield* Deliveries.claim(lease - 0.1)).toEqual([])
        expect((yield* Deliveries.claim(lease)).map(({ claims }) => claims)).toEqual([2])
      })
    )

    it.effect("claim returns the longest due deliveries first, up to the limit", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const third = yield* Deliveries.add(webhook, "call:3", { createdAt: Samples.later(3) })
        const first = yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(1) })
        const second = yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(2) })
        expect((yield* Deliveries.claim(9, { limit: 2 })).map(({ id }) => id)).toEqual([first, second])
        expect((yield* Deliveries.claim(9, { limit: 2 })).map(({ id }) => id)).toEqual([third])
      })
    )

    it.effect("concurrent claims never return the same delivery", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const added = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
          Deliveries.add(webhook, `call:${index}`)
        )
        const claimed = yield* Effect.forEach(
          Array.from({ length: 10 }),
          (_, index) => Deliveries.claim(0, { limit: 5, owner: `owner ${index}` }),
          { concurrency: "unbounded" }
        )
        const ids = claimed.flat().map(({ id }) => id)
        // A claim may skip a row that another claim has locked. The next claim returns it.
        ids.push(...(yield* Deliveries.claim(0)).map(({ id }) => id))
        expect(ids.toSorted()).toEqual(added.toSorted())
      })
    )

    it.effect("claim limits the deliveries of one webhook to perWebhook, less its takenPlaces", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const account = yield* Samples.makeAccount()
        const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
        for (let index = 0; index < 20; index++) yield* Deliveries.add(hanging, `call:${index}`)
        const last = yield* Deliveries.add(good, "call:99", { createdAt: Samples.later(1) })
        const request = { perWebhook: 8, takenPlaces: new Map([[hanging.id, 5]]), limit: 10 }
        const claimed = yield* Deliveries.claim(1, request)
        expect(claimed.filter(({ webhookId }) => webhookId === hanging.id)).toHaveLength(3)
        expect(claimed.at(-1)?.id).toBe(last)
        const full = yield* Deliveries.claim(1, { ...request, takenPlaces: new Map([[hanging.id, 8]]) })
        expect(full).toEqual([])
        const overfull = yield* Deliveries.claim(1, { ...request, takenPlaces: new Map([[hanging.id, 9]]) })
        expect(overfull).toEqual([])
      })
    )

    it.effect(
      "the first attempt of a delivery waits for the first attempts of earlier deliveries with the same subject and webhook",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const account = yield* Samples.makeAccount()
          const [webhook, other] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
          const first = yield* Deliveries.add(webhook, "call:1")
          const second = yield* Deliveries.add(webhook, "call:1")
          const third = yield* Deliveries.add(webhook, "call:1")
          const otherSubject = yield* Deliveries.add(webhook, "call:2")
          const otherWebhook = yield* Deliveries.add(other, "call:1")

          const claimed = yield* Deliveries.claim(0)
          expect(claimed.map(({ id }) => id)).toEqual([first, otherSubject, otherWebhook])
          expect(yield* Deliveries.claim(0.1)).toEqual([])

          // The first delivery has had an attempt, so the second one no longer waits for it.
          yield* queue.record(
            claimed.slice(0, 1).map((one) => Deliveries.result(one, 5)),
            Samples.later(0.2)
          )
          const next = yield* Deliveries.claim(0.2)
          expect(next.map(({ id }) => id)).toEqual([second])

          // A lease that ends without a result is not an attempt: the second is claimed again and the third still waits.
          const again = (yield* Deliveries.claim(0.8)).map(({ id }) => id)
          expect(again).toContain(second)
          expect(again).not.toContain(third)
        })
    )

    it.effect(
      "many deliveries of one subject that wait for the first of them do not delay other subjects or webhooks (D-DEL-27)",
      () =>
        Effect.gen(function* () {
          yield* Deliveries.emptyQueue
          const account = yield* Samples.makeAccount()
          const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
          const addMany = Effect.forEach(Array.from({ length: 150 }), () => Deliveries.add(hanging, "call:1"))
          const [first] = yield* addMany
          const otherSubject = yield* Deliveries.add(hanging, "call:2")
          yield* addMany
          const otherWebhook = yield* Deliveries.add(good, "call:1")
          const claimed = yield* Deliveries.claim(0, { perWebhook: 8 })
          expect(claimed.map(({ id }) => id)).toEqual([first, otherSubject, otherWebhook])
          expect(yield* Deliveries.claim(0.1, { perWebhook: 8 })).toEqual([])
        })
    )

    it.effect(
      "a claim returns a due retry of a webhook behind 1,100 due retries of one without capacity (D-DEL-30)",
      () => DueRetries.claimBehindRetries
    )

    it.effect(
      "claim returns the first delivery of a subject when its lease ends, although 299 later ones, which wait for it, are due earlier",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const ids = yield* Effect.forEach(Array.from({ length: 300 }), () => Deliveries.add(webhook, "call:1"))
          const again = Effect.fnUntraced(function* (minutes: number) {
            const claimed = yield* Deliveries.claim(minutes, { perWebhook: 8 })
            expect(claimed).toMatchObject([{ id: ids[0] }])
            return claimed
          })
          yield* again(0)
          const claimed = yield* again(lease)
          yield* queue.postpone(
            claimed.map(({ key }) => key),
            claimed[0]?.leaseId ?? "",
            Samples.later(2)
          )
          expect(yield* Deliveries.claim(1, { perWebhook: 8 })).toEqual([])
          yield* queue.record(
            (yield* again(2)).map((one) => Deliveries.result(one, null)),
            Samples.later(2)
          )
          expect((yield* Deliveries.claim(2, { perWebhook: 8 })).map(({ id }) => id)).toEqual(ids.slice(1, 2))
        })
    )

    it.effect("a cancelled delivery that is redelivered keeps its place in the order of its subject", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const first = yield* Deliveries.add(webhook, "call:1")
        yield* store.cancelOpen(webhook.id)
        const second = yield* Deliveries.add(webhook, "call:1")
        yield* store.redeliver(webhook.accountId, webhook.id, first, Samples.later(0))
        expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([first])
        expect((yield* Deliveries.claim(lease)).map(({ id }) => id)).toEqual([first])
        yield* store.cancelOpen(webhook.id)
        yield* store.redeliver(webhook.accountId, webhook.id, second, Samples.later(1))
        expect((yield* Deliveries.claim(1)).map(({ id }) => id)).toEqual([second])
      })
    )

    it.effect("a cancelled delivery does not delay later deliveries of its subject", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        yield* store.cancelOpen(webhook.id)
        const second = yield* Deliveries.add(webhook, "call:1")
        expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([second])
      })
    )

    it.effect(
      "postpone makes a delivery due at the given time and does not count the claim, and a stale lease postpones nothing (D-DEL-14)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const ids = [yield* Deliveries.add(webhook, "call:1"), yield* Deliveries.add(webhook, "call:2")]
          const first = yield* Deliveries.claim(0, { leaseId: "lost" })
          const second = yield* Deliveries.claim(lease, { leaseId: "leased" })
          expect(second.map(({ claims }) => claims)).toEqual([2, 2])
          const [postponed, other] = second.map(({ key }) => key)
          yield* queue.postpone(
            first.map(({ key }) => key),
            "lost",
            Samples.later(0)
          )
          expect(yield* Deliveries.claim(0.6)).toEqual([])
          yield* queue.postpone(postponed === undefined ? [] : [postponed], "leased", Samples.later(3))
          expect((yield* Deliveries.claim(2)).map(({ claims, key }) => ({ claims, key }))).toEqual([
            { claims: 3, key: other }
          ])
          const again = (yield* Deliveries.claim(3)).find(({ key }) => key === postponed)
          expect(again).toMatchObject({ id: ids[0], claims: 2, results: 0, kind: "automatic", dueAt: Samples.later(3) })
          const late = second
            .filter(({ key }) => key === postponed)
            .map((delivery) => Deliveries.result(delivery, null))
          expect((yield* queue.record(late, Samples.later(3))).recorded).toEqual([])
        })
    )

    it.effect(
      "release makes the deliveries that an owner has claimed due at once, and their earlier claims become stale (D-DEL-17)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const mine = yield* Deliveries.add(webhook, "call:1")
          const [leased] = yield* Deliveries.claim(0, { owner: "earlier process" })
          yield* Deliveries.add(webhook, "call:2")
          yield* Deliveries.claim(0, { owner: "other process" })
          expect(yield* queue.release("earlier process", Samples.later(0.1))).toBe(1)
          expect(yield* queue.release("earlier process", Samples.later(0.1))).toBe(0)
          if (leased !== undefined) {
            expect((yield* queue.record([Deliveries.result(leased, null)], Samples.later(0.1))).recorded).toEqual([])
          }
          expect((yield* Deliveries.claim(0.1)).map(({ id, claims }) => [id, claims])).toEqual([[mine, 2]])
        })
    )

    it.effect("release does not change the due time of a delivery whose lease has ended", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        yield* Deliveries.add(yield* Deliveries.newWebhook, "call:1")
        yield* Deliveries.claim(0, { owner: "earlier process" })
        expect(yield* queue.release("earlier process", Samples.later(2))).toBe(0)
        expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(lease)))
        expect(yield* Deliveries.claim(2)).toHaveLength(1)
      })
    )

    it.effect("nextDue returns the earliest due time or end of a lease that is later than an instant", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const nextDue = (minutes: number) => queue.nextDue(Samples.later(minutes))
        expect(yield* nextDue(0)).toEqual(Option.none())
        yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(4) })
        yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(2) })
        expect(yield* nextDue(0)).toEqual(Option.some(Samples.later(2)))
        expect(yield* nextDue(2)).toEqual(Option.some(Samples.later(4)))
        yield* Deliveries.claim(2)
        expect(yield* nextDue(2)).toEqual(Option.some(Samples.later(2 + lease)))
        expect(yield* nextDue(4)).toEqual(Option.none())
        yield* store.cancelOpen(webhook.id)
        expect(yield* nextDue(0)).toEqual(Option.none())
      })
    )

    it.effect(
      "oldestDue returns the due time of the delivery that waits longest, where a leased one is due at the end of its lease",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          expect(yield* queue.oldestDue).toEqual(Option.none())
          // In the past of every clock, also of a test clock.
          const past = Samples.at("1969-12-31T23:00:00.000Z")
          yield* Deliveries.add(webhook, "call:1", { createdAt: past })
          yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(4) })
          expect(yield* queue.oldestDue).toEqual(Option.some(past))
          expect((yield* Deliveries.claim(3, { limit: 1 })).map(({ dueAt }) => dueAt)).toEqual([past])
          expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(3 + lease)))
        })
    )

    it.effect("claim cancels the due deliveries of a disabled webhook, except those of webhook.test (D-PG-21)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* (yield* WebhookStore).update({ ...webhook, status: "disabled" })
        yield* Deliveries.add(webhook, "call:1")
        const test = yield* Deliveries.add(webhook, "test:1", { name: "webhook.test" })
        expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([test])
        // The claim cancelled the first delivery, so only the lease of the test remains.
        expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(lease)))
        const { accountId, id } = webhook
        const { list } = yield* DeliveryStore
        expect((yield* list(accountId, id, Option.some("cancelled"), { page: 1, limit: 1 })).count).toBe(1)
      })
    )

    it.effect("claim and record ignore the deliveries of a deleted webhook, pending or in flight", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const [leased] = yield* Deliveries.claim(0)
        yield* Deliveries.add(webhook, "call:2")
        expect(yield* (yield* WebhookStore).delete(webhook.accountId, webhook.id)).toBe(true)
        expect(yield* queue.nextDue(Samples.later(-1))).toEqual(Option.none())
        expect(yield* Deliveries.claim(60)).toEqual([])
        if (leased === undefined) return yield* Effect.die("claim returned no delivery")
        expect((yield* queue.record([Deliveries.result(leased, 5)], Samples.later(1))).recorded).toEqual([])
        expect(yield* Deliveries.claim(60)).toEqual([])
      })
    )
  })
}
