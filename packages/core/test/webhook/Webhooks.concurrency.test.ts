import { describe, expect, it } from "@effect/vitest"
import type { Principal } from "@frontdesk/core/access/Principal"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { services } from "./services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended"] }

const writes: ReadonlyArray<
  readonly [string, (id: WebhookId) => Effect.Effect<unknown, unknown, Webhooks | Principal>]
> = [
  ["patch", (id) => Effect.flatMap(Webhooks, (webhooks) => webhooks.patch(id, { name: "x" }))],
  ["put", (id) => Effect.flatMap(Webhooks, (webhooks) => webhooks.put(id, input))],
  ["rotateSecret", (id) => Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(id))],
  ["test", (id) => Effect.flatMap(Webhooks, (webhooks) => webhooks.test(id))]
]

describe("Webhooks during other writes", () => {
  it.effect.each(writes)("%s locks the webhook before its write, in one transaction", ([, write]) =>
    Effect.gen(function* () {
      const { webhook } = yield* (yield* Webhooks).create(input)
      const calls: Array<string> = []
      yield* recording(calls, Effect.void, write(webhook.id))
      expect(calls).toEqual(["begin", "lock", "write", "end"])
    }).pipe(Effect.provide(services()))
  )

  it.effect.each(writes)(
    "%s of a webhook that is deleted before the transaction fails with WebhookNotFound",
    ([, write]) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { webhook } = yield* webhooks.create(input)
        const failing = recording([], Effect.orDie(webhooks.delete(webhook.id)), write(webhook.id))
        expect(yield* Effect.flip(failing)).toMatchObject({ _tag: "WebhookNotFound", webhookId: webhook.id })
      }).pipe(Effect.provide(services()))
  )
})

/**
 * Runs an effect on services that add the name of each use of a store to `calls`, and that run `before` before each
 * transaction.
 */
const recording = <A, E>(
  calls: Array<string>,
  before: Effect.Effect<void, never, Principal>,
  effect: Effect.Effect<A, E, Webhooks | Principal>
) =>
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const deliveries = yield* DeliveryStore
    const transaction = yield* Transaction
    const recorded = <B, R>(name: string, call: Effect.Effect<B, StorageError, R>) =>
      Effect.andThen(
        Effect.sync(() => void calls.push(name)),
        call
      )
    const principal = yield* Effect.context<Principal>()
    return yield* effect.pipe(
      Effect.provide(Layer.fresh(Webhooks.layer)),
      Effect.provideService(
        WebhookStore,
        WebhookStore.of({
          ...store,
          find: (...args) => recorded("find", store.find(...args)),
          findForUpdate: (...args) => recorded("lock", store.findForUpdate(...args)),
          update: (...args) => recorded("write", store.update(...args)),
          rotateSecret: (...args) => recorded("write", store.rotateSecret(...args))
        })
      ),
      Effect.provideService(
        DeliveryStore,
        DeliveryStore.of({ ...deliveries, add: (event) => recorded("write", deliveries.add(event)) })
      ),
      Effect.provideService(
        Transaction,
        Transaction.of({
          run: (inner) =>
            Effect.provideContext(before, principal).pipe(
              Effect.andThen(Effect.sync(() => void calls.push("begin"))),
              Effect.andThen(transaction.run(inner)),
              Effect.tap(Effect.sync(() => void calls.push("end")))
            )
        })
      )
    )
  })
