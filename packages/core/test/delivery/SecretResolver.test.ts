import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { CallId } from "@frontdesk/core/call/Call"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { call } from "../webhook/samples.ts"
import { newKey, oldKey, withKeys, wrongKey } from "./sealing.ts"
import { as, services } from "../webhook/services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended"] }
const other = AccountId.make(2)

describe("SecretResolver: webhook secrets with a key", () => {
  it.effect("the current and the previous secret are stored sealed, and sign with their plain text", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const created = yield* webhooks.create(input)
      const rotated = yield* webhooks.rotateSecret(created.webhook.id)
      const [current, previous] = yield* storedSecrets(created.webhook.id)
      expect([current, previous]).toEqual([
        expect.stringMatching(/^sealed:1:old:/),
        expect.stringMatching(/^sealed:1:old:/)
      ])
      for (const { secret } of [created, rotated]) {
        expect(`${current} ${previous}`).not.toContain(Redacted.value(secret).slice(6))
      }
      expect(yield* deliver(created.webhook.id)).toBe(1)
      expect(yield* isSignedWith(rotated.secret)).toEqual([true, true])
      expect(yield* isSignedWith(created.secret)).toEqual([false, true])
      // The second delivery takes the secret from the cache.
      expect(yield* deliver(created.webhook.id)).toBe(1)
      expect(yield* isSignedWith(rotated.secret)).toEqual([true, true])
    }).pipe(withKeys(oldKey), Effect.provide(services()))
  )

  it.effect("sealed and plain secrets still sign after a new key is added before the old one", () =>
    Effect.gen(function* () {
      const create = Effect.flatMap(Webhooks, (webhooks) => webhooks.create(input))
      const plain = yield* create
      const sealed = yield* withKeys(oldKey)(create)
      expect((yield* storedSecrets(plain.webhook.id))[0]).toBe(Redacted.value(plain.secret))
      for (const { secret, webhook } of [plain, sealed]) {
        expect(yield* withKeys(newKey, oldKey)(deliver(webhook.id))).toBe(1)
        expect(yield* isSignedWith(secret)).toEqual([true, true])
      }
      const { secret } = yield* withKeys(
        newKey,
        oldKey
      )(Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(plain.webhook.id)))
      expect(yield* withKeys(newKey)(deliver(plain.webhook.id))).toBe(1)
      expect(yield* isSignedWith(secret)).toEqual([true, true])
      expect(yield* isSignedWith(plain.secret)).toEqual([false, true])
    }).pipe(Effect.provide(services()))
  )

  it.effect.each([
    ["no key", []],
    ["another key under the version", [wrongKey]],
    ["another version", [newKey]]
  ] as const)(
    "with %s, deliveries of a sealed secret are not sent and not counted as failures, and others are sent",
    ([, keys]) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { secret, webhook } = yield* withKeys(oldKey)(Effect.flatMap(Webhooks, ({ create }) => create(input)))
        const plain = yield* webhooks.create(input)
        const id = yield* webhooks.test(webhook.id)
        yield* Effect.gen(function* () {
          const { drain } = yield* DeliveryWorker
          // More rounds than `maxClaims`: a postponed claim must not count.
          for (let round = 0; round < 15; round++) {
            yield* webhooks.test(plain.webhook.id)
            expect(yield* drain).toBe(1)
            yield* TestClock.adjust("1 minute")
          }
        }).pipe(withKeys(...keys))
        expect(yield* webhooks.get(webhook.id)).toMatchObject({
          status: "active",
          consecutiveFailures: 0,
          lastDeliveryAt: null
        })
        expect((yield* webhooks.deliveries(webhook.id)).items).toMatchObject([{ id, status: "pending", attempts: [] }])

        expect(yield* withKeys(oldKey)(Effect.flatMap(DeliveryWorker, ({ drain }) => drain))).toBe(1)
        expect(yield* isSignedWith(secret)).toEqual([true, true])
        expect((yield* webhooks.deliveries(webhook.id)).items).toMatchObject([{ status: "delivered" }])
      }).pipe(Effect.provide(services()))
  )

  it.effect("a secret that cannot be opened is logged with the id of its webhook, and without its text", () =>
    Effect.gen(function* () {
      const { secret, webhook } = yield* withKeys(oldKey)(Effect.flatMap(Webhooks, ({ create }) => create(input)))
      const lines: Array<string> = []
      const logging = LogCapture.layer(({ json }) => void lines.push(json), "Info")
      yield* deliver(webhook.id).pipe(withKeys(wrongKey), Effect.provide(logging))
      const [sealed] = yield* storedSecrets(webhook.id)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`"webhookId":${webhook.id}`)
      expect(lines[0]).toContain('"kind":"damaged","version":"old"')
      for (const text of [Redacted.value(secret), sealed ?? "", sealed?.split(":")[3] ?? ""]) {
        expect(lines[0]).not.toContain(text)
      }
    }).pipe(Effect.provide(services()))
  )

  it.effect("a sealed secret does not open for another account, even when its text is in the cache", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const mine = yield* webhooks.create(input)
      const theirs = yield* as(other)(webhooks.create(input))
      expect(yield* deliver(mine.webhook.id)).toBe(1)
      const store = yield* WebhookStore
      const [sealed = ""] = yield* storedSecrets(mine.webhook.id)
      const [before = ""] = yield* storedSecrets(theirs.webhook.id)
      const moved = Redacted.make(StoredText.make(sealed))
      expect(yield* store.replaceSecret(theirs.webhook.id, Redacted.make(before), moved)).toBe(true)
      expect(yield* as(other)(deliver(theirs.webhook.id))).toBe(0)
      expect(yield* deliver(mine.webhook.id)).toBe(1)
    }).pipe(withKeys(oldKey), Effect.provide(services()))
  )

  it.effect("when only the previous secret cannot be opened, the current one signs alone and a warning is logged", () =>
    Effect.gen(function* () {
      const { webhook } = yield* withKeys(oldKey)(Effect.flatMap(Webhooks, ({ create }) => create(input)))
      const { secret } = yield* withKeys(newKey)(
        Effect.flatMap(Webhooks, ({ rotateSecret }) => rotateSecret(webhook.id))
      )
      const lines: Array<string> = []
      const logging = LogCapture.layer(({ json }) => void lines.push(json), "Info")
      const sent = deliver(webhook.id).pipe(withKeys(newKey), Effect.provide(logging))
      expect(yield* sent).toBe(1)
      expect(yield* isSignedWith(secret)).toEqual([true, true])
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`"webhookId":${webhook.id}`)
      yield* TestClock.adjust("24 hours")
      expect(yield* sent).toBe(1)
      expect(yield* isSignedWith(secret)).toEqual([true, true])
      expect(lines).toHaveLength(1)
    }).pipe(Effect.provide(services()))
  )
})

describe("SecretResolver: secrets that cannot be opened, in DeliveryWorker.run", () => {
  it.effect("a webhook behind hundreds of deliveries that cannot be signed is sent to without waiting for a poll", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const publish = Effect.flatMap(WebhookEventPublisher, (events) =>
        events.publish(CallWebhookEvent.make("call.ended", call({ id: CallId.make(1) })))
      )
      yield* withKeys(oldKey)(
        Effect.forEach(Array.from({ length: 40 }), () =>
          Effect.flatMap(Webhooks, ({ create }) => create(input)).pipe(Effect.asVoid)
        )
      )
      for (let event = 0; event < 20; event++) yield* publish
      const good = yield* webhooks.create(input)
      yield* webhooks.test(good.webhook.id)
      yield* Effect.gen(function* () {
        yield* Effect.forkScoped((yield* DeliveryWorker).run)
        yield* TestClock.adjust("100 millis")
        expect(yield* (yield* FakeWebhookSender).requests).toHaveLength(1)
      }).pipe(Effect.scoped, withKeys())
    }).pipe(Effect.provide(services({ maxInFlight: 64 })))
  )
})

/** Returns the stored texts of a webhook's secrets: the current one, then the previous one. */
const storedSecrets = Effect.fnUntraced(function* (id: WebhookId) {
  const rows = yield* (yield* WebhookStore).secrets(null, 100)
  const row = Option.getOrThrow(Option.fromUndefinedOr(rows.find(({ webhookId }) => webhookId === id)))
  return [row.current, ...(row.previous === null ? [] : [row.previous])].map(Redacted.value)
})

/** Publishes `webhook.test` and sends what is due. Returns the number of attempts. */
const deliver = Effect.fnUntraced(function* (id: WebhookId) {
  yield* (yield* Webhooks).test(id)
  return yield* (yield* DeliveryWorker).drain
})

/**
 * Returns whether the last request is signed with a secret, in the header of the contract and in `webhook-signature`.
 */
const isSignedWith = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
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
