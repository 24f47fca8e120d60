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
import { deliveries, ended, subscribe as subscribeTo } from "../webhook/delivering.ts"
import { world } from "../webhook/world.ts"

describe("DeliveryWorker beside a store that fails", () => {
  it.effect("a result that cannot be recorded at once is recorded when the store is back, and is not sent again", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* ended(1)
      yield* withFaults({ record: ["unavailable", "conflict"] }, (worker) => worker.runOnce, "1 second")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
      expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(1)
    }).pipe(Effect.provide(world()))
  )

  it.effect(
    "a result is kept while the store is out of reach, and recorded when it is back: no process sends it again (D-DEL-19)",
    () =>
      Effect.gen(function* () {
        const id = yield* subscribe
        const fake = yield* FakeWebhookSender
        const store = { isAway: false, calls: 0 }
        yield* fake.answerWith(() => {
          store.isAway = true
          return answered(200)
        })
        yield* ended(1)
        const reach = <A>(call: Effect.Effect<A, StorageError>) =>
          Effect.suspend(() => {
            store.calls += 1
            return store.isAway
              ? Effect.fail(new StorageError({ reason: "unavailable", operation: "any", cause: "a test" }))
              : call
          })
        const run = yield* onStore((queue) => ({
          ...queue,
          claim: (request) => reach(queue.claim(request)),
          record: (results, now) => reach(queue.record(results, now)),
          nextDue: (after) => reach(queue.nextDue(after)),
          oldestDue: reach(queue.oldestDue)
        }))
        yield* Effect.forkScoped(run)
        yield* TestClock.adjust("500 millis")
        // Another process, which is half a poll later and has nothing in flight.
        yield* Effect.forkScoped(run)
        yield* TestClock.adjust("10 minutes")
        // Seconds pass between the tries of either.
        expect(store.calls).toBeLessThan(5_000)
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["pending"])
        store.isAway = false
        yield* fake.answerWith(() => answered(200))
        // Whoever publishes now wakes nobody too early.
        yield* (yield* WebhookEventPublisher).notify
        yield* TestClock.adjust("400 millis")
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
        yield* ended(2)
        yield* TestClock.adjust("6 seconds")
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "delivered"])
        expect(yield* fake.requests).toHaveLength(2)
      }).pipe(Effect.scoped, Effect.provide(world()))
  )

  it.effect(
    "nothing of a webhook is claimed while its results wait, so that nothing is sent again that has its result",
    () =>
      Effect.gen(function* () {
        const id = yield* subscribe
        const fake = yield* FakeWebhookSender
        const store = { takesResults: false }
        const full = new StorageError({ reason: "unavailable", operation: "record", cause: "a test" })
        yield* fake.answerWith(() => answered(200))
        yield* ended(1)
        const run = yield* onStore((queue) => ({
          ...queue,
          record: (results, now) =>
            Effect.suspend(() => (store.takesResults ? queue.record(results, now) : Effect.fail(full)))
        }))
        yield* Effect.forkScoped(run)
        yield* Effect.addFinalizer(() => Effect.sync(() => void (store.takesResults = true)))
        yield* TestClock.adjust("5 minutes")
        expect(yield* fake.requests).toHaveLength(1)
        store.takesResults = true
        yield* TestClock.adjust("1 second")
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
        expect(yield* fake.requests).toHaveLength(1)
      }).pipe(Effect.scoped, Effect.provide(world()))
  )

  it.effect("results of a webhook that others hold delay those of no other, and nothing more of it is taken", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      const held = yield* subscribeTo("https://held.example")
      const free = yield* subscribeTo("https://free.example")
      const holder = { isHolding: true }
      yield* fake.answerWith(() => answered(200))
      const run = yield* onStore((queue) => ({
        ...queue,
        record: (results, now) => {
          const isLocked = ({ webhookId }: DeliveryResult) => holder.isHolding && webhookId === held
          const deferred = results.filter(isLocked).map(({ key }) => key)
          const rest = results.filter((result) => !isLocked(result))
          return Effect.map(queue.record(rest, now), ({ recorded }) => ({ recorded, deferred }))
        }
      }))
      yield* Effect.forkScoped(run)
      // A worker that stops waits for whoever holds it.
      yield* Effect.addFinalizer(() => Effect.sync(() => void (holder.isHolding = false)))
      for (const call of Array.from({ length: 200 }, (_, index) => index + 1)) yield* ended(call)
      yield* (yield* WebhookEventPublisher).notify
      const sentTo = (endpoint: string) =>
        Effect.map(fake.requests, (requests) => requests.filter(({ url }) => url === endpoint).length)
      yield* TestClock.adjust("20 millis")
      const taken = yield* sentTo("https://held.example")
      expect(taken).toBeLessThan(100)
      yield* stepwise
      expect(yield* sentTo("https://held.example")).toBe(taken)
      expect(yield* sentTo("https://free.example")).toBe(200)
      expect((yield* deliveries(free)).every(({ status }) => status === "delivered")).toBe(true)
      expect((yield* deliveries(held)).every(({ status }) => status === "pending")).toBe(true)
      holder.isHolding = false
      yield* stepwise
      expect((yield* deliveries(held)).every(({ status }) => status === "delivered")).toBe(true)
      expect(yield* fake.requests).toHaveLength(400)
    }).pipe(Effect.scoped, Effect.provide(world()))
  )

  it.effect(
    "one result that cannot be kept takes no other down with it: its delivery is sent again after the lease",
    () =>
      Effect.gen(function* () {
        const id = yield* subscribe
        yield* ended(1)
        yield* ended(2)
        yield* withFaults({ record: ["defect", "corrupt"] }, (worker) => worker.runOnce, "1 second")
        expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "pending"])
        yield* TestClock.adjust("30 seconds")
        yield* (yield* DeliveryWorker).drain
        const sent = (yield* (yield* FakeWebhookSender).requests).map(({ headers }) => headers["X-Service-Delivery-ID"])
        expect(sent).toHaveLength(3)
        expect(new Set(sent).size).toBe(2)
      }).pipe(Effect.provide(world()))
  )

  it.effect("a claim that fails is tried again at the next poll", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* ended(1)
      yield* withFaults({ claim: ["unavailable", "defect"] }, (worker) => worker.run, "3 seconds")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("a start at which the leases of the predecessor cannot be released delivers all the same", () =>
    Effect.gen(function* () {
      const id = yield* subscribe
      yield* ended(1)
      yield* withFaults({ release: ["defect"] }, (worker) => worker.run, "1 second")
      expect((yield* deliveries(id)).map(({ status }) => status)).toEqual(["delivered"])
    }).pipe(Effect.provide(world({ owner: "server-1" })))
  )

  it.effect(
    "a webhook that is turned off while its delivery is in flight stays off, and the result changes nothing",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const fake = yield* FakeWebhookSender
        const id = yield* subscribe
        yield* fake.answerWith(() => Effect.as(Effect.sleep("1 second"), answered(200)))
        yield* ended(1)
        const sending = yield* Effect.forkChild((yield* DeliveryWorker).runOnce)
        yield* TestClock.adjust("500 millis")
        yield* webhooks.patch(id, { isActive: false })
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(sending)).toBe(1)
        expect(yield* webhooks.get(id)).toMatchObject({ status: "disabled", lastDeliveryAt: null })
        expect(yield* deliveries(id)).toMatchObject([{ status: "cancelled", attempts: [] }])
      }).pipe(Effect.provide(world()))
  )

  it.effect("a webhook that is deleted is sent nothing more: while pending, in flight, or between retries", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(() => Effect.as(Effect.sleep("1 second"), answered(500)))
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* TestClock.adjust("100 millis")
      const deleteAfter = Effect.fnUntraced(function* (time: Parameters<typeof TestClock.adjust>[0]) {
        const id = yield* subscribe
        yield* ended(1)
        if (time !== 0) yield* (yield* WebhookEventPublisher).notify
        yield* TestClock.adjust(time)
        yield* webhooks.delete(id)
        yield* TestClock.adjust("1 hour")
        return (yield* fake.requests).length
      })
      expect(yield* deleteAfter(0)).toBe(0)
      expect(yield* deleteAfter("500 millis")).toBe(1)
      expect(yield* deleteAfter("10 seconds")).toBe(2)
    }).pipe(Effect.scoped, Effect.provide(world()))
  )
})

describe("laws of DeliveryWorker", () => {
  const status = fc.constantFrom(200, 204, 301, 404, 500)
  const answers = fc.array(fc.tuple(status, status, status, status), { minLength: 1, maxLength: 5 })

  /** The minutes after the event at which a delivery with these answers is sent: the obvious model. */
  const minutesOf = (statuses: ReadonlyArray<number>): ReadonlyArray<number> => {
    const first = statuses.findIndex((status) => status < 300)
    return [0, 1, 6, 36].slice(0, first === -1 ? 4 : first + 1)
  }

  it.effect(
    "whatever receivers answer, each delivery is sent at its minutes and no others, with one id and one body",
    () =>
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
            for (const index of answers.keys()) yield* ended(index + 1)
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
          }).pipe(Effect.provide(Layer.fresh(world()))),
        { numRuns: 20 }
      )
  )
})

const decodePayload = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))

const payload = (body: Uint8Array) => decodePayload(Utf8.decode(body))

const subscribe = subscribeTo("https://a.example")

/** Lets two seconds pass in steps, so that what follows from a record happens before the next one. */
const stepwise = Effect.repeat(TestClock.adjust("10 millis"), { times: 199 })

type Fault = StorageErrorReason | "defect"

/** What runs a process of its own on the store as it is seen through something. */
const onStore = Effect.fnUntraced(function* (seen: (queue: DeliveryQueue["Service"]) => DeliveryQueue["Service"]) {
  const queue = DeliveryQueue.of(seen(yield* DeliveryQueue))
  return Effect.flatMap(DeliveryWorker, ({ run }) => run).pipe(
    Effect.provide(Layer.fresh(DeliveryWorker.layer)),
    Effect.provideService(DeliveryQueue, queue)
  )
})

/** Runs a worker for some time on a store whose methods fail first with the reasons given, one after the other. */
const withFaults = Effect.fnUntraced(function* (
  faults: Readonly<Partial<Record<"record" | "claim" | "release", ReadonlyArray<Fault>>>>,
  use: (worker: DeliveryWorker["Service"]) => Effect.Effect<unknown, unknown>,
  time: Parameters<typeof TestClock.adjust>[0]
) {
  const queue = yield* DeliveryQueue
  const failing = (operation: keyof typeof faults) => {
    const left = [...(faults[operation] ?? [])]
    return <A>(effect: Effect.Effect<A, StorageError>) =>
      Effect.suspend(() => {
        const reason = left.shift()
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
