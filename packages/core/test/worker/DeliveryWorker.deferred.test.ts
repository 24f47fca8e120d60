import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { publishEnded, subscribe } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryWorker with results that cannot be recorded", () => {
  it.effect("a webhook that was locked when a run ended is sent to again in the next run", () =>
    Effect.gen(function* () {
      const id = yield* subscribe("https://locked.example")
      const lockedWebhooks = new Set([id])
      yield* publishEnded(1)
      yield* Effect.gen(function* () {
        const worker = yield* DeliveryWorker
        const fiber = yield* Effect.forkChild(worker.run)
        yield* TestClock.adjust("2 seconds")
        yield* stop(fiber, "10 seconds")
        lockedWebhooks.clear()
        yield* publishEnded(2)
        yield* worker.drain
        expect(yield* sentTo("https://locked.example")).toBe(2)
        yield* TestClock.adjust("30 seconds")
        yield* worker.drain
        expect(yield* sentTo("https://locked.example")).toBe(3)
      }).pipe(withQueue((queue) => ({ ...queue, record: deferringFor(queue, lockedWebhooks) })))
    }).pipe(Effect.provide(services()))
  )

  it.live(
    "results of many locked webhooks use no capacity, are offered less and less often, and are logged once",
    () => {
      const lines: Array<string> = []
      return Effect.gen(function* () {
        const lockedWebhooks = new Set<WebhookId>()
        for (let index = 0; index < 40; index++) lockedWebhooks.add(yield* subscribe(`https://locked-${index}.example`))
        const store = { records: 0 }
        yield* Effect.gen(function* () {
          for (let index = 1; index <= 20; index++) yield* publishEnded(index)
          const fiber = yield* Effect.forkChild((yield* DeliveryWorker).run)
          yield* TestClock.adjust("1 minute")
          // At the longest rest of 400 milliseconds there are five offers in two seconds.
          expect(store.records).toBeLessThan(250)
          yield* subscribe("https://free.example")
          for (let index = 1; index <= 20; index++) yield* publishEnded(index)
          yield* (yield* WebhookEventPublisher).notify
          yield* TestClock.adjust("1 second")
          expect(yield* sentTo("https://free.example")).toBe(20)
          expect(lines).toEqual(["Warn webhook results wait, because other transactions lock 40 webhooks"])
          lockedWebhooks.clear()
          yield* TestClock.adjust("1 minute")
          for (let index = 0; index < 40; index++) expect(yield* sentTo(`https://locked-${index}.example`)).toBe(40)
          expect(lines).toHaveLength(1)
          yield* stop(fiber, "1 second")
        }).pipe(
          withQueue((queue) => ({
            ...queue,
            record: (results, now) => {
              store.records += 1
              return deferringFor(queue, lockedWebhooks)(results, now)
            }
          }))
        )
      }).pipe(withLog(lines), Effect.provide(Layer.provideMerge(services(), waitingClock)))
    }
  )

  it.live("one result that the store always refuses delays the others only briefly (D-DEL-19)", () =>
    Effect.gen(function* () {
      const [bad, good] = ["https://bad.example", "https://good.example"]
      const refusedWebhook = yield* subscribe(bad)
      const free = yield* subscribe(good)
      // The key of the refused result: NaN before the result exists, and infinity when the store refuses none any more.
      const refused = { key: Number.NaN }
      yield* Effect.gen(function* () {
        for (let index = 1; index <= 100; index++) yield* publishEnded(index)
        const fiber = yield* Effect.forkChild((yield* DeliveryWorker).run)
        yield* TestClock.adjust("5 minutes")
        const delivered = (yield* (yield* Webhooks).deliveries(free)).items
        expect(yield* sentTo(good)).toBe(100)
        expect(delivered.every(({ status }) => status === "delivered")).toBe(true)
        refused.key = Number.POSITIVE_INFINITY
        yield* TestClock.adjust("5 minutes")
        expect(yield* sentTo(bad)).toBe(100)
        yield* stop(fiber, "1 second")
      }).pipe(
        withQueue((queue) => ({
          ...queue,
          record: (results, now) => {
            if (Number.isNaN(refused.key))
              refused.key = results.find(({ webhookId }) => webhookId === refusedWebhook)?.key ?? NaN
            return results.some(({ key }) => key === refused.key)
              ? Effect.andThen(Effect.sleep("5 seconds"), Effect.fail(unavailable))
              : queue.record(results, now)
          }
        }))
      )
    }).pipe(Effect.provide(Layer.provideMerge(services(), waitingClock)))
  )

  it.effect(
    "a run that ends discards results after 6 seconds and logs how many, even if the store does not answer (D-DEL-19)",
    () => {
      const lines: Array<string> = []
      return Effect.gen(function* () {
        const id = yield* subscribe("https://a.example")
        for (const record of [
          () => Effect.never,
          () => Effect.andThen(Effect.sleep("5 seconds"), Effect.fail(unavailable)),
          deferringFor(yield* DeliveryQueue, new Set([id]))
        ]) {
          lines.length = 0
          yield* publishEnded(1)
          yield* publishEnded(2)
          yield* Effect.gen(function* () {
            const fiber = yield* Effect.forkChild((yield* DeliveryWorker).run)
            yield* TestClock.adjust("4 seconds")
            const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
            yield* TestClock.adjust("5900 millis")
            expect(stopping.pollUnsafe()).toBeUndefined()
            yield* TestClock.adjust("100 millis")
            expect(stopping.pollUnsafe()).toBeDefined()
            expect(lines.at(-1)).toBe("Error 2 webhook results were not recorded")
          }).pipe(withQueue((queue) => ({ ...queue, record })))
          yield* TestClock.adjust("1 minute")
          yield* (yield* DeliveryWorker).drain
        }
      }).pipe(withLog(lines), Effect.provide(services()))
    }
  )

  it.effect("each period in which the store refuses results is logged once", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      yield* subscribe("https://a.example")
      const store = { isUnavailable: false }
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild((yield* DeliveryWorker).run)
        for (const outage of [1, 2]) {
          store.isUnavailable = true
          yield* publishEnded(outage)
          yield* TestClock.adjust("5 seconds")
          store.isUnavailable = false
          yield* TestClock.adjust("5 seconds")
          const line = "Warn webhook results could not be recorded, and are retried"
          expect(lines).toEqual(Array.from({ length: outage }, () => line))
        }
        yield* stop(fiber, "1 second")
      }).pipe(
        withQueue((queue) => ({
          ...queue,
          record: (results, now) =>
            Effect.suspend(() => (store.isUnavailable ? Effect.fail(unavailable) : queue.record(results, now)))
        }))
      )
    }).pipe(withLog(lines), Effect.provide(services()))
  })

  it.effect("when reading the answer to one record throws, that result is discarded and logged", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      yield* subscribe("https://a.example")
      yield* publishEnded(1)
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild((yield* DeliveryWorker).run)
        yield* TestClock.adjust("1 second")
        expect(fiber.pollUnsafe()).toBeUndefined()
        expect(lines).toEqual(["Error 1 webhook result was not recorded"])
        yield* stop(fiber, "1 second")
      }).pipe(
        withQueue((queue) => ({
          ...queue,
          record: () =>
            Effect.succeed({
              recorded: [],
              get deferred(): never {
                throw new Error("a test")
              }
            })
        }))
      )
    }).pipe(withLog(lines), Effect.provide(services()))
  })
})

/**
 * A test clock that waits a minute for the fibers whose sleep ends. The clock of `it.effect` waits a second, then advances and
 * logs a warning. On a busy machine this many deliveries can take longer than a second.
 */
const waitingClock = TestClock.layer({ warningDelay: "1 minute" })

const unavailable = new StorageError({ reason: "unavailable", operation: "record", cause: "a test" })

const sentTo = (endpoint: string) =>
  Effect.flatMap(FakeWebhookSender, ({ requests }) =>
    Effect.map(requests, (sent) => sent.filter(({ url }) => url === endpoint).length)
  )

/** Stops a run within a time. */
const stop = Effect.fnUntraced(function* (fiber: Fiber.Fiber<never>, time: Parameters<typeof TestClock.adjust>[0]) {
  const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
  yield* TestClock.adjust(time)
  yield* Fiber.join(stopping)
})

/** Makes a `record` that defers the results of the given webhooks, as if other transactions locked them. */
const deferringFor =
  (queue: DeliveryQueue["Service"], locked: ReadonlySet<WebhookId>): DeliveryQueue["Service"]["record"] =>
  (results, now) => {
    const isLocked = ({ webhookId }: DeliveryResult) => locked.has(webhookId)
    const deferred = results.filter(isLocked).map(({ key }) => key)
    const rest = results.filter((result) => !isLocked(result))
    return Effect.map(queue.record(rest, now), ({ recorded }) => ({ recorded, deferred }))
  }

/** Runs an effect with a new `DeliveryWorker`, whose queue is changed by a function. */
const withQueue =
  (change: (queue: DeliveryQueue["Service"]) => DeliveryQueue["Service"]) =>
  <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.flatMap(DeliveryQueue, (queue) =>
      use.pipe(
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(DeliveryQueue, DeliveryQueue.of(change(queue)))
      )
    )

/** Adds each warning and error of an effect to `lines`, after its level. */
const withLog = (lines: Array<string>) =>
  Effect.provide(LogCapture.layer(({ level, text }) => void lines.push(`${level} ${text}`), "Warn"))
