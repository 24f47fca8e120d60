import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import type { Principal } from "@frontdesk/core/access/Principal"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { call } from "./samples.ts"
import { as, services } from "./services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended", "call.summary"] }
const missing = WebhookId.make(99)

describe("Webhooks", () => {
  it.effect("create returns a secret, which no later answer contains (D-HOOK-3)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { secret, webhook } = yield* webhooks.create(input)
      expect(Redacted.value(secret)).toMatch(/^whsec_/)
      expect(webhook).toMatchObject({ ...input, status: "active", lastDeliveryAt: null, consecutiveFailures: 0 })
      expect(yield* webhooks.get(webhook.id)).toEqual(webhook)
      expect(yield* webhooks.list).toEqual([webhook])
      expect(JSON.stringify([yield* webhooks.list, secret])).not.toContain(Redacted.value(secret))
    }).pipe(Effect.provide(services()))
  )

  it.effect.each([
    "https://exa mple.com",
    "https://jo@example.com",
    "https://example.com/#a",
    "https://example.com/\u0085",
    "https:///example.com"
  ])("create and PATCH refuse %j, also when the sender accepts it (D-HOOK-6)", (url) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const refused = { _tag: "InvalidUrl", reason: "must be an absolute URL" }
      expect(yield* Effect.flip(webhooks.create({ ...input, url }))).toMatchObject(refused)
      expect(yield* Effect.flip(webhooks.patch(webhook.id, { url }))).toMatchObject(refused)
    }).pipe(Effect.provide(services()))
  )

  it.effect("create names all missing fields before it checks the others", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const none = yield* Effect.flip(webhooks.create({}))
      expect(none).toMatchObject({ _tag: "MissingParameter", fields: ["name", "url", "subscribed_events"] })
      const nulls = yield* Effect.flip(webhooks.create({ ...input, name: null, url: null }))
      expect(nulls).toMatchObject({ _tag: "MissingParameter", fields: ["name", "url"] })
      const some = yield* Effect.flip(webhooks.create({ url: "nonsense", subscribedEvents: [] }))
      expect(some).toMatchObject({ _tag: "MissingParameter", fields: ["name"] })
      expect(yield* webhooks.list).toEqual([])
    }).pipe(Effect.provide(services()))
  )

  it.effect.each([
    [{ url: "http://example.com" }, { _tag: "InvalidUrl" }],
    [{ subscribedEvents: [] }, { _tag: "InvalidEvent", unknown: [] }],
    [{ subscribedEvents: ["call.ended", "call.begun"] }, { _tag: "InvalidEvent", unknown: ["call.begun"] }],
    [{ subscribedEvents: ["webhook.test"] }, { _tag: "InvalidEvent", unknown: ["webhook.test"] }]
  ] as const)("create, PUT and PATCH with %o fail with %o", ([change, refusal]) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      expect(yield* Effect.flip(webhooks.create({ ...input, ...change }))).toMatchObject(refusal)
      expect(yield* Effect.flip(webhooks.put(webhook.id, { ...input, ...change }))).toMatchObject(refusal)
      expect(yield* Effect.flip(webhooks.patch(webhook.id, change))).toMatchObject(refusal)
      expect(yield* webhooks.list).toEqual([webhook])
    }).pipe(Effect.provide(services()))
  )

  it.effect("a webhook event that is listed twice counts once", () =>
    Effect.gen(function* () {
      const { webhook } = yield* (yield* Webhooks).create({ ...input, subscribedEvents: ["call.ended", "call.ended"] })
      expect(webhook.subscribedEvents).toEqual(["call.ended"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("PATCH changes only the given fields, and PUT requires name, URL and webhook events (D-HOOK-8)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      yield* TestClock.adjust("1 minute")
      const patched = yield* webhooks.patch(webhook.id, { name: "Renamed" })
      expect(patched).toEqual({ ...webhook, name: "Renamed", updatedAt: yield* DateTime.now })
      expect(yield* Effect.flip(webhooks.put(webhook.id, { name: "x" }))).toMatchObject({
        _tag: "MissingParameter",
        fields: ["url", "subscribed_events"]
      })
      const put = yield* webhooks.put(webhook.id, {
        name: "x",
        url: "https://b.example",
        subscribedEvents: ["call.failed"]
      })
      expect(put).toMatchObject({ name: "x", url: "https://b.example", subscribedEvents: ["call.failed"] })
      expect(yield* webhooks.get(webhook.id)).toEqual(put)
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "a webhook that is turned off is sent nothing, and PUT without is_active does not turn it on (D-HOOK-9)",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { publish } = yield* WebhookEventPublisher
        const { webhook } = yield* webhooks.create(input)
        yield* publish(CallWebhookEvent.make("call.ended", call()))
        expect(yield* webhooks.patch(webhook.id, { isActive: false })).toMatchObject({ status: "disabled" })
        yield* publish(CallWebhookEvent.make("call.ended", call()))
        expect(yield* (yield* DeliveryWorker).drain).toBe(0)
        expect((yield* webhooks.deliveries(webhook.id)).items.map(({ status }) => status)).toEqual(["cancelled"])
        expect(yield* webhooks.put(webhook.id, { ...input, isActive: null })).toMatchObject({ status: "disabled" })
        expect(yield* webhooks.patch(webhook.id, { isActive: true })).toMatchObject({ status: "active" })
        yield* publish(CallWebhookEvent.make("call.ended", call()))
        expect(yield* (yield* DeliveryWorker).drain).toBe(1)
      }).pipe(Effect.provide(services()))
  )

  it.effect("a pending delivery of a deleted webhook is not sent (D-HOOK-4)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", call()))
      yield* webhooks.delete(webhook.id)
      expect(yield* (yield* DeliveryWorker).drain).toBe(0)
      expect(yield* (yield* FakeWebhookSender).requests).toEqual([])
      expect(yield* Effect.flip(webhooks.get(webhook.id))).toMatchObject({ _tag: "WebhookNotFound" })
    }).pipe(Effect.provide(services()))
  )

  it.effect.each([{}, { graceHours: null }])(
    "after a rotation (%j) both secrets sign in webhook-signature for 24 hours, and the other header uses the new one",
    (rotation) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const created = yield* webhooks.create(input)
        const rotated = yield* webhooks.rotateSecret(created.webhook.id, rotation)
        const isSignedWith = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
          yield* webhooks.test(created.webhook.id)
          yield* (yield* DeliveryWorker).drain
          const sent = (yield* (yield* FakeWebhookSender).requests).at(-1)
          const header = (name: string) => sent?.headers[name] ?? ""
          const body = sent?.body ?? new Uint8Array()
          const standard = {
            id: header("webhook-id"),
            timestamp: header("webhook-timestamp"),
            signature: header("webhook-signature")
          }
          return [
            yield* WebhookSignature.verify(body, header("X-Service-Signature"), secret),
            yield* WebhookSignature.verifyStandard(standard, body, secret, yield* DateTime.now)
          ]
        })
        expect(yield* isSignedWith(rotated.secret)).toEqual([true, true])
        expect(yield* isSignedWith(created.secret)).toEqual([false, true])
        yield* TestClock.adjust("24 hours")
        expect(yield* isSignedWith(created.secret)).toEqual([false, false])
        expect(yield* isSignedWith(rotated.secret)).toEqual([true, true])
      }).pipe(Effect.provide(services()))
  )

  it.effect("after a rotation without a grace time the old secret does not sign (D-HOOK-11)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      yield* webhooks.rotateSecret(webhook.id, { graceHours: 0 })
      yield* webhooks.test(webhook.id)
      yield* (yield* DeliveryWorker).drain
      const [sent] = yield* (yield* FakeWebhookSender).requests
      expect(sent?.headers["webhook-signature"]?.split(" ")).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )

  it.effect("test sends webhook.test only to the tested webhook, without a subscription (D-HOOK-10)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      yield* webhooks.create(input)
      const id = yield* webhooks.test(webhook.id)
      expect(yield* (yield* DeliveryWorker).drain).toBe(1)
      const [sent] = yield* (yield* FakeWebhookSender).requests
      expect(sent?.headers).toMatchObject({ "X-Service-Event": "webhook.test", "X-Service-Delivery-ID": id })
      expect(JSON.parse(Utf8.decode(sent?.body ?? new Uint8Array()) ?? "")).toMatchObject({
        event_type: "webhook.test",
        webhook: { id: webhook.id, name: "Orders" }
      })
    }).pipe(Effect.provide(services()))
  )

  it.effect("deliveries returns a page, newest first, of all deliveries or of those with a status (D-DEL-7)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const first = yield* webhooks.test(webhook.id)
      yield* (yield* DeliveryWorker).drain
      const second = yield* webhooks.test(webhook.id)
      const ids = (page: { readonly items: ReadonlyArray<{ readonly id: DeliveryId }> }) =>
        page.items.map(({ id }) => id)
      expect(ids(yield* webhooks.deliveries(webhook.id))).toEqual([second, first])
      expect(ids(yield* webhooks.deliveries(webhook.id, { status: "delivered" }))).toEqual([first])
      const page = yield* webhooks.deliveries(webhook.id, { page: 2, limit: 1 })
      expect(ids(page)).toEqual([first])
      expect(page).toMatchObject({ count: 2, page: 2, limit: 1 })
    }).pipe(Effect.provide(services()))
  )

  it.effect("a redelivery is one attempt with the same id and the same bytes, without retries (D-DEL-1, D-DEL-8)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const worker = yield* DeliveryWorker
      const fake = yield* FakeWebhookSender
      const { webhook } = yield* webhooks.create(input)
      const id = yield* webhooks.test(webhook.id)
      yield* worker.drain
      yield* fake.answerWith(() => answered(500))
      expect(yield* webhooks.redeliver(webhook.id, id)).toMatchObject({ id, status: "pending" })
      yield* worker.drain
      yield* TestClock.adjust("1 day")
      expect(yield* worker.drain).toBe(0)
      const [delivery] = (yield* webhooks.deliveries(webhook.id)).items
      expect(delivery).toMatchObject({ status: "failed", nextAttemptAt: null })
      expect(delivery?.attempts.map(({ kind, number, statusCode }) => [number, kind, statusCode])).toEqual([
        [1, "automatic", 200],
        [2, "manual", 500]
      ])
      expect(yield* webhooks.get(webhook.id)).toMatchObject({ status: "active", lastFailureStatus: 500 })
      const [first, second] = yield* fake.requests
      expect(second?.body).toEqual(first?.body)
      expect(second?.headers["X-Service-Delivery-ID"]).toBe(id)
      expect(second?.headers["X-Service-Signature"]).toBe(first?.headers["X-Service-Signature"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("a retry beyond the largest timestamp is due at the end of the year 9999", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const fake = yield* FakeWebhookSender
      const { webhook } = yield* webhooks.create(input)
      yield* fake.answerWith(() => answered(500))
      yield* webhooks.test(webhook.id)
      yield* (yield* DeliveryWorker).drain
      const [delivery] = (yield* webhooks.deliveries(webhook.id)).items
      expect(delivery).toMatchObject({
        status: "pending",
        nextAttemptAt: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")
      })
    }).pipe(Effect.provide(services({ retryDelays: [Duration.days(999_999_999_999)], lease: Duration.days(1e12) })))
  )

  it.effect("redeliver fails and sends nothing when a delivery has had 50 attempts (D-DEL-10)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const worker = yield* DeliveryWorker
      const fake = yield* FakeWebhookSender
      const { webhook } = yield* webhooks.create(input)
      const id = yield* webhooks.test(webhook.id)
      yield* worker.drain
      for (let attempt = 2; attempt <= 50; attempt++) {
        yield* webhooks.redeliver(webhook.id, id)
        if (attempt === 50) {
          expect(yield* webhooks.redeliver(webhook.id, id)).toMatchObject({ status: "pending" })
        }
        yield* worker.drain
      }
      expect(yield* Effect.flip(webhooks.redeliver(webhook.id, id))).toMatchObject({
        _tag: "LimitReached",
        resource: "attempts",
        limit: 50
      })
      expect(yield* worker.drain).toBe(0)
      expect(yield* fake.requests).toHaveLength(50)
      const [delivery] = (yield* webhooks.deliveries(webhook.id)).items
      expect(delivery?.status).toBe("delivered")
      expect(delivery?.attempts).toHaveLength(50)
      // The attempts of one delivery do not count for another.
      const other = yield* webhooks.test(webhook.id)
      yield* worker.drain
      expect(yield* webhooks.redeliver(webhook.id, other)).toMatchObject({ status: "pending" })
    }).pipe(Effect.provide(services()))
  )

  it.effect("the error of an attempt is stored with at most 200 bytes (D-DEL-16)", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const fake = yield* FakeWebhookSender
      const { webhook } = yield* webhooks.create(input)
      yield* fake.answerWith(() => ({ _tag: "NoAnswer", reason: "ü".repeat(1_000) }))
      yield* webhooks.test(webhook.id)
      yield* (yield* DeliveryWorker).drain
      const [delivery] = (yield* webhooks.deliveries(webhook.id)).items
      expect(delivery?.attempts.map(({ error }) => error)).toEqual(["ü".repeat(100)])
    }).pipe(Effect.provide(services()))
  )

  it.effect("no operation finds the webhook of another account", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { webhook } = yield* webhooks.create(input)
      const delivery = yield* webhooks.test(webhook.id)
      const stranger = as(AccountId.make(2))
      expect(yield* stranger(webhooks.list)).toEqual([])
      const { id } = webhook
      const operations: ReadonlyArray<Effect.Effect<unknown, unknown, Principal>> = [
        webhooks.get(id),
        webhooks.put(id, input),
        webhooks.patch(id, {}),
        webhooks.delete(id),
        webhooks.rotateSecret(id),
        webhooks.test(id),
        webhooks.deliveries(id),
        webhooks.redeliver(id, delivery)
      ]
      for (const operation of operations) {
        expect(yield* Effect.flip(stranger(operation))).toMatchObject({ _tag: "WebhookNotFound", webhookId: id })
      }
      expect(yield* webhooks.get(id)).toEqual(webhook)
      expect(yield* Effect.flip(webhooks.get(missing))).toMatchObject({ _tag: "WebhookNotFound" })
      const unknown = DeliveryId.make("0198c0de-0000-7000-8000-000000000001")
      expect(yield* Effect.flip(webhooks.redeliver(id, unknown))).toMatchObject({
        _tag: "DeliveryNotFound",
        deliveryId: unknown
      })
    }).pipe(Effect.provide(services()))
  )
})
