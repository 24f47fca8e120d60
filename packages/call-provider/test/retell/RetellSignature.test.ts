import type { Callback } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { symmetric } from "retell-sdk/lib/webhook_auth"
import { describe, expect, it } from "vitest"
import { isAuthentic, signedAt } from "../../src/retell/RetellSignature.ts"

const key = Redacted.make("key_0123456789")
const now = DateTime.makeUnsafe("2026-11-24T12:00:00Z")

/** Returns a signature over a body and a time, by the official client. */
const signed = (body: string, at = now.epochMilliseconds, secret = "key_0123456789"): Promise<string> =>
  symmetric.sign(body, secret, at)

const callback = (signature: string | undefined, body = '{"a":"ü"}'): Callback => ({
  method: "POST",
  url: "https://api.example.com/providers/retell/webhook",
  headers: { "x-retell-signature": signature },
  body: new TextEncoder().encode(body)
})

const accepts = (given: Callback, apiKey = key) => isAuthentic(apiKey, given, now)

describe("the signature of Retell's requests", () => {
  it("a known signature over a known body is accepted", () => {
    const digest = "46f0d18373b429dbd5e12aa60fa869be1f92b0c6678e187ac782827e7126ca0c"
    const known = callback(`v=1700000000000,d=${digest}`, '{"a":1}')
    expect(isAuthentic(Redacted.make("key"), known, DateTime.makeUnsafe(1_700_000_000_000))).toBe(true)
  })

  it("a signature of the official client is accepted for 5 minutes before and after its time", async () => {
    const at = now.epochMilliseconds
    for (const age of [0, 300_000, -300_000]) {
      const given = callback(await signed('{"a":"ü"}', at - age))
      expect([age, accepts(given), signedAt(given, now)]).toEqual([age, true, DateTime.makeUnsafe(at - age)])
    }
    for (const age of [300_001, -300_001]) {
      const given = callback(await signed('{"a":"ü"}', at - age))
      expect([age, accepts(given), signedAt(given, now)]).toEqual([age, false, null])
    }
  })

  it("another body, key, time or form is rejected", async () => {
    const right = await signed('{"a":"ü"}')
    expect(accepts(callback(right.toUpperCase().replace("V=", "v=").replace("D=", "d=")))).toBe(true)
    for (const wrong of [
      undefined,
      "",
      right.slice(0, -1),
      `${right}0`,
      ` ${right}`,
      right.replace(String(now.epochMilliseconds), String(now.epochMilliseconds + 1)),
      right.replace(/^v=\d+,/, ""),
      `v=,d=${"0".repeat(64)}`,
      `v=${now.epochMilliseconds},d=${"0".repeat(64)}`,
      await signed('{"a":"ü"}', now.epochMilliseconds, "other")
    ]) {
      expect([wrong, accepts(callback(wrong))]).toEqual([wrong, false])
    }
    expect(accepts(callback(right, '{"a":"ü"} '))).toBe(false)
  })

  it("every request is rejected with an empty key (D-PROV-7)", async () => {
    const digestOfEmptyKey = await crypto.subtle
      .importKey("raw", new Uint8Array(1), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
      .then((zero) => crypto.subtle.sign("HMAC", zero, new TextEncoder().encode(`{"a":"ü"}${now.epochMilliseconds}`)))
    // HMAC pads a key with zeros, so a key of one zero byte signs like an empty key.
    const given = callback(`v=${now.epochMilliseconds},d=${Buffer.from(digestOfEmptyKey).toString("hex")}`)
    expect(accepts(given, Redacted.make("\0"))).toBe(true)
    expect(accepts(given, Redacted.make(""))).toBe(false)
  })

  it("a request with one changed bit in its body is rejected", async () => {
    const body = JSON.stringify({ event: "call_ended", call: { call_id: "call_1" } })
    const { body: bytes, ...rest } = callback(await signed(body), body)
    expect(accepts({ ...rest, body: bytes })).toBe(true)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const changed = bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))
        expect(accepts({ ...rest, body: changed })).toBe(false)
      })
    )
  })
})
