import { describe, expect, it } from "@effect/vitest"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type { WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import { answered, FakeWebhookSender, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { publishEnded, subscribeTo } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryWorker: the last results that a webhook shows", () => {
  it.effect(
    "a failure raises consecutiveFailures and sets lastFailureStatus; a success resets only the count (D-DEL-5)",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        const webhooks = yield* Webhooks
        const id = yield* subscribe
        const after = Effect.fnUntraced(function* (response: WebhookResponse, callId: number) {
          yield* fake.answerWith(() => response)
          yield* publishEnded(callId)
          yield* (yield* DeliveryWorker).runOnce
          const { consecutiveFailures, lastDeliveryAt, lastFailureAt, lastFailureStatus, lastSuccessAt } =
            yield* webhooks.get(id)
          const now = yield* DateTime.now
          const isNow = (time: DateTime.Utc | null) => time !== null && DateTime.Equivalence(time, now)
          yield* TestClock.adjust("1 second")
          return [consecutiveFailures, lastFailureStatus, ...[lastDeliveryAt, lastFailureAt, lastSuccessAt].map(isNow)]
        })
        expect(yield* after(answered(204), 1)).toEqual([0, null, true, false, true])
        expect(yield* after(answered(503), 2)).toEqual([1, 503, true, true, false])
        expect(yield* after(answered(301), 3)).toEqual([2, 301, true, true, false])
        expect(yield* after(noAnswer, 4)).toEqual([3, null, true, true, false])
        expect(yield* after(answered(404), 5)).toEqual([4, 404, true, true, false])
        expect(yield* after(answered(200), 6)).toEqual([0, 404, true, false, true])
        expect(yield* after(answered(500), 7)).toEqual([1, 500, true, true, false])
      }).pipe(Effect.provide(services()))
  )
})

const subscribe = subscribeTo("https://a.example", [
  "call.ended",
  "calendar.created",
  "calendar.updated",
  "calendar.cancelled"
])
