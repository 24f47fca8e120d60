import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { publishEnded, subscribe, timesOf } from "../webhook/delivering.ts"
import { as, services } from "../webhook/services.ts"

describe("DeliveryWorker with deliveries that kill the process or hang", () => {
  it.effect("when one delivery kills the process each time, only that one of many in flight is given up", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      let isDead = false
      yield* fake.answerWith(({ url }) => {
        if (url !== killing) return Effect.as(Effect.sleep("1 milli"), answered(200))
        isDead = true
        return Effect.never
      })
      const ids = yield* Effect.forEach(
        [...Array.from({ length: 50 }, (_, index) => `https://${index}.example`), killing],
        subscribe
      )
      yield* publishEnded(1)
      yield* runProcesses(() => {
        const died = isDead
        isDead = false
        return died
      }, 70)
      const statuses = yield* Effect.forEach(ids, statusesOf)
      expect(statuses).toEqual([...Array.from({ length: 50 }, () => ["delivered"]), ["failed"]])
      expect(yield* timesOf(killing)).toHaveLength(10)
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "when every send kills the process ten times, only one delivery is given up, and it was sent each time",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        yield* fake.answerWith(() => Effect.never)
        const ids = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => `https://${index}.example`),
          subscribe
        )
        yield* publishEnded(1)
        yield* runProcesses(() => true, 10)
        expect(new Set((yield* Effect.forEach(ids, statusesOf)).flat())).toEqual(new Set(["pending"]))
        const times = Map.groupBy(yield* fake.requests, ({ url }) => url)
        const [most, ...others] = [...times.values()].map(({ length }) => length).toSorted((a, b) => b - a)
        // The others are postponed, and those claims do not count. One delivery is sent alone each time.
        expect(most).toBe(10)
        expect(Math.max(...others)).toBeLessThan(10)
        yield* fake.answerWith(() => answered(200))
        yield* runProcesses(() => false, 70)
        const statuses = (yield* Effect.forEach(ids, statusesOf)).flat()
        expect(statuses.filter((status) => status !== "delivered")).toEqual(["failed"])
      }).pipe(Effect.provide(services()))
  )

  it.effect("many receivers that hang delay a good one once, by at most one timeout, and are still sent to", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(hangUnlessGood)
      for (let index = 0; index < 64; index++) yield* subscribe(`https://${index}.example`)
      for (let id = 1; id <= 12; id++) yield* publishEnded(id)
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
      // Each later webhook event was published half a second after the one before, and was sent at once.
      expect(sinceStart.slice(1)).toEqual(Array.from({ length: 37 }, (_, index) => 11_500 + index * 500))
      expect(yield* sending).toBe(128)
      const hung = (yield* fake.requests).filter(({ url }) => url !== good)
      expect(hung.length).toBeGreaterThanOrEqual(256 + 128 + 64)
      expect(new Set(hung.map(({ url }) => url)).size).toBe(64)
      // After the receivers answer quickly again, nothing stays in flight.
      yield* fake.answerWith(() => answered(200))
      yield* TestClock.adjust("15 seconds")
      expect((yield* (yield* DeliveryWorker).sending).size).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )
})

describe("DeliveryWorker with an account that has many due deliveries", () => {
  it.effect("a delivery of another account is sent at once while 40 webhooks of one account hang (D-DEL-31)", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(hangUnlessGood)
      for (let index = 0; index < 40; index++) yield* subscribe(`https://${index}.example`)
      for (let id = 1; id <= 12; id++) yield* publishEnded(id)
      const other = as(AccountId.make(2))
      const goodId = yield* other(subscribe(good))
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("100 millis")
      expect(yield* sending).toBe(192)
      const published: Array<number> = []
      for (let second = 0; second < 8; second++) {
        published.push(yield* now)
        yield* other(Effect.flatMap(Webhooks, (webhooks) => webhooks.test(goodId)))
        yield* (yield* WebhookEventPublisher).notify
        yield* TestClock.adjust("1 second")
      }
      expect(yield* timesOf(good)).toEqual(published)
      // A worker that stops waits for its requests, and they wait for the test clock.
      yield* fake.answerWith(() => answered(200))
      yield* TestClock.adjust("15 seconds")
      expect((yield* (yield* DeliveryWorker).sending).size).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )
})

const [killing, good] = ["https://kills.example", "https://good.example"]

/** Only the good receiver answers. Each other request runs into the timeout. */
const hangUnlessGood = ({ url }: { readonly url: string }) =>
  url === good ? answered(200) : Effect.as(Effect.sleep("10 seconds"), noAnswer)

/** The number of deliveries that the worker is sending. */
const sending = Effect.gen(function* () {
  const counts = yield* (yield* DeliveryWorker).sending
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
})

/** Runs processes one after the other, each until no delivery can be sent or until it dies. */
const runProcesses = Effect.fnUntraced(function* (dies: () => boolean, count: number) {
  for (let index = 0; index < count; index++) {
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
