import { describe, expect, it } from "@effect/vitest"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import { withClockOffset } from "@frontdesk/testing/suite/WallClock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { deliveries, publishEndedAndNotify, subscribe } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

const hour = 3_600_000

describe("DeliveryWorker when the wall clock is set", () => {
  it.effect(
    "after the clock is set back an hour, retries stay on time and new deliveries are sent at once (D-DEL-22)",
    () =>
      withSettableClock((set) =>
        Effect.gen(function* () {
          const fake = yield* FakeWebhookSender
          const id = yield* subscribe("https://a.example")
          yield* fake.answerWith(() => Effect.as(Effect.sleep("2 seconds"), answered(500)))
          yield* Effect.forkScoped((yield* DeliveryWorker).run)
          yield* publishEndedAndNotify(1)
          yield* TestClock.adjust("1 second")
          set(-hour)
          yield* TestClock.adjust("1100 millis")
          expect(yield* deliveries(id)).toMatchObject([{ attempts: [{ durationMs: 0 }] }])
          yield* fake.answerWith(() => answered(500))
          yield* publishEndedAndNotify(2)
          yield* TestClock.adjust("1 second")
          expect(yield* fake.requests).toHaveLength(2)
          yield* TestClock.adjust("58 seconds")
          expect(yield* fake.requests).toHaveLength(2)
          yield* TestClock.adjust("2 seconds")
          expect(yield* fake.requests).toHaveLength(4)
        })
      )
  )

  it.effect(
    "after the clock is set forward an hour, retries are due and deliveries in flight are sent again but count once",
    () =>
      withSettableClock((set) =>
        Effect.gen(function* () {
          const fake = yield* FakeWebhookSender
          const id = yield* subscribe("https://a.example")
          yield* fake.answerWith(() => answered(500))
          yield* Effect.forkScoped((yield* DeliveryWorker).run)
          yield* publishEndedAndNotify(1)
          yield* TestClock.adjust("1 second")
          yield* fake.answerWith(() => Effect.as(Effect.sleep("5 seconds"), answered(200)))
          yield* publishEndedAndNotify(2)
          yield* TestClock.adjust("1 second")
          expect(yield* fake.requests).toHaveLength(2)
          set(hour)
          yield* TestClock.adjust("10 seconds")
          const [first, second, ...again] = (yield* fake.requests).map(idOf)
          expect(again).toHaveLength(2)
          expect(new Set(again)).toEqual(new Set([first, second]))
          expect(yield* deliveries(id)).toMatchObject([
            { status: "delivered", attempts: [{ statusCode: 200 }] },
            { status: "delivered", attempts: [{ statusCode: 500 }, { statusCode: 200 }] }
          ])
        })
      )
  )
})

/** Runs a test with services of its own, because services keep the clock with which they were built. */
const withSettableClock = <A, E>(
  test: (set: (millis: number) => void) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof services>> | Scope.Scope>
) => withClockOffset((set) => test(set).pipe(Effect.scoped, Effect.provide(Layer.fresh(services()))))

const idOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => headers["X-Service-Delivery-ID"]
