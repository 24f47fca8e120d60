import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as DeliveryAttempt from "@frontdesk/core/delivery/DeliveryAttempt"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import * as Deadlines from "@frontdesk/core/background/Deadlines"
import * as Lease from "@frontdesk/core/background/Lease"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { answered, FakeWebhookSender, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import type { SentRequest } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { deliveries, drain, publishEnded, subscribeTo } from "../webhook/delivering.ts"
import { call } from "../webhook/samples.ts"
import { services } from "../webhook/services.ts"

const minute = 60_000

describe("DeliveryWorker", () => {
  it.effect(
    "a delivery is sent at once, then 1, 5 and 30 minutes after each failure, with the same id and the same bytes",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        const { runOnce } = yield* DeliveryWorker
        const webhookId = yield* subscribe("https://a.example")
        yield* fake.answerWith(() => Effect.as(Effect.sleep("2 seconds"), answered(500)))
        yield* publishEnded(1)
        const start = yield* now
        const round = Effect.fnUntraced(function* () {
          const fiber = yield* Effect.forkChild(runOnce)
          yield* TestClock.adjust("2 seconds")
          return yield* Fiber.join(fiber)
        })
        for (const minutes of [0, 1, 5, 30]) {
          yield* TestClock.adjust(Duration.millis(Math.max(0, minutes * minute - 1)))
          if (minutes > 0) {
            expect(yield* runOnce).toBe(0)
            yield* TestClock.adjust("1 milli")
          }
          expect(yield* round()).toBe(1)
        }
        const requests = yield* fake.requests
        const second = 1_000
        expect(requests.map(({ at }) => DateTime.toEpochMillis(at) - start)).toEqual([
          0,
          2 * second + minute,
          4 * second + 6 * minute,
          6 * second + 36 * minute
        ])
        expect(new Set(requests.map(deliveryId)).size).toBe(1)
        expect(new Set(requests.map(({ body }) => body.join())).size).toBe(1)
        expect(new Set(requests.map(({ headers }) => headers["X-Service-Signature"])).size).toBe(1)
        const [delivery] = yield* deliveries(webhookId)
        expect(delivery).toMatchObject({ status: "failed", nextAttemptAt: null })
        expect(
          delivery?.attempts.map(({ durationMs, number, statusCode }) => [number, durationMs, statusCode])
        ).toEqual([
          [1, 2_000, 500],
          [2, 2_000, 500],
          [3, 2_000, 500],
          [4, 2_000, 500]
        ])
        yield* TestClock.adjust("30 days")
        expect(yield* runOnce).toBe(0)
      }).pipe(Effect.provide(services()))
  )

  it.effect(
    "after four failures the webhook is failed, still receives the next webhook event, and one success makes it active",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        const webhookId = yield* subscribe("https://a.example")
        yield* fake.answerWith(() => noAnswer)
        yield* publishEnded(1)
        expect(yield* statusAfterEachRetry(webhookId)).toEqual(["active", "active", "active", "failed"])
        expect(yield* webhook(webhookId)).toMatchObject({ consecutiveFailures: 4, lastFailureStatus: null })
        yield* fake.answerWith(() => answered(204))
        yield* publishEnded(2)
        expect(yield* drain).toBe(1)
        expect(yield* webhook(webhookId)).toMatchObject({ status: "active", consecutiveFailures: 0 })
      }).pipe(Effect.provide(services()))
  )

  it.effect("410 disables the webhook, fails the delivery and cancels the other pending deliveries", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const webhookId = yield* subscribe("https://a.example")
      yield* fake.answerWith(() => answered(500))
      yield* publishEnded(1)
      yield* drain
      yield* fake.answerWith(() => answered(410))
      yield* publishEnded(2)
      yield* drain
      expect(yield* webhook(webhookId)).toMatchObject({ status: "disabled", lastFailureStatus: 410 })
      expect((yield* deliveries(webhookId)).map(({ status }) => status)).toEqual(["failed", "cancelled"])
      yield* publishEnded(3)
      yield* TestClock.adjust("1 hour")
      expect(yield* drain).toBe(0)
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "first attempts of one call keep their order, and a failed first attempt does not delay the next webhook events",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        yield* subscribe("https://a.example")
        const { publish } = yield* WebhookEventPublisher
        yield* fake.answerWith(({ headers }) => answered(headers["X-Service-Event"] === "call.started" ? 500 : 200))
        yield* publish(CallWebhookEvent.make("call.started", call()))
        yield* publish(CallWebhookEvent.make("call.ended", call()))
        yield* publish(CallWebhookEvent.make("call.summary", call()))
        const { runOnce } = yield* DeliveryWorker
        expect([yield* runOnce, yield* runOnce, yield* runOnce, yield* runOnce]).toEqual([1, 1, 1, 0])
        yield* TestClock.adjust("1 minute")
        expect(yield* runOnce).toBe(1)
        const names = (yield* fake.requests).map(({ headers }) => headers["X-Service-Event"])
        expect(names).toEqual(["call.started", "call.ended", "call.summary", "call.started"])
      }).pipe(Effect.provide(services()))
  )

  it.effect("a delivery of a process that dies before the record is sent again after the lease, with the same id", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const webhookId = yield* subscribe("https://a.example")
      yield* publishEnded(1)
      const [claimed] = yield* claimAsAnother
      if (claimed === undefined) return expect.fail()
      const late = yield* DeliveryAttempt.send(
        claimed,
        yield* Lease.begin(yield* DateTime.now, { length: Duration.seconds(30), timeout: Duration.seconds(10) }),
        yield* Deadlines.make
      )
      if (Option.isNone(late)) return expect.fail()
      yield* TestClock.adjust(Duration.millis(29_999))
      expect(yield* drain).toBe(0)
      yield* TestClock.adjust("1 milli")
      expect(yield* drain).toBe(1)
      const [first, again] = yield* fake.requests
      expect(again && deliveryId(again)).toBe(first && deliveryId(first))
      expect(again?.body).toEqual(first?.body)
      // The result of the first process comes late. Its lease is lost, so it has no effect.
      expect((yield* (yield* DeliveryQueue).record([late.value], yield* DateTime.now)).recorded).toEqual([])
      expect((yield* deliveries(webhookId))[0]?.attempts).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )

  it.effect("a delivery with ten claims without a result is given up unsent (D-DEL-11)", () =>
    Effect.gen(function* () {
      const webhookId = yield* subscribe("https://a.example")
      yield* publishEnded(1)
      for (let claims = 0; claims < 10; claims++) {
        expect(yield* claimAsAnother).toHaveLength(1)
        yield* TestClock.adjust("30 seconds")
      }
      yield* drain
      expect(yield* (yield* FakeWebhookSender).requests).toEqual([])
      const [delivery] = yield* deliveries(webhookId)
      expect(delivery).toMatchObject({ status: "failed", attempts: [{ statusCode: null }] })
      expect(yield* webhook(webhookId)).toMatchObject({ status: "active" })
    }).pipe(Effect.provide(services()))
  )

  it.effect("an attempt fails when the sender dies or hangs", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const webhookId = yield* subscribe("https://a.example")
      yield* fake.answerWith(() => Effect.die(new Error("secret detail")))
      yield* publishEnded(1)
      yield* drain
      yield* fake.answerWith(() => Effect.never)
      yield* TestClock.adjust("1 minute")
      const fiber = yield* Effect.forkChild(drain)
      yield* TestClock.adjust("15 seconds")
      expect(yield* Fiber.join(fiber)).toBe(1)
      const [delivery] = yield* deliveries(webhookId)
      expect(delivery?.attempts.map(({ error }) => error)).toEqual(["the request could not be made", "timed out"])
      expect(delivery?.status).toBe("pending")
    }).pipe(Effect.provide(services()))
  )

  it.effect("an attempt fails when it cannot be signed", () =>
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const webhookId = yield* subscribe("https://a.example")
      yield* publishEnded(1)
      const broken = Crypto.of({ ...crypto, hmacSha256Hex: () => Effect.die(new Error("secret detail")) })
      yield* drain.pipe(Effect.provide(Layer.fresh(DeliveryWorker.layer)), Effect.provideService(Crypto, broken))
      const [delivery] = yield* deliveries(webhookId)
      expect(delivery?.attempts.map(({ error }) => error)).toEqual(["the request could not be made"])
    }).pipe(Effect.provide(services()))
  )
})

describe("DeliveryWorker.run", () => {
  it.effect("a delivery is sent at once after a notification, and within a second without one", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* subscribe("https://a.example")
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("10 seconds")
      yield* publishEnded(1)
      yield* (yield* WebhookEventPublisher).notify
      yield* TestClock.adjust(0)
      expect(yield* fake.requests).toHaveLength(1)
      yield* TestClock.adjust("100 millis")
      yield* publishEnded(2)
      yield* TestClock.adjust("1 second")
      expect(yield* fake.requests).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("retries begin exactly 1, 5 and 30 minutes after a failure, even between two polls", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const webhookId = yield* subscribe("https://a.example")
      yield* fake.answerWith(() => answered(500))
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("333 millis")
      const start = yield* now
      yield* publishEnded(1)
      yield* (yield* WebhookEventPublisher).notify
      for (let second = 0; second < 40 * 60; second++) yield* TestClock.adjust("1 second")
      const times = (yield* fake.requests).map(({ at }) => DateTime.toEpochMillis(at) - start)
      expect(times).toEqual([0, minute, 6 * minute, 36 * minute])
      expect(yield* webhook(webhookId)).toMatchObject({ status: "failed" })
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("the limit of one webhook is kept, and a receiver that hangs does not delay others", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      let [hanging, maxHanging] = [0, 0]
      yield* fake.answerWith(({ url }) =>
        url === "https://hangs.example"
          ? Effect.acquireUseRelease(
              Effect.sync(() => (maxHanging = Math.max(maxHanging, ++hanging))),
              () => Effect.as(Effect.sleep("10 seconds"), noAnswer),
              () => Effect.sync(() => hanging--)
            )
          : answered(200)
      )
      yield* subscribe("https://hangs.example")
      for (let id = 1; id <= 20; id++) yield* publishEnded(id)
      yield* subscribe("https://good.example")
      for (let id = 21; id <= 40; id++) yield* publishEnded(id)
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("1 second")
      const good = (yield* fake.requests).filter(({ url }) => url === "https://good.example")
      expect(good).toHaveLength(20)
      expect(maxHanging).toBe(3)
      // Long enough for three attempts of each delivery, because a worker that stops waits for those in flight.
      yield* TestClock.adjust("20 minutes")
      expect(maxHanging).toBe(3)
    }).pipe(Effect.scoped, Effect.provide(services({ maxInFlight: 5, maxInFlightPerWebhook: 3 })))
  )

  it.effect("a worker recovers the leases of its own name at its start, and no others (D-DEL-17)", () =>
    Effect.gen(function* () {
      yield* subscribe("https://a.example")
      yield* publishEnded(1)
      yield* publishEnded(2)
      yield* claimAs("server-1", 1)
      yield* claimAs("server-2", 1)
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("5 seconds")
      expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(1)
      yield* TestClock.adjust("25 seconds")
      expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(services({ owner: "server-1" })))
  )

  it.effect("a worker that is stopped claims nothing more, and finishes and records the attempts in flight", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const webhookId = yield* subscribe("https://a.example")
      yield* fake.answerWith(() => Effect.as(Effect.sleep("5 seconds"), answered(200)))
      yield* publishEnded(1)
      const running = yield* Effect.forkChild((yield* DeliveryWorker).run)
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* TestClock.adjust("1 second")
      yield* publishEnded(2)
      yield* (yield* WebhookEventPublisher).notify
      expect(stopping.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(stopping)
      expect((yield* deliveries(webhookId)).map(({ status }) => status)).toEqual(["pending", "delivered"])
      expect(yield* fake.requests).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )

  it.effect("results are recorded in batches: at fifty results, or after 10 milliseconds", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const queue = yield* DeliveryQueue
      const counting = DeliveryQueue.of({
        ...queue,
        record: (results: ReadonlyArray<DeliveryResult>, at) => {
          sizes.push(results.length)
          return queue.record(results, at)
        }
      })
      const answersAfter = new Map([
        ["https://9.example", 5],
        ["https://10.example", 7]
      ])
      yield* (yield* FakeWebhookSender).answerWith(({ url }) =>
        Effect.as(Effect.sleep(answersAfter.get(url) ?? 1), answered(200))
      )
      const transaction = yield* Transaction
      yield* Effect.gen(function* () {
        for (let id = 1; id <= 10; id++) yield* subscribe(`https://${id}.example`)
        for (let id = 1; id <= 6; id++) yield* publishEnded(id)
        yield* Effect.forkScoped((yield* DeliveryWorker).run)
        yield* TestClock.adjust("4 millis")
        expect(sizes).toEqual([])
        yield* TestClock.adjust("1 milli")
        expect(sizes).toEqual([50])
        yield* TestClock.adjust("9 millis")
        expect(sizes).toEqual([50])
        yield* TestClock.adjust("1 milli")
        expect(sizes).toEqual([50, 10])
      }).pipe(
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(DeliveryQueue, counting),
        Effect.provideService(Transaction, transaction)
      )
    }).pipe(Effect.scoped, Effect.provide(services()))
  )
})

const subscribe = (url: string) => subscribeTo(url, ["call.started", "call.ended", "call.summary"])

const webhook = (id: WebhookId) => Effect.flatMap(Webhooks, (webhooks) => webhooks.get(id))

const now = Effect.map(DateTime.now, DateTime.toEpochMillis)

const deliveryId = ({ headers }: SentRequest) => headers["X-Service-Delivery-ID"]

const statusAfterEachRetry = Effect.fnUntraced(function* (id: WebhookId) {
  const statuses: Array<string> = []
  for (const minutes of [0, 1, 5, 30]) {
    yield* TestClock.adjust(Duration.minutes(minutes))
    yield* drain
    statuses.push((yield* webhook(id)).status)
  }
  return statuses
})

const claimAs = Effect.fnUntraced(function* (owner: string, limit: number) {
  const at = yield* DateTime.now
  return yield* (yield* DeliveryQueue).claim({
    now: at,
    leaseUntil: DateTime.add(at, { seconds: 30 }),
    leaseId: `lease of ${owner} at ${DateTime.toEpochMillis(at)}`,
    owner,
    limit,
    perWebhook: 8,
    takenPlaces: new Map(),
    takenByAccount: new Map()
  })
})

const claimAsAnother = claimAs("another", 10)
