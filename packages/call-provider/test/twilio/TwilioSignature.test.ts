import type { Callback, Ingested } from "@frontdesk/core/call/CallProvider"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import twilio from "twilio"
import { describe, expect, it, vi } from "vitest"
import { ingest, maxCallbackBytes, mayBeAuthentic } from "../../src/twilio/TwilioCallback.ts"
import { parseForm, sign } from "../../src/twilio/TwilioSignature.ts"
import { anyText, twilioOptions } from "../providerSetup.ts"

const token = "12345"
const options = twilioOptions("http://127.0.0.1:9")
const sid = `CA${"1".repeat(32)}`
const formHeaders = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" }

/** Returns the signature that Twilio's own package computes. The package takes one value or an array for each name. */
const official = (url: string, body: string): string =>
  twilio.getExpectedTwilioSignature(
    token,
    url,
    Object.fromEntries([...parseForm(body)].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  )

const callback = (url: string, body: string, signature: string | undefined, headers = formHeaders): Callback => ({
  method: "POST",
  url,
  headers: { ...headers, "x-twilio-signature": signature },
  body: new TextEncoder().encode(body)
})

const isAccepted = (request: Callback): boolean => ingest(options, request)._tag !== "BadSignature"

const ringing = (more = "") => `CallSid=${sid}&CallStatus=ringing${more}`

describe("the signature of Twilio", () => {
  it("the signature of Twilio's example is the documented one", () => {
    const form = new Map([
      ["To", ["+18005551212"]],
      ["CallSid", ["CA1234567890ABCDE"]],
      ["Caller", ["+14158675309"]],
      ["Digits", ["1234"]],
      ["From", ["+14158675309"]]
    ])
    expect(sign(token, "https://mycompany.com/myapp.php?foo=1&bar=2", form)).toBe("RSOYDt4T1cUTdK1PDd93/VVr8B8=")
  })

  it("a repeated parameter counts with each distinct value, sorted", () => {
    const url = "https://api.example.com/providers/twilio/callbacks?ref=call_1"
    const body = ringing("&Media=b&Media=a&Media=b")
    expect(isAccepted(callback(url, body, official(url, body)))).toBe(true)
    expect(sign(token, url, parseForm("m=b&m=a&m=b"))).toBe(sign(token, url, parseForm("m=a&m=b")))
  })

  it.each([
    ["https://api.example.com/cb?ref=1", "https://api.example.com:443/cb?ref=1"],
    ["https://api.example.com:443/cb?ref=1", "https://api.example.com/cb?ref=1"],
    ["http://api.example.com/cb", "http://api.example.com:80/cb"],
    ["https://[::1]/cb", "https://[::1]:443/cb"],
    ["https://api.example.com:8443/cb", "https://api.example.com/cb"],
    ["https://api.example.com", "https://api.example.com:443"]
  ])("a request to %s is accepted with a signature for %s", (url, signed) => {
    expect(isAccepted(callback(url, ringing(), official(signed, ringing())))).toBe(true)
    expect(
      twilio.validateRequest(
        token,
        official(signed, ringing()),
        url,
        Object.fromEntries(new URLSearchParams(ringing()))
      )
    ).toBe(true)
  })

  it.each([
    ["another port", "https://api.example.com:8443/cb"],
    ["the port of another scheme", "https://api.example.com:80/cb"],
    ["another scheme", "http://api.example.com/cb"],
    ["another host", "https://api.example.org/cb"],
    ["another query", "https://api.example.com/cb?ref=call_2"]
  ])("a request with a signature for %s is rejected", (_, signed) => {
    expect(isAccepted(callback("https://api.example.com/cb", ringing(), official(signed, ringing())))).toBe(false)
  })

  it("a request whose body is not a form is rejected, even with a correct signature", () => {
    const body = JSON.stringify({ CallSid: sid, CallStatus: "ringing" })
    const url = `https://api.example.com/cb?ref=call_1&bodySHA256=${twilio.getExpectedBodyHash(body)}`
    const headers = { "content-type": "application/json" }
    expect(isAccepted(callback(url, body, twilio.getExpectedTwilioSignature(token, url, {}), headers))).toBe(false)
  })

  it("every request is rejected with an empty token (D-PROV-7)", () => {
    const url = "https://api.example.com/cb"
    const request = callback(url, ringing(), sign("", url, parseForm(ringing())))
    expect(ingest({ ...options, authToken: Redacted.make("") }, request)).toEqual({ _tag: "BadSignature" })
  })

  it("a request without a signature, or with too many bytes, is not parsed", () => {
    const url = "https://api.example.com/cb"
    const parse = vi.spyOn(globalThis, "URLSearchParams")
    const large = ringing(`&x=${"y".repeat(maxCallbackBytes)}`)
    expect(ingest(options, callback(url, large, undefined))).toEqual({ _tag: "BadSignature" })
    expect(ingest(options, callback(url, ringing(), undefined))).toEqual({ _tag: "BadSignature" })
    expect(mayBeAuthentic(callback(url, "", undefined))).toBe(false)
    expect(mayBeAuthentic(callback(url, "", ""))).toBe(false)
    expect(mayBeAuthentic(callback(url, "", "signed"))).toBe(true)
    expect(ingest(options, callback(url, large, "signed"))).toMatchObject({ _tag: "Malformed" })
    expect(parse).not.toHaveBeenCalled()
    expect(ingest(options, callback(url, ringing(), "signed"))).toEqual({ _tag: "BadSignature" })
    expect(parse).toHaveBeenCalled()
    parse.mockRestore()
  })

  it("a request without a signature, or with an empty or wrong one, is rejected", () => {
    for (const signature of [undefined, "", "RSOYDt4T1cUTdK1PDd93/VVr8B8="]) {
      expect(isAccepted(callback("https://api.example.com/cb", ringing(), signature))).toBe(false)
    }
  })
})

const text = anyText({ maxLength: 12 })
const fields = fc.array(
  fc.tuple(
    text.filter((name) => name !== "" && name !== "__proto__"),
    text
  ),
  { maxLength: 8 }
)
const url = fc
  .record({
    scheme: fc.constantFrom("https", "http"),
    host: fc.constantFrom("api.example.com", "127.0.0.1:8787", "api.example.com:443"),
    query: fc.array(fc.tuple(fc.constantFrom("ref", "a"), text), { maxLength: 3 })
  })
  .map(({ host, query, scheme }) => `${scheme}://${host}/cb?${new URLSearchParams(query).toString()}`)

describe("laws of the signature of Twilio", () => {
  it("the signatures of Twilio's package are accepted, and the package accepts ours", () => {
    fc.assert(
      fc.property(url, fields, (url, fields) => {
        const body = new URLSearchParams(fields).toString()
        expect(isAccepted(callback(url, body, official(url, body)))).toBe(true)
        const params = Object.fromEntries(parseForm(body))
        expect(twilio.validateRequest(token, sign(token, url, parseForm(body)), url, params)).toBe(true)
      })
    )
  })

  it("a request with one changed bit in the URL, in the form or in the signature is rejected", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(7),
        fc.constantFrom("url" as const, "body" as const, "signature" as const),
        (place, bit, part) => {
          const url = "https://api.example.com:8443/providers/twilio/callbacks?ref=call_1"
          const body = new URLSearchParams({
            CallSid: sid,
            CallStatus: "completed",
            CallDuration: "30",
            To: "+1 é"
          }).toString()
          const parts = { url, body, signature: official(url, body) }
          const flipped = flip(parts[part], place, bit)
          // A change that keeps the values of the form does not count: %2b instead of %2B.
          if (part === "body") fc.pre(sign(token, url, parseForm(flipped)) !== official(url, body))
          parts[part] = flipped
          expect(isAccepted(callback(parts.url, parts.body, parts.signature))).toBe(false)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("any request without a valid signature is rejected", () => {
    fc.assert(
      fc.property(
        anyText(),
        fc.record(
          {
            "content-type": fc.oneof(fc.string(), fc.constantFrom(...Object.values(formHeaders))),
            "x-twilio-signature": fc.string()
          },
          { requiredKeys: [] }
        ),
        fc.uint8Array({ maxLength: 200 }),
        (url, headers, body) => {
          const ingested: Ingested = ingest(options, { method: "POST", url, headers, body })
          expect(ingested).toEqual({ _tag: "BadSignature" })
        }
      )
    )
  })
})

/** Returns a text with one changed bit. */
const flip = (text: string, place: number, bit: number): string => {
  const bytes = new TextEncoder().encode(text)
  const index = place % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
  return new TextDecoder("latin1").decode(bytes)
}
