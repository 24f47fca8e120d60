import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect, fail } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `DeliveryQueue` records results, and when a claim is stale. */
export const deliveryResultSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryQueue, results`, (it) => {
    it.effect("isCurrent returns true for a claim until the delivery is claimed again or postponed", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const [first] = yield* Deliveries.claim(0)
        if (first === undefined) return fail("unreachable")
        expect(yield* queue.isCurrent(first)).toBe(true)
        const [second] = yield* Deliveries.claim(1)
        if (second === undefined) return fail("unreachable")
        expect([yield* queue.isCurrent(first), yield* queue.isCurrent(second)]).toEqual([false, true])
        yield* queue.postpone([second.key], second.leaseId, Samples.later(2))
        expect(yield* queue.isCurrent(second)).toBe(false)
      })
    )

    it.effect("postpone postpones every given delivery of the lease", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        for (const subject of ["call:1", "call:2", "call:3"]) yield* Deliveries.add(webhook, subject)
        const [first, second, third] = (yield* Deliveries.claim(0, { leaseId: "leased" })).map(({ key }) => key)
        if (first === undefined || second === undefined || third === undefined) return fail("unreachable")
        yield* queue.postpone([first, second, third], "leased", Samples.later(3))
        expect(yield* Deliveries.claim(0, { now: Samples.justBefore(3) })).toEqual([])
        expect((yield* Deliveries.claim(3)).map(({ claims }) => claims)).toEqual([1, 1, 1])
      })
    )

    it.effect("isCurrent returns false when the webhook has another URL, is disabled or was deleted", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhooks = yield* WebhookStore
        const account = yield* Samples.makeAccount()
        const changes = {
          url: (webhook: Webhook) => webhooks.update({ ...webhook, url: "https://elsewhere.example" }),
          off: (webhook: Webhook) => webhooks.update({ ...webhook, status: "disabled" }),
          deleted: (webhook: Webhook) => webhooks.delete(webhook.accountId, webhook.id)
        }
        for (const [name, change] of Object.entries(changes)) {
          const webhook = yield* Samples.makeWebhook(account.id)
          yield* Deliveries.add(webhook, "call:1")
          const [claimed] = yield* Deliveries.claim(0)
          if (claimed === undefined) return fail("unreachable")
          yield* change(webhook)
          expect([name, yield* queue.isCurrent(claimed)]).toEqual([name, false])
          yield* Deliveries.emptyQueue
        }
      })
    )

    it.effect("isCurrent returns true for a webhook.test and a manual attempt to a disabled webhook (D-HOOK-9)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const redelivered = yield* Deliveries.add(webhook, "call:1")
        const [attempt] = yield* Deliveries.claim(0)
        if (attempt === undefined) return fail("unreachable")
        yield* queue.record([Deliveries.result(attempt, null)], Samples.later(1))
        yield* (yield* WebhookStore).update({ ...webhook, status: "disabled" })
        const { redeliver } = yield* DeliveryStore
        yield* redeliver(webhook.accountId, webhook.id, redelivered, Samples.later(2))
        const test = yield* Deliveries.add(webhook, "test:1", { name: "webhook.test" })
        const claimed = yield* Deliveries.claim(3)
        expect(new Set(claimed.map(({ id }) => id))).toEqual(new Set([redelivered, test]))
        expect(yield* Effect.forEach(claimed, queue.isCurrent)).toEqual([true, true])
      })
    )

    it.effect(
      "find shows a delivery as pending, in flight, failed once with the next attempt, and delivered with both attempts",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const id = yield* Deliveries.add(webhook, "call:1")
          const pending = {
            id,
            webhookId: webhook.id,
            eventType: "call.ended",
            status: "pending",
            createdAt: Samples.now,
            nextAttemptAt: Samples.now,
            attempts: []
          }
          expect(yield* Deliveries.find(webhook, id)).toEqual(Option.some(pending))

          const first = yield* Deliveries.claimOne(0)
          expect(yield* Deliveries.find(webhook, id)).toEqual(Option.some({ ...pending, nextAttemptAt: null }))

          expect((yield* queue.record([Deliveries.result(first, 5)], Samples.later(2))).recorded).toEqual([first.key])
          const failure = { number: 1, kind: "automatic", ...Deliveries.result(first, 5).attempt }
          expect(yield* Deliveries.find(webhook, id)).toEqual(
            Option.some({ ...pending, nextAttemptAt: Samples.later(5), attempts: [failure] })
          )

          expect(yield* Deliveries.claim(4.99)).toEqual([])
          const second = yield* Deliveries.claimOne(5)
          expect(second).toMatchObject({ id, results: 1, claims: 1 })
          yield* queue.record([Deliveries.result(second, null)], Samples.later(6))
          const success = { number: 2, kind: "automatic", ...Deliveries.result(second, null).attempt }
          expect(yield* Deliveries.find(webhook, id)).toEqual(
            Option.some({ ...pending, status: "delivered", nextAttemptAt: null, attempts: [failure, success] })
          )
          expect(yield* Deliveries.claim(10_000)).toEqual([])
        })
    )

    it.effect("record stores a manual attempt as manual, and does not count it among the automatic results", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const { redeliver } = yield* DeliveryStore
        const id = yield* Deliveries.add(webhook, "call:1")
        yield* queue.record([Deliveries.finalFailure(yield* Deliveries.claimOne(0), null)], Samples.later(1))
        for (const minutes of [2, 3]) {
          yield* redeliver(webhook.accountId, webhook.id, id, Samples.later(minutes))
          const claimed = yield* Deliveries.claimOne(minutes)
          expect(claimed).toMatchObject({ kind: "manual", results: 1 })
          yield* queue.record([Deliveries.finalFailure(claimed, null)], Samples.later(minutes))
        }
        const { attempts } = Option.getOrThrow(yield* Deliveries.find(webhook, id))
        expect(attempts.map(({ kind }) => kind)).toEqual(["automatic", "manual", "manual"])
      })
    )

    it.effect("record updates status, times and consecutive failures of the webhook", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        for (const subject of ["call:1", "call:2", "call:3"]) yield* Deliveries.add(webhook, subject)
        const [a, b, c] = yield* Deliveries.claim(0)
        if (a === undefined || b === undefined || c === undefined)
          return yield* Effect.die("claim returned fewer than three deliveries")

        yield* queue.record([Deliveries.result(a, 5)], Samples.later(1))
        const failedOnce = {
          ...webhook,
          lastDeliveryAt: Samples.later(1),
          lastFailureAt: Samples.later(1),
          lastFailureStatus: 503,
          consecutiveFailures: 1
        }
        expect(yield* Deliveries.findWebhook(webhook)).toEqual(Option.some(failedOnce))

        const noAnswer = Deliveries.finalFailure(b, "failed")
        yield* queue.record(
          [{ ...noAnswer, attempt: { ...noAnswer.attempt, statusCode: null, error: "no answer in 10 s" } }],
          Samples.later(2)
        )
        const failedTwice = {
          ...failedOnce,
          status: "failed",
          lastDeliveryAt: Samples.later(2),
          lastFailureAt: Samples.later(2),
          lastFailureStatus: null,
          consecutiveFailures: 2
        }
        expect(yield* Deliveries.findWebhook(webhook)).toEqual(Option.some(failedTwice))

        yield* queue.record([Deliveries.result(c, null)], Samples.later(3))
        expect(yield* Deliveries.findWebhook(webhook)).toEqual(
          Option.some({
            ...failedTwice,
            status: "active",
            lastDeliveryAt: Samples.later(3),
            lastSuccessAt: Samples.later(3),
            consecutiveFailures: 0
          })
        )
      })
    )

    it.effect("record counts each result of one webhook in a batch", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        for (let index = 0; index < 50; index++) yield* Deliveries.add(webhook, `call:${index}`)
        const claimed = yield* Deliveries.claim(0)
        const results = claimed.map((one) => Deliveries.result(one, 5))
        const { recorded } = yield* queue.record(results, Samples.later(1))
        expect(recorded.toSorted((a, b) => a - b)).toEqual(claimed.map(({ key }) => key).toSorted((a, b) => a - b))
        expect(Option.getOrThrow(yield* Deliveries.findWebhook(webhook)).consecutiveFailures).toBe(50)
        expect((yield* queue.record([], Samples.later(1))).recorded).toEqual([])
      })
    )

    it.effect("record ignores a result of a stale claim, and a result that was recorded before", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const stale = yield* Deliveries.claimOne(0)
        const current = yield* Deliveries.claimOne(1)
        expect((yield* queue.record([Deliveries.finalFailure(stale, "disabled")], Samples.later(1))).recorded).toEqual(
          []
        )
        expect(yield* Deliveries.findWebhook(webhook)).toEqual(Option.some(webhook))
        expect((yield* queue.record([Deliveries.result(current, null)], Samples.later(1))).recorded).toEqual([
          current.key
        ])
        // A repeat of the same result is ignored.
        expect((yield* queue.record([Deliveries.result(current, null)], Samples.later(1))).recorded).toEqual([])
        const found = Option.getOrThrow(yield* Deliveries.find(webhook, id))
        expect(found).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
        expect(found.attempts).toHaveLength(1)
      })
    )

    it.effect("record accepts a result after the end of its lease if the delivery has not been claimed again", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const slow = yield* Deliveries.claimOne(0)
        expect((yield* queue.record([Deliveries.result(slow, null)], Samples.later(9))).recorded).toEqual([slow.key])
      })
    )

    it.effect("record leaves a disabled webhook disabled after a success (D-HOOK-9)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const leased = yield* Deliveries.claimOne(0)
        yield* (yield* WebhookStore).update({ ...webhook, status: "disabled" })
        yield* queue.record([Deliveries.result(leased, null)], Samples.later(1))
        expect(Option.getOrThrow(yield* Deliveries.findWebhook(webhook))).toMatchObject({
          status: "disabled",
          lastSuccessAt: Samples.later(1)
        })
      })
    )

    for (const status of ["disabled", "failed"] as const) {
      it.effect(
        `record of a failure at the webhook's earlier URL does not make the webhook ${status} and cancels nothing (D-DEL-13)`,
        () =>
          Effect.gen(function* () {
            const { old, queue, waiting, webhook } = yield* makeMovedWebhook
            expect((yield* queue.record([Deliveries.finalFailure(old, status)], Samples.later(1))).recorded).toEqual([
              old.key
            ])
            expect(Option.getOrThrow(yield* Deliveries.findWebhook(webhook))).toMatchObject({
              status: "active",
              lastFailureAt: Samples.later(1),
              consecutiveFailures: 1
            })
            expect(Option.getOrThrow(yield* Deliveries.find(webhook, old.id))).toMatchObject({
              status: "failed",
              attempts: [{ number: 1 }]
            })
            expect(Option.getOrThrow(yield* Deliveries.find(webhook, waiting)).status).toBe("pending")
          })
      )
    }

    it.effect(
      "record of a batch with results of both URLs sets the status from the present URL, and counts the failures of both",
      () =>
        Effect.gen(function* () {
          const { old, queue, waiting, webhook } = yield* makeMovedWebhook
          yield* Deliveries.add(webhook, "call:3", { createdAt: Samples.later(9) })
          const [first, last] = yield* Deliveries.claim(9, { limit: 3 }).pipe(
            Effect.map((claimed) => claimed.filter(({ key }) => key !== old.key))
          )
          if (first === undefined || last === undefined)
            return yield* Effect.die("claim returned fewer than two further deliveries")
          const again = { ...last, url: old.url }
          yield* queue.record(
            [Deliveries.finalFailure(again, "disabled"), Deliveries.finalFailure(first, "failed")],
            Samples.later(10)
          )
          expect(Option.getOrThrow(yield* Deliveries.findWebhook(webhook))).toMatchObject({
            status: "failed",
            consecutiveFailures: 2
          })
          expect(Option.getOrThrow(yield* Deliveries.find(webhook, waiting)).attempts).toHaveLength(1)
        })
    )

    it.effect(
      "record of a result that disables the webhook cancels its open deliveries, but records the other results of the batch",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
          const [gone, beside, leased, waiting] = [
            yield* Deliveries.add(webhook, "call:1"),
            yield* Deliveries.add(webhook, "call:2"),
            yield* Deliveries.add(webhook, "call:3"),
            yield* Deliveries.add(webhook, "call:4", { createdAt: Samples.later(9) })
          ]
          const elsewhere = yield* Deliveries.add(other, "call:1")
          const claimed = yield* Deliveries.claim(0)
          const of = (id: typeof gone) => claimed.filter((delivery) => delivery.id === id)
          const results = [
            ...of(gone).map((delivery) => Deliveries.finalFailure(delivery, "disabled")),
            ...of(beside).map((delivery) => Deliveries.result(delivery, null))
          ]
          expect((yield* queue.record(results, Samples.later(1))).recorded).toHaveLength(2)
          const statusOf = (id: typeof gone) =>
            Effect.map(Deliveries.find(webhook, id), (found) => Option.map(found, ({ status }) => status))
          expect(yield* Effect.forEach([gone, beside, leased, waiting], statusOf)).toEqual(
            ["failed", "delivered", "cancelled", "cancelled"].map(Option.some)
          )
          expect(Option.getOrThrow(yield* Deliveries.findWebhook(webhook)).status).toBe("disabled")
          // The result of the delivery that was in flight is stale now. The other webhook's delivery is not affected.
          const late = of(leased).map((delivery) => Deliveries.result(delivery, null))
          expect((yield* queue.record(late, Samples.later(2))).recorded).toEqual([])
          expect((yield* Deliveries.claim(20)).map(({ id }) => id)).toEqual([elsewhere])
        })
    )
  })
}

/** Makes a webhook whose URL was changed while one delivery was in flight and one was pending. */
const makeMovedWebhook = Effect.gen(function* () {
  const queue = yield* Deliveries.emptyQueue
  const webhook = yield* Deliveries.newWebhook
  yield* Deliveries.add(webhook, "call:1")
  const waiting = yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(9) })
  const old = yield* Deliveries.claimOne(0)
  yield* (yield* WebhookStore).update({ ...webhook, url: "https://new.example/hook" })
  return { queue, webhook, old, waiting }
})
