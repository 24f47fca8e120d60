import { describe, expect, it } from "@effect/vitest"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { ended, subscribe, timesOf } from "../webhook/delivering.ts"
import { world } from "../webhook/world.ts"

describe("DeliveryWorker and deliveries in bad company", () => {
  it.effect("of many in flight when the process dies again and again only the one that kills it is given up", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      let isDead = false
      yield* fake.answerWith(({ url }) => {
        if (url !== lethal) return Effect.as(Effect.sleep("1 milli"), answered(200))
        isDead = true
        return Effect.never
      })
      const ids = yield* Effect.forEach(
        [...Array.from({ length: 50 }, (_, index) => `https://${index}.example`), lethal],
        subscribe
      )
      yield* ended(1)
      yield* lives(() => {
        const died = isDead
        isDead = false
        return died
      }, 70)
      const statuses = yield* Effect.forEach(ids, statusesOf)
      expect(statuses).toEqual([...Array.from({ length: 50 }, () => ["delivered"]), ["failed"]])
      expect(yield* timesOf(lethal)).toHaveLength(10)
    }).pipe(Effect.provide(world()))
  )

  it.effect("a process that dies ten times whatever it sends gives nothing up that it has not sent each time", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(() => Effect.never)
      const ids = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => `https://${index}.example`),
        subscribe
      )
      yield* ended(1)
      yield* lives(() => true, 10)
      expect(new Set((yield* Effect.forEach(ids, statusesOf)).flat())).toEqual(new Set(["pending"]))
      const times = Map.groupBy(yield* fake.requests, ({ url }) => url)
      const [most, ...others] = [...times.values()].map(({ length }) => length).toSorted((a, b) => b - a)
      // Those that wait are put back, and that counts for nothing: one alone is sent each time.
      expect(most).toBe(10)
      expect(Math.max(...others)).toBeLessThan(10)
      yield* fake.answerWith(() => answered(200))
      yield* lives(() => false, 70)
      const statuses = (yield* Effect.forEach(ids, statusesOf)).flat()
      expect(statuses.filter((status) => status !== "delivered")).toEqual(["failed"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("many endpoints that hang delay a good one by one timeout at most, once, and are still tried", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(({ url }) =>
        url === good ? answered(200) : Effect.as(Effect.sleep("10 seconds"), noAnswer)
      )
      for (let index = 0; index < 64; index++) yield* subscribe(`https://${index}.example`)
      for (let id = 1; id <= 40; id++) yield* ended(id)
      const goodId = yield* subscribe(good)
      yield* (yield* Webhooks).test(goodId)
      const start = yield* now
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      for (let half = 0; half < 60; half++) {
        if (half > 22) {
          yield* (yield* Webhooks).test(goodId)
          yield* (yield* WebhookEventPublisher).notify
        }
        yield* TestClock.adjust("500 millis")
      }
      const sinceStart = (yield* timesOf(good)).map((time) => time - start)
      expect(sinceStart[0]).toBeLessThanOrEqual(10_010)
      // Each later one was raised half a second after the one before, and sent at once.
      expect(sinceStart.slice(1)).toEqual(Array.from({ length: 37 }, (_, index) => 11_500 + index * 500))
      const inFlight = [...(yield* (yield* DeliveryWorker).inFlight).values()].reduce((sum, each) => sum + each, 0)
      expect(inFlight).toBe(128)
      const hung = (yield* fake.requests).filter(({ url }) => url !== good)
      expect(hung.length).toBeGreaterThanOrEqual(256 + 128 + 64)
      expect(new Set(hung.map(({ url }) => url)).size).toBe(64)
      // Quick again, they have all their places.
      yield* fake.answerWith(() => answered(200))
      yield* TestClock.adjust("15 seconds")
      expect((yield* (yield* DeliveryWorker).inFlight).size).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(world()))
  )
})

const [lethal, good] = ["https://kills.example", "https://good.example"]

/** Processes that deliver one after the other, each until nothing more goes or it dies. */
const lives = Effect.fnUntraced(function* (dies: () => boolean, count: number) {
  for (let life = 0; life < count; life++) {
    const drain = Effect.flatMap(DeliveryWorker, (worker) => worker.drain)
    const process = yield* Effect.forkChild(Effect.provide(drain, Layer.fresh(DeliveryWorker.layer)))
    yield* TestClock.adjust("1 second")
    if (dies()) yield* Fiber.interrupt(process)
    else yield* Fiber.join(process)
    yield* TestClock.adjust("30 seconds")
  }
})

const statusesOf = (id: Effect.Success<ReturnType<typeof subscribe>>) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.map(webhooks.deliveries(id), ({ items }) => items.map(({ status }) => status))
  )

const now = Effect.map(DateTime.now, DateTime.toEpochMillis)
