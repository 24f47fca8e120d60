import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { CallId } from "@frontdesk/core/call/Call"
import * as Deadlines from "@frontdesk/core/background/Deadlines"
import type { Lease } from "@frontdesk/core/background/Lease"
import { type ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import * as DeliveryAttempt from "@frontdesk/core/delivery/DeliveryAttempt"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { accountId, call } from "../webhook/samples.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryAttempt", () => {
  it.effect("the log of an attempt does not contain the secret, the URL, the body or the answer", () => {
    const lines: Array<string> = []
    const logging = LogCapture.layer(({ json }) => void lines.push(json), "All")
    return Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { publish } = yield* WebhookEventPublisher
      const fake = yield* FakeWebhookSender
      const url = "https://a.example/hook?token=opensesame"
      const { secret } = yield* webhooks.create({ name: "n", url, subscribedEvents: ["call.ended"] })
      const answers = [200, 500].map((status) => ({ ...answered(status), body: "the answer" }))
      yield* fake.answerWith(() => answers.shift() ?? Effect.die("broken"))
      for (const id of [1, 2, 3]) yield* publish(CallWebhookEvent.make("call.ended", call({ id: CallId.make(id) })))
      yield* Effect.flatMap(DeliveryWorker, ({ drain }) => drain).pipe(
        Effect.provide(Layer.provideMerge(Layer.fresh(DeliveryWorker.layer), logging))
      )
      const log = lines.join("\n")
      expect(log.match(/webhook attempt/g)).toHaveLength(3)
      for (const hidden of [Redacted.value(secret), "a.example", "opensesame", "the answer", call().phoneNumber]) {
        expect(log).not.toContain(hidden)
      }
    }).pipe(Effect.provide(services()))
  })

  it.effect(
    "the detail of a failure is in the log for the operator, and is not shown to the owner of the webhook",
    () => {
      const lines: Array<string> = []
      const logging = LogCapture.layer(({ json }) => void lines.push(json), "All")
      return Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { webhook } = yield* webhooks.create({
          name: "n",
          url: "https://a.example",
          subscribedEvents: ["call.ended"]
        })
        const detail = "the name resolves to 10.0.0.7"
        yield* (yield* FakeWebhookSender).answerWith(() => ({ _tag: "NoAnswer", reason: "no address", detail }))
        yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", call()))
        yield* Effect.flatMap(DeliveryWorker, ({ drain }) => drain).pipe(
          Effect.provide(Layer.provideMerge(Layer.fresh(DeliveryWorker.layer), logging))
        )
        const { items } = yield* webhooks.deliveries(webhook.id)
        expect(lines.join()).toContain(detail)
        expect(items[0]?.attempts).toMatchObject([{ error: "no address" }])
        expect(JSON.stringify(items)).not.toContain("10.0.0.7")
      }).pipe(Effect.provide(services()))
    }
  )

  it.effect(
    "the stored error has at most 200 bytes in JSON and no control character, for any reason of a sender (D-DEL-16)",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { webhook } = yield* webhooks.create({
          name: "n",
          url: "https://a.example",
          subscribedEvents: ["call.ended"]
        })
        const reasons = ["\u0000\u001f\n\u007f", '"', "\\", "\ud800", "\u{1f600}", "x"].map((text) =>
          text.repeat(1_000)
        )
        for (const reason of [...reasons, "a\tb\ud800"]) {
          yield* (yield* FakeWebhookSender).answerWith(() => ({ _tag: "NoAnswer", reason }))
          yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", call()))
          yield* Effect.flatMap(DeliveryWorker, ({ drain }) => drain).pipe(
            Effect.provide(Layer.fresh(DeliveryWorker.layer))
          )
        }
        const { items } = yield* webhooks.deliveries(webhook.id, { page: 1, limit: 100 })
        const errors = items.flatMap(({ attempts }) => attempts.map(({ error }) => error ?? ""))
        expect(errors.length).toBeGreaterThan(reasons.length)
        for (const error of errors) {
          expect(Buffer.byteLength(JSON.stringify(error))).toBeLessThanOrEqual(202)
          expect(error).not.toMatch(/\p{Cc}|\p{Surrogate}/u)
        }
        expect(errors).toContain("a b\ufffd")
        expect(errors).toContain("x".repeat(200))
        expect(errors).toContain("\u{1f600}".repeat(50))
      }).pipe(Effect.provide(services()))
  )

  it.effect("at most 4,096 bytes of UTF-8 of an answer's body are stored, for any body of a sender (D-DEL-16)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create({
        name: "n",
        url: "https://a.example",
        subscribedEvents: ["call.ended"]
      })
      // The replacement character has three bytes. A sender puts it in place of bytes that are not UTF-8.
      const body = "\ufffd".repeat(4_096)
      yield* (yield* FakeWebhookSender).answerWith(() => ({ _tag: "Answered", status: 500, body }))
      yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", call()))
      yield* (yield* DeliveryWorker).drain
      const { items } = yield* webhooks.deliveries(webhook.id)
      const ids = items.map(({ id }) => id)
      const stored = yield* (yield* DeliveryStore).lastAnswers(accountId, webhook.id, ids)
      expect([...stored.values()]).toEqual(["\ufffd".repeat(1_365)])
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "an attempt is logged at level Debug when it succeeds, Info when it is retried, and Warn when it is the last (D-DEL-25)",
    () => {
      const levels: Array<string> = []
      const logging = LogCapture.layer(({ event, level }) => {
        if (event === "delivery.attempted") levels.push(level)
      }, "All")
      return Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { publish } = yield* WebhookEventPublisher
        const fake = yield* FakeWebhookSender
        yield* webhooks.create({ name: "n", url: "https://a.example", subscribedEvents: ["call.ended"] })
        const attempts = Effect.gen(function* () {
          const worker = yield* DeliveryWorker
          yield* publish(CallWebhookEvent.make("call.ended", call()))
          for (const status of [500, 500, 500, 500]) {
            yield* fake.answerWith(() => answered(status))
            yield* worker.drain
            yield* TestClock.adjust("30 minutes")
          }
          for (const status of [204, 410]) {
            yield* fake.answerWith(() => answered(status))
            yield* publish(CallWebhookEvent.make("call.ended", call()))
            yield* worker.drain
          }
        })
        yield* Effect.provide(attempts, Layer.provideMerge(Layer.fresh(DeliveryWorker.layer), logging))
        expect(levels).toEqual(["Info", "Info", "Info", "Warn", "Debug", "Warn"])
      }).pipe(Effect.provide(services()))
    }
  )
})

const claimed = (changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  key: 7,
  id: DeliveryId.make("0198c0de-0000-7000-8000-000000000007"),
  leaseId: "lease",
  accountId,
  webhookId: WebhookId.make(3),
  url: "https://a.example",
  secrets: { current: Redacted.make("whsec_test"), previous: null },
  eventName: "call.ended",
  body: new Uint8Array([1]),
  dueAt: DateTime.makeUnsafe(0),
  results: 1,
  claims: 1,
  kind: "automatic",
  ...changes
})

const newLease: Lease = { hasTime: () => true, isOld: () => false }

describe("DeliveryAttempt.send", () => {
  const send = (delivery: ClaimedDelivery, lease: Lease) =>
    Effect.scoped(Effect.flatMap(Deadlines.make, (deadlines) => DeliveryAttempt.send(delivery, lease, deadlines)))

  const outage = new StorageError({ reason: "unavailable", operation: "isCurrent", cause: "a test" })

  /**
   * Sends with a lease whose `hasTime` returns these values in turn. Returns whether the delivery was sent, and the number
   * of checks in the store.
   */
  const sendWith = Effect.fnUntraced(function* (
    hasTime: ReadonlyArray<boolean>,
    isOld: boolean,
    isCurrent: Effect.Effect<boolean, StorageError>
  ) {
    const queue = yield* DeliveryQueue
    let checks = 0
    const checking = DeliveryQueue.of({
      ...queue,
      isCurrent: () =>
        Effect.suspend(() => {
          checks += 1
          return isCurrent
        })
    })
    const times = [...hasTime]
    const lease: Lease = { hasTime: () => times.shift() ?? true, isOld: () => isOld }
    const result = yield* send(claimed(), lease).pipe(Effect.provideService(DeliveryQueue, checking))
    return [Option.isSome(result), checks]
  })

  it.effect(
    "sends while the lease has time: a new claim without a check in the store, an old one if it is current (D-DEL-14)",
    () =>
      Effect.gen(function* () {
        const current = Effect.succeed(true)
        expect(yield* sendWith([true], false, current)).toEqual([true, 0])
        expect(yield* sendWith([false], false, current)).toEqual([false, 0])
        expect(yield* sendWith([true, true], true, current)).toEqual([true, 1])
        expect(yield* sendWith([true, false], true, current)).toEqual([false, 1])
        expect(yield* sendWith([true, true], true, Effect.succeed(false))).toEqual([false, 1])
        expect(yield* sendWith([true, true], true, Effect.fail(outage))).toEqual([false, 1])
        expect(yield* sendWith([true, true], true, Effect.die(new Error("a test")))).toEqual([false, 1])
        expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(2)
      }).pipe(Effect.provide(services()))
  )

  it.effect("passes the timeout of the settings and the time of the lease to the sender", () =>
    Effect.gen(function* () {
      const result = yield* send(claimed(), newLease)
      expect(Option.getOrThrow(result)).toMatchObject({ key: 7, leaseId: "lease", responseBody: "" })
      const [request] = yield* (yield* FakeWebhookSender).requests
      expect(request && Duration.toMillis(Duration.fromInputUnsafe(request.timeout))).toBe(2_000)
      expect(request?.mayBegin()).toBe(true)
    }).pipe(Effect.provide(services({ timeout: Duration.seconds(2) })))
  )

  it.effect("gives a delivery up unsent after maxClaims claims, and leaves the status of the webhook (D-DEL-11)", () =>
    Effect.gen(function* () {
      const sent = yield* send(claimed({ claims: 10 }), newLease)
      expect(Option.getOrThrow(sent).next).toEqual({ state: "delivered" })
      const given = Option.getOrThrow(yield* send(claimed({ claims: 11, results: 3 }), newLease))
      expect(given).toMatchObject({ next: { state: "failed" }, webhookStatus: null, responseBody: "" })
      expect(given.attempt).toMatchObject({ statusCode: null, error: "given up: no attempt came to a result" })
      expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )

  it.effect("logs one line with the ids, the outcome and the number of the attempt (D-DEL-25)", () => {
    const lines: Array<string> = []
    const logging = LogCapture.layer(({ json }) => void lines.push(json), "All")
    return Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(() => Effect.as(Effect.sleep("30 millis"), answered(503)))
      for (const kind of ["automatic", "manual"] as const) {
        const fiber = yield* Effect.forkChild(send(claimed({ kind }), newLease))
        yield* TestClock.adjust("30 millis")
        yield* Fiber.join(fiber)
      }
      const attempt = { event: "call.ended", deliveryId: claimed().id, webhookId: 3, status: 503, durationMs: 30 }
      const shared = { ...attempt, logEvent: "delivery.attempted" }
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
        { annotations: { ...shared, kind: "automatic", attempt: 2, outcome: "retry" } },
        { annotations: { ...shared, kind: "manual", attempt: null, outcome: "failed" } }
      ])
      for (const line of lines) expect(line).not.toContain('"detail"')
    }).pipe(Effect.provide(Layer.provideMerge(logging, services())))
  })

  it.effect("stops a sender that does not end, 5 seconds after the timeout", () =>
    Effect.gen(function* () {
      let isStopped = false
      const never = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (isStopped = true)))
      yield* (yield* FakeWebhookSender).answerWith(() => never)
      const fiber = yield* Effect.forkChild(send(claimed(), newLease))
      yield* TestClock.adjust("14999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 milli")
      expect(Option.getOrThrow(yield* Fiber.join(fiber)).attempt).toMatchObject({
        durationMs: 15_000,
        error: "timed out"
      })
      expect(isStopped).toBe(true)
    }).pipe(Effect.provide(services()))
  )
})
