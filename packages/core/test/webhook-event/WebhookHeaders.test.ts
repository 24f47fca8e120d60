import { describe, expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as WebhookHeaders from "@frontdesk/core/webhook-event/WebhookHeaders"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"

const crypto = Crypto.layerWebCrypto
const secret = Redacted.make("whsec_xSYtQvSTlzwkqby4rlFMwABXPikGMy3fAmAocDogADM=")
const other = Redacted.make("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
const now = DateTime.makeUnsafe("2026-03-08T13:00:00.700Z")

describe("WebhookHeaders", () => {
  it.effect(
    "the headers are those of the contract with the given prefix, and those of Standard Webhooks (C-6.3-1, C-6.3-2, C-6.3-3, D-SIGN-1, D-SIGN-2)",
    () =>
      Effect.gen(function* () {
        const [delivery] = fc.sample(Arbitrary.claimedDelivery(), 1)
        if (delivery === undefined) return expect.fail()
        const headers = yield* WebhookHeaders.make(
          { ...delivery, secrets: { current: secret, previous: null } },
          now,
          "X-Acme-"
        )
        expect(Object.keys(headers)).toEqual([
          "Content-Type",
          "X-Acme-Signature",
          "X-Acme-Delivery-ID",
          "X-Acme-Event",
          "webhook-id",
          "webhook-timestamp",
          "webhook-signature"
        ])
        expect(headers["Content-Type"]).toBe("application/json")
        expect(headers["X-Acme-Delivery-ID"]).toBe(delivery.id)
        expect(headers["X-Acme-Event"]).toBe(delivery.eventName)
        expect(headers["webhook-timestamp"]).toBe("1772974800")
        expect(headers["X-Acme-Signature"]).toBe(yield* WebhookSignature.sign(delivery.body, secret))
        const standard = { id: delivery.id, timestamp: 1_772_974_800, body: delivery.body }
        expect(headers["webhook-signature"]).toBe(yield* WebhookSignature.signStandard(standard, [secret]))
      }).pipe(Effect.provide(crypto))
  )

  it.effect("after a rotation both secrets sign in webhook-signature until the grace time is over (D-HOOK-11)", () =>
    Effect.gen(function* () {
      const [delivery] = fc.sample(Arbitrary.claimedDelivery(), 1)
      if (delivery === undefined) return expect.fail()
      const secrets = { current: secret, previous: { secret: other, expiresAt: DateTime.add(now, { hours: 1 }) } }
      const check = Effect.fnUntraced(function* (at: DateTime.Utc, key: Redacted.Redacted<string>) {
        const headers = yield* WebhookHeaders.make({ ...delivery, secrets }, at, "X-Service-")
        const standard = {
          id: headers["webhook-id"] ?? "",
          timestamp: headers["webhook-timestamp"] ?? "",
          signature: headers["webhook-signature"] ?? ""
        }
        return {
          first: yield* WebhookSignature.verify(delivery.body, headers["X-Service-Signature"] ?? "", key),
          second: yield* WebhookSignature.verifyStandard(standard, delivery.body, key, at)
        }
      })
      expect(yield* check(now, secret)).toEqual({ first: true, second: true })
      expect(yield* check(now, other)).toEqual({ first: false, second: true })
      expect(yield* check(DateTime.add(now, { hours: 1 }), other)).toEqual({ first: false, second: false })
    }).pipe(Effect.provide(crypto))
  )
})

describe("WebhookHeaders.prefixForm", () => {
  it.each([
    ["X-Service-", true],
    ["x", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["", false],
    ["webhook-", false],
    ["Webhook-", false],
    ["webhook-x-", true],
    ["X_Service", false],
    ["X-Service-\n", false]
  ])("the prefix %j of the headers is accepted: %s", (prefix, isAccepted) => {
    expect(WebhookHeaders.prefixForm.test(prefix)).toBe(isAccepted)
  })
})
