import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import * as Effect from "effect/Effect"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `DeliveryQueue` shares the places of a process among accounts and their webhooks (D-DEL-31). */
export const deliveryFairnessSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: the places of accounts`, (it) => {
    it.effect("one claim leaves a quarter of the places of an account that is alone", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        yield* fill((yield* makeWebhooks(5)).webhooks, 4)
        expect(yield* Deliveries.claim(0, { limit: 16, perWebhook: 4 })).toHaveLength(12)
      })
    )

    it.effect("an account without a place gets one at once beside a flood of deliveries that are due longer", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const flood = yield* makeWebhooks(4)
        const idle = yield* makeWebhook
        yield* fill(flood.webhooks, 40)
        const request = { limit: 8, perWebhook: 8 }
        const first = yield* Deliveries.claim(0, request)
        expect(first).toHaveLength(6)
        const taken = { takenByAccount: new Map([[flood.accountId, 6]]), takenPlaces: countByWebhook(first) }
        expect(yield* Deliveries.claim(0, { ...request, ...taken, limit: 2 })).toEqual([])
        const id = yield* Deliveries.add(idle, "call:1", { createdAt: Samples.later(1) })
        expect((yield* Deliveries.claim(1, { ...request, ...taken, limit: 2 })).map((one) => one.id)).toEqual([id])
      })
    )

    it.effect("an account whose retry is due gets a place beside a flood of retries that are due longer", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const flood = yield* makeWebhooks(4)
        const idle = yield* makeWebhook
        yield* fill([...flood.webhooks, idle], 40)
        const claimed = yield* claimAll
        const results = claimed.map((one) => Deliveries.result(one, one.webhookId === idle.id ? 3 : 2))
        yield* queue.record(results, Samples.later(1))
        const again = yield* Deliveries.claim(4, {
          limit: 8,
          perWebhook: 8,
          takenByAccount: new Map([[flood.accountId, 24]])
        })
        expect(new Set(again.map(({ webhookId }) => webhookId))).toEqual(new Set([idle.id]))
        expect(again).toHaveLength(6)
      })
    )

    it.effect("accounts with many due deliveries get the same number of places, whichever are due longer", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const accounts = [yield* makeWebhooks(2), yield* makeWebhooks(3), yield* makeWebhooks(4)]
        for (const { webhooks } of accounts) yield* fill(webhooks, 12)
        const claimed = yield* Deliveries.claim(0, { limit: 20, perWebhook: 8 })
        const counts = accounts.map(
          ({ accountId }) => claimed.filter((delivery) => delivery.accountId === accountId).length
        )
        expect(counts).toEqual([6, 6, 6])
      })
    )

    it.effect("an account with more places waits until the others have as many", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const [many, few] = [yield* makeWebhooks(2), yield* makeWebhooks(2)]
        yield* fill(many.webhooks, 12)
        yield* fill(few.webhooks, 12)
        const claimed = yield* Deliveries.claim(0, {
          limit: 10,
          perWebhook: 8,
          takenByAccount: new Map([
            [many.accountId, 5],
            [few.accountId, 1]
          ])
        })
        const ofFew = claimed.filter(({ accountId }) => accountId === few.accountId).length
        expect([ofFew, claimed.length - ofFew]).toEqual([6, 2])
      })
    )

    it.effect("an account uses its places for its webhooks in turn, also for one whose delivery is due last", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const { id: accountId } = yield* Samples.makeAccount()
        const [busy, other] = [yield* Samples.makeWebhook(accountId), yield* Samples.makeWebhook(accountId)]
        const last = yield* Samples.makeWebhook(accountId)
        yield* fill([busy], 40)
        yield* fill([other], 40)
        const id = yield* Deliveries.add(last, "call:1", { createdAt: Samples.later(1) })
        const claimed = yield* Deliveries.claim(1, { limit: 4, perWebhook: 8 })
        expect(new Set(claimed.map(({ webhookId }) => webhookId))).toEqual(new Set([busy.id, other.id, last.id]))
        expect(claimed.at(-1)?.id).toBe(id)
      })
    )

    it.effect("each of many accounts with one due delivery gets its place in the end, and none gets two", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const flood = yield* makeWebhooks(3)
        yield* fill(flood.webhooks, 40)
        const others = yield* Effect.forEach(Array.from({ length: 60 }), () => makeWebhook)
        const ids = yield* Effect.forEach(others, (webhook) =>
          Deliveries.add(webhook, "call:1", { createdAt: Samples.later(1) })
        )
        const claimed = yield* Effect.forEach(Array.from({ length: 6 }), () =>
          Deliveries.claim(1, { limit: 10, perWebhook: 8, takenByAccount: new Map([[flood.accountId, 30]]) })
        )
        expect(claimed.map(({ length }) => length)).toEqual([10, 10, 10, 10, 10, 10])
        expect(
          claimed
            .flat()
            .map(({ id }) => id)
            .toSorted()
        ).toEqual(ids.toSorted())
      })
    )
  })
}

/** Makes webhooks of a new account. */
const makeWebhooks = Effect.fnUntraced(function* (count: number) {
  const { id } = yield* Samples.makeAccount()
  const webhooks = yield* Effect.forEach(Array.from({ length: count }), () => Samples.makeWebhook(id))
  return { accountId: id, webhooks }
})

/** Makes a webhook of a new account. */
const makeWebhook = Effect.suspend(() => Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id)))

/** Adds so many deliveries to each webhook, all of different calls. */
const fill = (webhooks: ReadonlyArray<Webhook>, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => Effect.forEach(webhooks, (webhook) => Deliveries.add(webhook, `call:${index}`)),
    { discard: true }
  )

/** Claims everything that is due. */
const claimAll = Effect.gen(function* () {
  const all: Array<Effect.Success<ReturnType<typeof Deliveries.claim>>[number]> = []
  for (let some = yield* Deliveries.claim(0); some.length > 0; some = yield* Deliveries.claim(0)) all.push(...some)
  return all
})

const countByWebhook = (claimed: ReadonlyArray<{ readonly webhookId: Webhook["id"] }>) =>
  new Map([...Map.groupBy(claimed, ({ webhookId }) => webhookId)].map(([id, { length }]) => [id, length]))
