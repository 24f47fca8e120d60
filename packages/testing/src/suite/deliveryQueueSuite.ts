import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `DeliveryQueue` promises of taking deliveries: which, in what order, by whom, for how long. */
export const deliveryQueueSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryQueue`, (it) => {
    it.effect("a delivery is claimed with everything that is needed to send it", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
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

    it.effect("one event goes to each of its webhooks under an id of its own; without webhooks to nobody", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
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

    it.effect("a delivery is due from its time on, and not a millisecond before", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        expect(yield* Deliveries.claim(0, { now: Samples.at("2026-03-02T09:00:00.122Z") })).toEqual([])
        expect(yield* Deliveries.claim(0)).toHaveLength(1)
      })
    )

    it.effect("deliveries of a transaction that fails are never sent", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const transaction = yield* Transaction
        yield* transaction.run(Effect.andThen(Deliveries.add(webhook, "call:1"), Effect.fail("no"))).pipe(Effect.flip)
        expect(yield* Deliveries.claim(0)).toEqual([])
        expect(yield* queue.nextDue(Samples.later(-1))).toEqual(Option.none())
      })
    )

    it.effect("nobody else has it until its lease ends, then it is simply due again", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        expect((yield* Deliveries.claim(0)).map(({ claims }) => claims)).toEqual([1])
        expect(yield* Deliveries.claim(0.4)).toEqual([])
        expect((yield* Deliveries.claim(0.5)).map(({ claims }) => claims)).toEqual([2])
      })
    )

    it.effect("the longest due comes first, and no more than asked", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const webhook = yield* newWebhook
        const third = yield* Deliveries.add(webhook, "call:3", { createdAt: Samples.later(3) })
        const first = yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(1) })
        const second = yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(2) })
        expect((yield* Deliveries.claim(9, { limit: 2 })).map(({ id }) => id)).toEqual([first, second])
        expect((yield* Deliveries.claim(9, { limit: 2 })).map(({ id }) => id)).toEqual([third])
      })
    )

    it.effect("claimers at once never take the same delivery", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const webhook = yield* newWebhook
        const added = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
          Deliveries.add(webhook, `call:${index}`)
        )
        const claimed = yield* Effect.forEach(
          Array.from({ length: 10 }),
          (_, index) => Deliveries.claim(0, { limit: 5, owner: `owner ${index}` }),
          { concurrency: "unbounded" }
        )
        const ids = claimed.flat().map(({ id }) => id)
        // A claim may leave out what another one holds at that moment; what is left is taken next.
        ids.push(...(yield* Deliveries.claim(0)).map(({ id }) => id))
        expect(ids.toSorted()).toEqual(added.toSorted())
      })
    )

    it.effect("of one webhook no more are taken than have room, what is in flight counted", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const account = yield* Samples.makeAccount()
        const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
        for (let index = 0; index < 20; index++) yield* Deliveries.add(hanging, `call:${index}`)
        const last = yield* Deliveries.add(good, "call:99", { createdAt: Samples.later(1) })
        const asked = { perWebhook: 8, inFlight: new Map([[hanging.id, 5]]), limit: 10 }
        const claimed = yield* Deliveries.claim(1, asked)
        expect(claimed.filter(({ webhookId }) => webhookId === hanging.id)).toHaveLength(3)
        expect(claimed.at(-1)?.id).toBe(last)
        const full = yield* Deliveries.claim(1, { ...asked, inFlight: new Map([[hanging.id, 8]]) })
        expect(full).toEqual([])
        const overfull = yield* Deliveries.claim(1, { ...asked, inFlight: new Map([[hanging.id, 9]]) })
        expect(overfull).toEqual([])
      })
    )

    it.effect("the first try of a subject waits for the first try of every earlier one to the same webhook", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
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

        // The first has been tried, and failed: it holds up nothing any more.
        yield* queue.record(
          claimed.slice(0, 1).map((one) => Deliveries.result(one, 5)),
          Samples.later(0.2)
        )
        const next = yield* Deliveries.claim(0.2)
        expect(next.map(({ id }) => id)).toEqual([second])

        // A lease that ends without a result is no try: the second goes again, the third waits.
        const again = (yield* Deliveries.claim(0.8)).map(({ id }) => id)
        expect(again).toContain(second)
        expect(again).not.toContain(third)
      })
    )

    it.effect("a long line to a hanging endpoint keeps nothing back that is not of it (D-DEL-27)", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const account = yield* Samples.makeAccount()
        const [hanging, good] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
        const line = Effect.forEach(Array.from({ length: 150 }), () => Deliveries.add(hanging, "call:1"))
        const [first] = yield* line
        const otherLine = yield* Deliveries.add(hanging, "call:2")
        yield* line
        const otherWebhook = yield* Deliveries.add(good, "call:1")
        const claimed = yield* Deliveries.claim(0, { perWebhook: 8 })
        expect(claimed.map(({ id }) => id)).toEqual([first, otherLine, otherWebhook])
        expect(yield* Deliveries.claim(0.1, { perWebhook: 8 })).toEqual([])
      })
    )

    it.effect("the first of a line that is due again behind the whole line goes all the same", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const ids = yield* Effect.forEach(Array.from({ length: 300 }), () => Deliveries.add(webhook, "call:1"))
        const again = Effect.fnUntraced(function* (minutes: number) {
          const claimed = yield* Deliveries.claim(minutes, { perWebhook: 8 })
          expect(claimed).toMatchObject([{ id: ids[0] }])
          return claimed
        })
        yield* again(0)
        const claimed = yield* again(0.5)
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

    it.effect("a cancelled delivery that is sent once more stands in its line again", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const store = yield* DeliveryStore
        const webhook = yield* newWebhook
        const first = yield* Deliveries.add(webhook, "call:1")
        yield* store.cancelPending(webhook.id)
        const second = yield* Deliveries.add(webhook, "call:1")
        yield* store.redeliver(webhook.accountId, webhook.id, first, Samples.later(0))
        expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([first])
        expect((yield* Deliveries.claim(0.5)).map(({ id }) => id)).toEqual([first])
        yield* store.cancelPending(webhook.id)
        yield* store.redeliver(webhook.accountId, webhook.id, second, Samples.later(1))
        expect((yield* Deliveries.claim(1)).map(({ id }) => id)).toEqual([second])
      })
    )

    it.effect("a cancelled delivery holds up nothing", () =>
      Effect.gen(function* () {
        yield* Deliveries.empty
        const store = yield* DeliveryStore
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        yield* store.cancelPending(webhook.id)
        const second = yield* Deliveries.add(webhook, "call:1")
        expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([second])
      })
    )

    it.effect("what is postponed is due at its time, its claim not counted, while its lease is held (D-DEL-14)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const ids = [yield* Deliveries.add(webhook, "call:1"), yield* Deliveries.add(webhook, "call:2")]
        const first = yield* Deliveries.claim(0, { leaseId: "lost" })
        const second = yield* Deliveries.claim(0.5, { leaseId: "held" })
        expect(second.map(({ claims }) => claims)).toEqual([2, 2])
        const [postponed, kept] = second.map(({ key }) => key)
        yield* queue.postpone(
          first.map(({ key }) => key),
          "lost",
          Samples.later(0)
        )
        expect(yield* Deliveries.claim(0.6)).toEqual([])
        yield* queue.postpone(postponed === undefined ? [] : [postponed], "held", Samples.later(3))
        expect((yield* Deliveries.claim(2)).map(({ claims, key }) => ({ claims, key }))).toEqual([
          { claims: 3, key: kept }
        ])
        const again = (yield* Deliveries.claim(3)).find(({ key }) => key === postponed)
        expect(again).toMatchObject({ id: ids[0], claims: 2, results: 0, kind: "automatic", dueAt: Samples.later(3) })
        const late = second.filter(({ key }) => key === postponed).map((delivery) => Deliveries.result(delivery, null))
        expect((yield* queue.record(late, Samples.later(3))).recorded).toEqual([])
      })
    )

    it.effect(
      "a release makes due at once what the owner holds, nobody else's, and its results come too late (D-DEL-17)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.empty
          const webhook = yield* newWebhook
          const mine = yield* Deliveries.add(webhook, "call:1")
          const [held] = yield* Deliveries.claim(0, { owner: "predecessor" })
          yield* Deliveries.add(webhook, "call:2")
          yield* Deliveries.claim(0, { owner: "neighbour" })
          expect(yield* queue.release("predecessor", Samples.later(0.1))).toBe(1)
          expect(yield* queue.release("predecessor", Samples.later(0.1))).toBe(0)
          if (held !== undefined) {
            expect((yield* queue.record([Deliveries.result(held, null)], Samples.later(0.1))).recorded).toEqual([])
          }
          expect((yield* Deliveries.claim(0.1)).map(({ id, claims }) => [id, claims])).toEqual([[mine, 2]])
        })
    )

    it.effect("a release leaves what is due already at its place: it has waited since its lease ended", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        yield* Deliveries.add(yield* newWebhook, "call:1")
        yield* Deliveries.claim(0, { owner: "predecessor" })
        expect(yield* queue.release("predecessor", Samples.later(2))).toBe(0)
        expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(0.5)))
        expect(yield* Deliveries.claim(2)).toHaveLength(1)
      })
    )

    it.effect("the next due time is the earliest of pending deliveries and leases after an instant, not at it", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const store = yield* DeliveryStore
        const webhook = yield* newWebhook
        const nextDue = (minutes: number) => queue.nextDue(Samples.later(minutes))
        expect(yield* nextDue(0)).toEqual(Option.none())
        yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(4) })
        yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(2) })
        expect(yield* nextDue(0)).toEqual(Option.some(Samples.later(2)))
        expect(yield* nextDue(2)).toEqual(Option.some(Samples.later(4)))
        yield* Deliveries.claim(2)
        expect(yield* nextDue(2)).toEqual(Option.some(Samples.later(2.5)))
        expect(yield* nextDue(4)).toEqual(Option.none())
        yield* store.cancelPending(webhook.id)
        expect(yield* nextDue(0)).toEqual(Option.none())
      })
    )

    it.effect("the oldest due time is that of what has waited longest, a lease counting at its end", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        expect(yield* queue.oldestDue).toEqual(Option.none())
        yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(2) })
        yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(4) })
        expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(2)))
        expect((yield* Deliveries.claim(3, { limit: 1 })).map(({ dueAt }) => dueAt)).toEqual([Samples.later(2)])
        expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(3.5)))
      })
    )

    it.effect(
      "what was published while its webhook was turned off is cancelled when it is due, but a test is sent (D-PG-21)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.empty
          const webhook = yield* newWebhook
          yield* (yield* WebhookStore).update({ ...webhook, status: "disabled" })
          yield* Deliveries.add(webhook, "call:1")
          const test = yield* Deliveries.add(webhook, "test:1", { name: "webhook.test" })
          expect((yield* Deliveries.claim(0)).map(({ id }) => id)).toEqual([test])
          // The one ended with the claim: nothing but the test's lease is ahead.
          expect(yield* queue.oldestDue).toEqual(Option.some(Samples.later(0.5)))
          const { accountId, id } = webhook
          const { list } = yield* DeliveryStore
          expect((yield* list(accountId, id, Option.some("cancelled"), { page: 1, limit: 1 })).count).toBe(1)
        })
    )

    it.effect("nothing of a deleted webhook is claimed, and what is in flight is not recorded", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const [held] = yield* Deliveries.claim(0)
        yield* Deliveries.add(webhook, "call:2")
        expect(yield* (yield* WebhookStore).delete(webhook.accountId, webhook.id)).toBe(true)
        expect(yield* queue.nextDue(Samples.later(-1))).toEqual(Option.none())
        expect(yield* Deliveries.claim(60)).toEqual([])
        if (held === undefined) return yield* Effect.die("it was due")
        expect((yield* queue.record([Deliveries.result(held, 5)], Samples.later(1))).recorded).toEqual([])
        expect(yield* Deliveries.claim(60)).toEqual([])
      })
    )
  })
}

const newWebhook = Effect.suspend(() => Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id)))
