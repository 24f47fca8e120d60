import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import type { Permission } from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { newKey, oldKey, withKeys } from "../delivery/sealing.ts"
import { drain } from "./delivering.ts"
import { accountId } from "./samples.ts"
import { as, principal, services } from "./services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended"] }

/** Runs an effect as a caller of the account with these permissions. */
const withPermissions = (permissions: ReadonlyArray<Permission>, isReadOnly = false) =>
  Effect.provideService(Principal, { ...principal(accountId), permissions: new Set(permissions), isReadOnly })

const writer = withPermissions(["can_read_webhooks", "can_write_webhooks"])

const unsigned = ["Content-Type", "X-Service-Delivery-ID", "X-Service-Event", "webhook-id", "webhook-timestamp"]

/** Creates a webhook with a test delivery that is not sent yet. */
const setUp = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { webhook } = yield* webhooks.create(input)
  return { webhooks, webhook, id: yield* webhooks.test(webhook.id) }
})

describe("Webhooks.delivery (D-DEL-32)", () => {
  it.effect("shows the request of the last attempt as it was sent, and the answer", () =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      const fake = yield* FakeWebhookSender
      yield* TestClock.adjust("1500 millis")
      yield* fake.answerWith(() => ({ ...answered(503), body: "try later" }))
      yield* drain
      yield* TestClock.adjust("1 hour")
      yield* drain
      const sent = (yield* fake.requests).at(-1)
      yield* TestClock.adjust("1 day")
      const { answer, delivery, request } = yield* writer(webhooks.delivery(webhook.id, id))
      expect((yield* fake.requests).length).toBe(delivery.attempts.length)
      expect(request.headers).toEqual(sent?.headers)
      expect(request.url).toBe(input.url)
      expect(new TextEncoder().encode(request.body)).toEqual(new Uint8Array(sent?.body ?? []))
      expect(request.bodyBytes).toBe(sent?.body.length)
      expect(answer).toBe("try later")
    }).pipe(Effect.provide(services()))
  )

  it.effect("shows the headers of an attempt now before the first one, with the prefix of the operator", () =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      yield* TestClock.adjust("90 seconds")
      const { answer, request } = yield* writer(webhooks.delivery(webhook.id, id))
      expect(answer).toBeNull()
      expect(request.headers).toMatchObject({ "Acme-Delivery-ID": id, "webhook-timestamp": "90" })
      expect(request.headers).toHaveProperty("Acme-Signature")
    }).pipe(Effect.provide(services({ headerPrefix: "Acme-" })))
  )

  it.effect.each([
    ["has only the permission to read", withPermissions(["can_read_webhooks"])],
    ["is read-only", withPermissions(["can_read_webhooks", "can_write_webhooks"], true)]
  ] as const)("shows no signature to a caller who %s", ([, reader]) =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      const { request } = yield* reader(webhooks.delivery(webhook.id, id))
      expect(Object.keys(request.headers).toSorted()).toEqual(unsigned.toSorted())
      expect(request.signatures).toBe("not_permitted")
    }).pipe(Effect.provide(services()))
  )

  it.effect("hides signatures in an answer that repeats the request from a caller who sees none", () =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(({ headers }) => ({
        ...answered(400),
        body: `${JSON.stringify(headers)} ${new URLSearchParams(headers).toString()} trace 0123456789abcdef0123456789abcdef`
      }))
      yield* drain
      const [sent] = yield* fake.requests
      const contract = sent?.headers["X-Service-Signature"] ?? ""
      const standard = sent?.headers["webhook-signature"]?.slice("v1,".length) ?? ""
      expect((yield* writer(webhooks.delivery(webhook.id, id))).answer).toContain(contract)
      const { answer } = yield* withPermissions(["can_read_webhooks"])(webhooks.delivery(webhook.id, id))
      expect(answer).toContain('"X-Service-Signature":"[hidden]"')
      expect(answer).toContain('"webhook-signature":"[hidden]"')
      expect(answer).toContain(`"webhook-id":"${id}"`)
      for (const signature of [contract, standard, encodeURIComponent(standard)])
        expect(answer).not.toContain(signature)
    }).pipe(Effect.provide(services()))
  )

  it.effect("hides a signature that the end of the answer cuts off", () =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      yield* (yield* FakeWebhookSender).answerWith(({ headers }) => ({
        ...answered(400),
        body: `got ${headers["X-Service-Signature"]?.slice(0, 63)}`
      }))
      yield* drain
      const { answer } = yield* withPermissions(["can_read_webhooks"])(webhooks.delivery(webhook.id, id))
      expect(answer).toBe("got [hidden]")
    }).pipe(Effect.provide(services()))
  )

  it.effect("shows no signature when the secret cannot be opened", () =>
    Effect.gen(function* () {
      const { id, webhook } = yield* setUp.pipe(withKeys(oldKey))
      const shown = writer(Effect.flatMap(Webhooks, (webhooks) => webhooks.delivery(webhook.id, id)))
      const unreadable = (yield* shown.pipe(withKeys(newKey))).request
      expect(Object.keys(unreadable.headers).toSorted()).toEqual(unsigned.toSorted())
      expect(unreadable.signatures).toBe("secret_unreadable")
      const signed = (yield* shown.pipe(withKeys(oldKey))).request
      expect(signed.headers).toHaveProperty("webhook-signature")
      expect(signed.signatures).toBe("present")
    }).pipe(Effect.provide(services()))
  )

  it.effect("finds no delivery of another account, of another webhook, or with an unknown id", () =>
    Effect.gen(function* () {
      const { id, webhook, webhooks } = yield* setUp
      const other = (yield* webhooks.create(input)).webhook
      const unknown = DeliveryId.make("00000000-0000-4000-8000-000000000000")
      const foreign = as(AccountId.make(2))(webhooks.delivery(webhook.id, id))
      expect(yield* Effect.flip(foreign)).toMatchObject({ _tag: "WebhookNotFound" })
      for (const [hook, wanted] of [
        [other.id, id],
        [webhook.id, unknown]
      ] as const) {
        expect(yield* Effect.flip(webhooks.delivery(hook, wanted))).toMatchObject({ _tag: "DeliveryNotFound" })
      }
    }).pipe(Effect.provide(services()))
  )
})
