import { describe, expect, it } from "@effect/vitest"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { page } from "@frontdesk/testing/suite/Pages"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { databases } from "../databases.ts"

describe.each(databases)("the cancellation of deliveries, in %s", (_, storage) => {
  it.effect(
    "a transaction cancels at most 200 deliveries of a webhook, and the steps of the purge the rest (D-PG-21)",
    () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
        const add = (count: number) =>
          Deliveries.add(webhook, "call:1", {
            deliveries: Array.from({ length: count }, () => ({ id: Deliveries.newId(), webhookId: webhook.id }))
          })
        const pending = Effect.map(
          store.list(webhook.accountId, webhook.id, Option.some("pending"), page(1)),
          ({ count }) => count
        )
        yield* add(450)
        yield* store.cancelOpen(webhook.id)
        expect(yield* pending).toBe(250)
        // A delivery that is added later is not cancelled.
        yield* add(1)
        const left: Array<number> = []
        while (yield* store.purge(Samples.rowLimit(50))) left.push(yield* pending)
        expect(left).toEqual([51, 1])
      }).pipe(Effect.provide(storage))
  )
})
