import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as Base64 from "effect/encoding/Base64"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { secret, signedHeaders } from "./signedRequest.ts"

const timestamp = fc.integer({ min: 0, max: 999_999_999_999 })
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const body = fc.oneof(Arbitrary.body(), fc.uint8Array({ maxLength: 200 }))
const secretOf = (bytes: Uint8Array) => `whsec_${Base64.encode(bytes)}`
const schemes = ["standard", "body"] as const

/** Returns the bytes with one changed byte; one byte for empty bytes. */
const changeByte = (bytes: Uint8Array, position: number, difference: number): Uint8Array => {
  const copy = bytes.length === 0 ? new Uint8Array(1) : Uint8Array.from(bytes)
  const index = position % copy.length
  copy[index] = (copy[index] ?? 0) ^ difference
  return copy
}

/** Returns the text with one changed character of one byte. */
const changeText = (text: string, position: number, difference: number): string =>
  Buffer.from(changeByte(Buffer.from(text, "latin1"), position, difference)).toString("latin1")

describe("laws of WebhookReceiver", () => {
  it("a signed request is accepted, and rejected with a changed byte in any signed part or with another secret (C-6.3-4)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          id: Arbitrary.deliveryId(),
          timestamp,
          body,
          key,
          position: fc.nat(),
          difference: fc.integer({ min: 1, max: 255 })
        }),
        async ({ body, difference, id, key, position, timestamp }) => {
          const secrets = [secretOf(key)]
          const headers = await signedHeaders({ id, timestamp, body, secrets })
          const receivers = schemes.map((scheme) =>
            WebhookReceiver.make({
              secrets,
              schemes: [scheme],
              now: () => timestamp * 1_000,
              toleranceSeconds: Infinity
            })
          )
          const outcomes = async (changed: Record<string, string>, bytes = body) => {
            const request = { headers: { ...headers, ...changed }, body: bytes }
            const results = await Promise.all(receivers.map((receiver) => receiver.verify(request)))
            return results.map(({ ok }) => ok)
          }
          const withChanged = (name: string) => ({ [name]: changeText(headers[name] ?? "", position, difference) })
          expect(await outcomes({})).toEqual([true, true])
          expect(await outcomes({}, changeByte(body, position, difference))).toEqual([false, false])
          expect(await outcomes({}, Uint8Array.of(...body, difference))).toEqual([false, false])
          expect(await outcomes(withChanged("webhook-signature"))).toEqual([false, true])
          expect(await outcomes(withChanged("webhook-timestamp"))).toEqual([false, true])
          expect(await outcomes(withChanged("X-Service-Signature"))).toEqual([true, false])
          // Both ids change, because different ids are rejected before the signature is checked.
          const otherId = changeText(id, position, difference)
          expect(await outcomes({ "webhook-id": otherId, "X-Service-Delivery-ID": otherId })).toEqual([
            false,
            // The scheme body does not sign the id, so any valid id is accepted.
            /^[\w-]+$/.test(otherId)
          ])
          const otherSecrets = [secretOf(changeByte(key, position, difference))]
          for (const scheme of schemes) {
            const other = WebhookReceiver.make({
              secrets: otherSecrets,
              schemes: [scheme],
              now: () => timestamp * 1_000
            })
            expect(await other.verify({ headers, body })).toEqual({ ok: false, reason: "wrong-signature" })
          }
        }
      )
    ))

  it("verify accepts the same requests as WebhookSignature, for every secret and time and for unusual signature headers", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          id: fc.oneof(Arbitrary.deliveryId(), fc.string({ maxLength: 5 })),
          timestamp: fc.oneof(timestamp, fc.constantFrom(-1, 0.5, 1e12)),
          body,
          // Includes texts that are almost base64.
          secret: fc.oneof(
            fc.stringMatching(/^[!-~]{1,20}$/),
            fc.stringMatching(/^(whsec_)?[A-Za-z0-9+/]{1,12}={0,3}$/),
            fc.stringMatching(/^whsec_[\w+/=-]{1,12}$/)
          ),
          // In seconds. The tolerance is 300.
          offset: fc.integer({ min: -302, max: 302 }),
          around: fc.tuple(fc.constantFrom("", "v1,AA== ", "v2,x "), fc.constantFrom("", " v1a,x", ","))
        }),
        async ({ around, body, id, offset, secret, timestamp }) => {
          fc.pre(secret !== "whsec_")
          const headers = await signedHeaders({ id, timestamp, body, secrets: [secret] })
          const signature = around.join(headers["webhook-signature"])
          const now = (timestamp + offset) * 1_000
          const result = await WebhookReceiver.make({ secrets: [secret], now: () => now }).verify({
            headers: { ...headers, "webhook-signature": signature },
            body
          })
          const agreed = await WebhookSignature.verifyStandard(
            { id, timestamp: headers["webhook-timestamp"] ?? "", signature },
            body,
            Redacted.make(secret),
            DateTime.makeUnsafe(now)
          ).pipe(Effect.provide(Crypto.layerWebCrypto), Effect.runPromise)
          expect(result.ok).toBe(agreed)
          const second = WebhookReceiver.make({ secrets: [secret], schemes: ["body"] })
          if (/^[\w-]+$/.test(id)) expect(await second.verify({ headers, body })).toMatchObject({ ok: true, id })
        }
      )
    ))

  it("verify returns a rejection, and its promise never rejects, for random headers and bodies", () => {
    const name = fc.constantFrom(
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
      "X-Service-Signature",
      "get",
      "__proto__"
    )
    const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(undefined))
    const accepted: ReadonlyArray<ReadonlyArray<WebhookReceiver.Scheme>> = [["standard"], ["body"], schemes]
    const receivers = accepted.map((schemes) => WebhookReceiver.make({ secrets: [secret], schemes }))
    return fc.assert(
      fc.asyncProperty(fc.dictionary(name, value), body, async (headers, body) => {
        for (const receiver of receivers) expect((await receiver.verify({ headers, body })).ok).toBe(false)
      })
    )
  })
})
