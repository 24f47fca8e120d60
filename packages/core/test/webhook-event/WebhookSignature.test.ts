import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as Property from "@frontdesk/testing/Property"
import * as Base64 from "effect/encoding/Base64"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { vectors } from "./vectors.ts"

const crypto = Crypto.layerWebCrypto
const secret = Redacted.make("whsec_xSYtQvSTlzwkqby4rlFMwABXPikGMy3fAmAocDogADM=")
const other = Redacted.make("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
const body = Utf8.encode('{"event_type":"call.started"}')
const now = DateTime.makeUnsafe("2026-03-08T13:00:00.700Z")

describe("WebhookSignature", () => {
  it.effect("verify accepts the signed body, and rejects another body, secret or signature", () =>
    Effect.gen(function* () {
      const signature = yield* WebhookSignature.sign(body, secret)
      expect(signature).toMatch(/^[0-9a-f]{64}$/)
      expect(yield* WebhookSignature.verify(body, signature, secret)).toBe(true)
      expect(yield* WebhookSignature.verify(Utf8.encode("{}"), signature, secret)).toBe(false)
      expect(yield* WebhookSignature.verify(body, signature, other)).toBe(false)
      expect(yield* WebhookSignature.verify(body, signature.slice(0, -1), secret)).toBe(false)
    }).pipe(Effect.provide(crypto))
  )

  it.effect("a generated secret is whsec_ and 32 random bytes in base64, and JSON does not contain it", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* WebhookSignature.generateSecret, yield* WebhookSignature.generateSecret]
      expect(Redacted.value(first)).not.toBe(Redacted.value(second))
      expect(Redacted.value(first).startsWith("whsec_")).toBe(true)
      expect(Result.getOrThrow(Base64.decode(Redacted.value(first).slice(6)))).toHaveLength(32)
      expect(JSON.stringify(first)).not.toContain(Redacted.value(first).slice(6))
    }).pipe(Effect.provide(crypto))
  )

  it.effect.each(vectors)("a signature is the same as that of openssl (C-6.3-1): $name", (vector) =>
    Effect.gen(function* () {
      const bytes = Utf8.encode(vector.body)
      const current = Redacted.make(vector.secret)
      const previous = vector.previousSecret === null ? [] : [Redacted.make(vector.previousSecret)]
      expect(yield* WebhookSignature.sign(bytes, current)).toBe(vector.signature)
      const content = { id: vector.webhookId, timestamp: Number(vector.webhookTimestamp), body: bytes }
      expect(yield* WebhookSignature.signStandard(content, [current, ...previous])).toBe(vector.webhookSignature)
    }).pipe(Effect.provide(crypto))
  )

  it.effect.each([
    ["-1", false],
    ["1772974500", true],
    ["1772974499", false],
    ["1772975100", true],
    ["1772975101", false],
    ["01772974800", false],
    ["1.5", false],
    ["", false]
  ] as const)(
    "at 1772974800 with a tolerance of 300 seconds, verifyStandard of the timestamp '%s' returns %s",
    ([timestamp, accepted]) =>
      Effect.gen(function* () {
        const content = { id: "msg", timestamp: Number(timestamp), body }
        const signature = yield* WebhookSignature.signStandard(content, [secret])
        const headers = { id: "msg", timestamp, signature }
        const at = DateTime.makeUnsafe("2026-03-08T13:00:00Z")
        expect(yield* WebhookSignature.verifyStandard(headers, body, secret, at)).toBe(accepted)
      }).pipe(Effect.provide(crypto))
  )

  it.effect.each(["m", "m".repeat(128), "A_z-9"])("verifyStandard accepts the id '%s'", (id) =>
    Effect.gen(function* () {
      const timestamp = 1_772_974_800
      const signature = yield* WebhookSignature.signStandard({ id, timestamp, body }, [secret])
      const headers = { id, timestamp: String(timestamp), signature }
      expect(yield* WebhookSignature.verifyStandard(headers, body, secret, now)).toBe(true)
    }).pipe(Effect.provide(crypto))
  )

  it.effect.each([
    [9, "9", true],
    [999_999_999_999, "999999999999", true],
    [1_000_000_000_000, "1000000000000", false]
  ] as const)(
    "verifyStandard of the timestamp %i, with the clock at that time, returns %s",
    ([seconds, timestamp, accepted]) =>
      Effect.gen(function* () {
        const signature = yield* WebhookSignature.signStandard({ id: "msg", timestamp: seconds, body }, [secret])
        const at = DateTime.makeUnsafe(seconds * 1_000)
        const headers = { id: "msg", timestamp, signature }
        expect(yield* WebhookSignature.verifyStandard(headers, body, secret, at)).toBe(accepted)
      }).pipe(Effect.provide(crypto))
  )

  it.effect.each([
    ["base64 without whsec_", "AAECAw==", [0, 1, 2, 3]],
    ["base64 after whsec_", "whsec_AAECAw==", [0, 1, 2, 3]],
    ["a text that is not base64", "not base64!", Utf8.encode("not base64!")],
    ["whsec_ alone", "whsec_", Utf8.encode("whsec_")]
  ] as const)(
    "the key of signStandard for a secret that is %s is the decoded secret, or else its text",
    ([, text, key]) =>
      Effect.gen(function* () {
        const signature = yield* WebhookSignature.signStandard({ id: "msg", timestamp: 1, body }, [Redacted.make(text)])
        const mac = createHmac("sha256", Uint8Array.from(key)).update("msg.1.").update(body).digest("base64")
        expect(signature).toBe(`v1,${mac}`)
      }).pipe(Effect.provide(crypto))
  )

  it.effect.each(["", "msg.1", "a b", "m".repeat(129)])(
    "verifyStandard rejects the invalid id '%s', and a tolerance of NaN",
    (id) =>
      Effect.gen(function* () {
        const timestamp = 1_772_974_800
        const signature = yield* WebhookSignature.signStandard({ id, timestamp, body }, [secret])
        const headers = { id, timestamp: String(timestamp), signature }
        expect(yield* WebhookSignature.verifyStandard(headers, body, secret, now)).toBe(false)
        const named = { id: "msg-1", timestamp, body }
        const accepted = { ...headers, id: "msg-1", signature: yield* WebhookSignature.signStandard(named, [secret]) }
        expect(yield* WebhookSignature.verifyStandard(accepted, body, secret, now)).toBe(true)
        expect(yield* WebhookSignature.verifyStandard(accepted, body, secret, now, Number.NaN)).toBe(false)
      }).pipe(Effect.provide(crypto))
  )
})

describe("laws of WebhookSignature", () => {
  const bit = fc.nat()
  const flip = (bytes: Uint8Array, position: number): Uint8Array => {
    const copy = Uint8Array.from(bytes)
    const index = Math.floor(position / 8) % copy.length
    copy[index] = (copy[index] ?? 0) ^ (1 << (position % 8))
    return copy
  }
  const flipText = (text: string, position: number): string =>
    String.fromCharCode(
      ...flip(
        Uint8Array.from(text, (character) => character.charCodeAt(0)),
        position
      )
    )

  it.effect("verify accepts every signature of sign, and rejects any changed bit of body, signature or secret", () =>
    Property.forAll(
      fc.tuple(Arbitrary.body(), Arbitrary.secret(), bit),
      Effect.fnUntraced(function* ([body, secret, position]) {
        const signature = yield* WebhookSignature.sign(body, secret)
        const verify = WebhookSignature.verify
        expect(yield* verify(body, signature, secret)).toBe(true)
        expect(yield* verify(flip(body, position), signature, secret)).toBe(false)
        expect(yield* verify(body, flipText(signature, position), secret)).toBe(false)
        const changed = Redacted.make(flipText(Redacted.value(secret), position))
        expect(yield* verify(body, signature, changed)).toBe(false)
      })
    ).pipe(Effect.provide(crypto))
  )

  it.effect(
    "verifyStandard accepts every signature of signStandard, and rejects any change of id, time, body or secret (D-SIGN-2)",
    () =>
      Property.forAll(
        fc.tuple(Arbitrary.body(), Arbitrary.deliveryId(), fc.uint8Array({ minLength: 32, maxLength: 32 }), bit),
        Effect.fnUntraced(function* ([body, id, key, position]) {
          const secretOf = (bytes: Uint8Array) => Redacted.make(`whsec_${Base64.encode(bytes)}`)
          const timestamp = 1_772_974_800
          const signature = yield* WebhookSignature.signStandard({ id, timestamp, body }, [secretOf(key)])
          const headers: WebhookSignature.StandardHeaders = { id, timestamp: String(timestamp), signature }
          const verify = (changed: Partial<typeof headers>, bytes: Uint8Array = body, usedKey: Uint8Array = key) =>
            WebhookSignature.verifyStandard({ ...headers, ...changed }, bytes, secretOf(usedKey), now)
          expect(yield* verify({})).toBe(true)
          expect(yield* verify({ signature: `v1,${Base64.encode(key)} ${signature}` })).toBe(true)
          expect(yield* verify({ signature: flipText(signature, position) })).toBe(false)
          expect(yield* verify({ id: flipText(id, position % 200) })).toBe(false)
          expect(yield* verify({ timestamp: String(timestamp + 1) })).toBe(false)
          expect(yield* verify({}, flip(body, position))).toBe(false)
          expect(yield* verify({}, body, flip(key, position))).toBe(false)
        })
      ).pipe(Effect.provide(crypto))
  )
})
