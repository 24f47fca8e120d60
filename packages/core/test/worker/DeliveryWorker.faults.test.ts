import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Property from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { deliveries, publishEnded, subscribe as subscribeTo } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryWorker when the store fails", () => {
  it.effect("a result that cannot be recorded at once is recorded later, and its delivery is not sent again", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* publishEnded(1)
      yield* withFaults({ record: ["unavailable", "conflict"] }, (worker) => worker.runOnce, "1 second")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
      expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )

  it.effect("a result of an outage is recorded after it, and no process sends its delivery again (D-DEL-19)", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      const fake = yield* FakeWebhookSender
      const store = { isUnavailable: false, calls: 0 }
      yield* fake.answerWith(() => {
        store.isUnavailable = true
        return answered(200)
      })
      yield* publishEnded(1)
      const whenAvailable = <A>(call: Effect.Effect<A, StorageError>) =>
        Effect.suspend(() => {
          store.calls += 1
          return store.isUnavailable
            ? Effect.fail(new StorageError({ reason: "unavailable", operation: "any", cause: "a test" }))
            : call
        })
      const run = yield* runWithQueue((queue) => ({
        ...queue,
        claim: (request) => whenAvailable(queue.claim(request)),
        record: (results, now) => whenAvailable(queue.record(results, now)),
        nextDue: (after) => whenAvailable(queue.nextDue(after)),
        oldestDue: whenAvailable(queue.oldestDue)
      }))
      yield* Effect.forkScoped(run)
      yield* TestClock.adjust("500 millis")
      // Another process that polls half an interval later and has nothing in flight.
      yield* Effect.forkScoped(run)
      yield* TestClock.adjust("10 minutes")
      // Each process makes at most a few calls each second.
      expect(store.calls).toBeLessThan(5_000)
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["pending"])
      store.isUnavailable = false
      yield* fake.answerWith(() => answered(200))
      // A notification must not end the wait for the results of other processes.
      yield* (yield* WebhookEventPublisher).notify
      yield* TestClock.adjust("400 millis")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
      yield* publishEnded(2)
      yield* TestClock.adjust("6 seconds")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "delivered"])
      expect(yield* fake.requests).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect(
    "no delivery of a webhook is claimed while its results wait, so that none with a result is sent again",
    () =>
      Effect.gen(function* () {
        const id = yield* subscribe
        const fake = yield* FakeWebhookSender
        const store = { isRecording: false }
        const unavailable = new StorageError({ reason: "unavailable", operation: "record", cause: "a test" })
        yield* fake.answerWith(() => answered(200))
        yield* publishEnded(1)
        const run = yield* runWithQueue((queue) => ({
          ...queue,
          record: (results, now) =>
            Effect.suspend(() => (store.isRecording ? queue.record(results, now) : Effect.fail(unavailable)))
        }))
        yield* Effect.forkScoped(run)
        yield* Effect.addFinalizer(() => Effect.sync(() => void (store.isRecording = true)))
        yield* TestClock.adjust("5 minutes")
        expect(yield* fake.requests).toHaveLength(1)
        store.isRecording = true
        yield* TestClock.adjust("1 second")
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
        expect(yield* fake.requests).toHaveLength(1)
      }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("results of a locked webhook do not delay those of others, and no more of its deliveries are claimed", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const locked = yield* subscribeTo("https://locked.example")
      const free = yield* subscribeTo("https://free.example")
      const lock = { isHeld: true }
      yield* fake.answerWith(() => answered(200))
      const run = yield* runWithQueue((queue) => ({
        ...queue,
        record: (results, now) => {
          const isLocked = ({ webhookId }: DeliveryResult) => lock.isHeld && webhookId === locked
          const deferred = results.filter(isLocked).map(({ key }) => key)
          const rest = results.filter((result) => !isLocked(result))
          return Effect.map(queue.record(rest, now), ({ recorded }) => ({ recorded, deferred }))
        }
      }))
      yield* Effect.forkScoped(run)
      // A worker that stops would wait for the lock.
      yield* Effect.addFinalizer(() => Effect.sync(() => void (lock.isHeld = false)))
      for (const call of Array.from({ length: 200 }, (_, index) => index + 1)) yield* publishEnded(call)
      yield* (yield* WebhookEventPublisher).notify
      const sentTo = (endpoint: string) =>
        Effect.map(fake.requests, (requests) => requests.filter(({ url }) => url === endpoint).length)
      yield* TestClock.adjust("20 millis")
      const sentBefore = yield* sentTo("https://locked.example")
      expect(sentBefore).toBeLessThan(100)
      yield* stepwise
      expect(yield* sentTo("https://locked.example")).toBe(sentBefore)
      expect(yield* sentTo("https://free.example")).toBe(200)
      expect((yield* deliveries(free)).every(({ status }) => status === "delivered")).toBe(true)
      expect((yield* deliveries(locked)).every(({ status }) => status === "pending")).toBe(true)
      lock.isHeld = false
      yield* stepwise
      expect((yield* deliveries(locked)).every(({ status }) => status === "delivered")).toBe(true)
      expect(yield* fake.requests).toHaveLength(400)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("only the result that cannot be recorded is lost, and its delivery is sent again after the lease", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* publishEnded(1)
      yield* publishEnded(2)
      yield* withFaults({ record: ["defect", "corrupt"] }, (worker) => worker.runOnce, "1 second")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "pending"])
      yield* TestClock.adjust("30 seconds")
      yield* (yield* DeliveryWorker).drain
      const sent = (yield* (yield* FakeWebhookSender).requests).map(({ headers }) => headers["X-Service-Delivery-ID"])
      expect(sent).toHaveLength(3)
      expect(new Set(sent).size).toBe(2)
    }).pipe(Effect.provide(services()))
  )

  it.effect.each(["claim", "record", "nextDue"] as const)(
    "a worker stops although the queue interrupts its %s, as a pool of connections does that closes",
    (call) =>
      Effect.gen(function* () {
        yield* subscribe
        yield* publishEnded(1)
        const run = yield* runWithQueue((queue) => ({ ...queue, [call]: () => Effect.interrupt }))
        const fiber = yield* Effect.forkChild(run)
        yield* TestClock.adjust("2 seconds")
        const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        expect(stopping.pollUnsafe()).toBeDefined()
      }).pipe(Effect.provide(services()))
  )

  it.effect("a claim that fails is repeated at the next poll", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* publishEnded(1)
      yield* withFaults({ claim: ["unavailable", "defect"] }, (worker) => worker.run, "3 seconds")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("a worker that cannot recover leases at its start still sends deliveries", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* publishEnded(1)
      yield* withFaults({ release: ["defect"] }, (worker) => worker.run, "1 second")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
    }).pipe(Effect.provide(services({ owner: "server-1" })))
  )

  it.effect("a result of a webhook that was turned off meanwhile has no effect, and the webhook stays off", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const fake = yield* FakeWebhookSender
      const id = yield* subscribe
      yield* fake.answerWith(() => Effect.as(Effect.sleep("1 second"), answered(200)))
      yield* publishEnded(1)
      const sending = yield* Effect.forkChild((yield* DeliveryWorker).runOnce)
      yield* TestClock.adjust("500 millis")
      yield* webhooks.patch(id, { isActive: false })
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(sending)).toBe(1)
      expect(yield* webhooks.get(id)).toMatchObject({ status: "disabled", lastDeliveryAt: null })
      expect(yield* deliveries(id)).toMatchObject([{ status: "cancelled", attempts: [] }])
    }).pipe(Effect.provide(services()))
  )

  it.effect("a webhook that is deleted before, during or after an attempt is sent nothing more", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(() => Effect.as(Effect.sleep("1 second"), answered(500)))
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("100 millis")
      const deleteAfter = Effect.fnUntraced(function* (time: Parameters<typeof TestClock.adjust>[0]) {
        const id = yield* subscribe
        yield* publishEnded(1)
        if (time !== 0) yield* (yield* WebhookEventPublisher).notify
        yield* TestClock.adjust(time)
        yield* webhooks.delete(id)
        yield* TestClock.adjust("1 hour")
        return (yield* fake.requests).length
      })
      expect(yield* deleteAfter(0)).toBe(0)
      expect(yield* deleteAfter("500 millis")).toBe(1)
      expect(yield* deleteAfter("10 seconds")).toBe(2)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )
})

describe("laws of DeliveryWorker", () => {
  const status = fc.constantFrom(200, 204, 301, 404, 500)
  const answers = fc.array(fc.tuple(status, status, status, status), { minLength: 1, maxLength: 5 })

  /** The model: returns the minutes after the webhook event at which a delivery with these answers is sent. */
  const minutesOf = (statuses: ReadonlyArray<number>): ReadonlyArray<number> => {
    const first = statuses.findIndex((status) => status < 300)
    return [0, 1, 6, 36].slice(0, first === -1 ? 4 : first + 1)
  }

  it.effect("for any answers, each delivery is sent at the times of the plan only, with one id and one body", () =>
    Property.forAll(
      answers,
      (answers) =>
        Effect.gen(function* () {
          const fake = yield* FakeWebhookSender
          const id = yield* subscribe
          const tries = new Map<number, number>()
          yield* fake.answerWith(({ body }) => {
            const { call } = payload(body)
            const attempt = tries.get(call.id) ?? 0
            tries.set(call.id, attempt + 1)
            return answered(answers[call.id - 1]?.[attempt] ?? 0)
          })
          for (const index of answers.keys()) yield* publishEnded(index + 1)
          const start = DateTime.toEpochMillis(yield* DateTime.now)
          for (let minute = 0; minute <= 40; minute++) {
            yield* (yield* DeliveryWorker).drain
            yield* TestClock.adjust("1 minute")
          }
          const sent = Map.groupBy(yield* fake.requests, ({ headers }) => headers["X-Service-Delivery-ID"])
          const minutes = [...sent.values()].map((requests) =>
            requests.map(({ at }) => (DateTime.toEpochMillis(at) - start) / 60_000)
          )
          expect(minutes).toEqual(answers.map(minutesOf))
          for (const requests of sent.values()) expect(new Set(requests.map(({ body }) => body.join())).size).toBe(1)
          const statuses = answers.map((row) => (row.some((status) => status < 300) ? "delivered" : "failed"))
          expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(statuses.toReversed())
        }).pipe(Effect.provide(Layer.fresh(services()))),
      { numRuns: 20 }
    )
  )
})

const decodePayload = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))

const payload = (body: Uint8Array) => decodePayload(Utf8.decode(body))

const subscribe = subscribeTo("https://a.example")

/** Lets two seconds pass in steps of 10 ms, because one large step would run all timers before their effects. */
const stepwise = Effect.repeat(TestClock.adjust("10 millis"), { times: 199 })

type Fault = StorageErrorReason | "defect"

/** Makes the `run` of a new `DeliveryWorker` whose queue is changed by a function. */
const runWithQueue = Effect.fnUntraced(function* (
  change: (queue: DeliveryQueue["Service"]) => DeliveryQueue["Service"]
) {
  const queue = DeliveryQueue.of(change(yield* DeliveryQueue))
  return Effect.flatMap(DeliveryWorker, ({ run }) => run).pipe(
    Effect.provide(Layer.fresh(DeliveryWorker.layer)),
    Effect.provideService(DeliveryQueue, queue)
  )
})

/** Runs a worker for some time. The first calls of each method fail with the given reasons, one after the other. */
const withFaults = Effect.fnUntraced(function* (
  faults: Readonly<Partial<Record<"record" | "claim" | "release", ReadonlyArray<Fault>>>>,
  use: (worker: DeliveryWorker["Service"]) => Effect.Effect<unknown, unknown>,
  time: Parameters<typeof TestClock.adjust>[0]
) {
  const queue = yield* DeliveryQueue
  const failing = (operation: keyof typeof faults) => {
    const remaining = [...(faults[operation] ?? [])]
    return <A>(effect: Effect.Effect<A, StorageError>) =>
      Effect.suspend(() => {
        const reason = remaining.shift()
        if (reason === "defect") return Effect.die(new Error("a test"))
        return reason === undefined ? effect : Effect.fail(new StorageError({ reason, operation, cause: "a test" }))
      })
  }
  const [failRecord, failClaim, failRelease] = [failing("record"), failing("claim"), failing("release")]
  const faulty = DeliveryQueue.of({
    ...queue,
    record: (results, now) => failRecord(queue.record(results, now)),
    claim: (request) => failClaim(queue.claim(request)),
    release: (owner, now) => failRelease(queue.release(owner, now))
  })
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(use(yield* DeliveryWorker))
    yield* TestClock.adjust(time)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.fresh(DeliveryWorker.layer)),
    Effect.provideService(DeliveryQueue, faulty)
  )
})
