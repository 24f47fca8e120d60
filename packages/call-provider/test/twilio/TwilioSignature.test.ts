import type { Callback, Ingested } from "@frontdesk/core/call/CallProvider"
import * as fc from "fast-check"
import twilio from "twilio"
import { describe, expect, it, vi } from "vitest"
import { ingest, maxCallbackBytes, mayBeAuthentic } from "../../src/twilio/TwilioCallback.ts"
import { parseForm, sign } from "../../src/twilio/TwilioSignature.ts"
import { anyText } from "../outside.ts"

const token = "12345"
const sid = `CA${"1".repeat(32)}`
const formHeaders = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" }

/** The signature that the official package computes; it takes one value or several for a name. */
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

const believes = (request: Callback): boolean => ingest(token, request)._tag !== "BadSignature"

const ringing = (more = "") => `CallSid=${sid}&CallStatus=ringing${more}`

describe("the signature of Twilio", () => {
  it("is that of Twilio's own example", () => {
    const form = new Map([
      ["To", ["+18005551212"]],
      ["CallSid", ["CA1234567890ABCDE"]],
      ["Caller", ["+14158675309"]],
      ["Digits", ["1234"]],
      ["From", ["+14158675309"]]
    ])
    expect(sign(token, "https://mycompany.com/myapp.php?foo=1&bar=2", form)).toBe("RSOYDt4T1cUTdK1PDd93/VVr8B8=")
  })

  it("a name that comes several times counts with each different value, sorted", () => {
    const url = "https://api.example.com/providers/twilio/callbacks?ref=call_1"
    const body = ringing("&Media=b&Media=a&Media=b")
    expect(believes(callback(url, body, official(url, body)))).toBe(true)
    expect(sign(token, url, parseForm("m=b&m=a&m=b"))).toBe(sign(token, url, parseForm("m=a&m=b")))
  })

  it.each([
    ["https://api.example.com/cb?ref=1", "https://api.example.com:443/cb?ref=1"],
    ["https://api.example.com:443/cb?ref=1", "https://api.example.com/cb?ref=1"],
    ["http://api.example.com/cb", "http://api.example.com:80/cb"],
    ["https://[::1]/cb", "https://[::1]:443/cb"],
    ["https://api.example.com:8443/cb", "https://api.example.com/cb"],
    ["https://api.example.com", "https://api.example.com:443"]
  ])("a request to %s may be signed for %s", (url, signed) => {
    expect(believes(callback(url, ringing(), official(signed, ringing())))).toBe(true)
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
  ])("a request that was signed for %s is not believed", (_, signed) => {
    expect(believes(callback("https://api.example.com/cb", ringing(), official(signed, ringing())))).toBe(false)
  })

  it("a body that is no form is not believed, whatever it is signed with", () => {
    const body = JSON.stringify({ CallSid: sid, CallStatus: "ringing" })
    const url = `https://api.example.com/cb?ref=call_1&bodySHA256=${twilio.getExpectedBodyHash(body)}`
    const headers = { "content-type": "application/json" }
    expect(believes(callback(url, body, twilio.getExpectedTwilioSignature(token, url, {}), headers))).toBe(false)
  })

  it("with an empty token nothing is believed (D-PROV-7)", () => {
    const url = "https://api.example.com/cb"
    const request = callback(url, ringing(), sign("", url, parseForm(ringing())))
    expect(ingest("", request)).toEqual({ _tag: "BadSignature" })
  })

  it("nothing is parsed without a signature, or beyond the bytes that a callback may have", () => {
    const url = "https://api.example.com/cb"
    const parse = vi.spyOn(globalThis, "URLSearchParams")
    const large = ringing(`&x=${"y".repeat(maxCallbackBytes)}`)
    expect(ingest(token, callback(url, large, undefined))).toEqual({ _tag: "BadSignature" })
    expect(ingest(token, callback(url, ringing(), undefined))).toEqual({ _tag: "BadSignature" })
    expect(mayBeAuthentic(callback(url, "", undefined))).toBe(false)
    expect(mayBeAuthentic(callback(url, "", ""))).toBe(false)
    expect(mayBeAuthentic(callback(url, "", "signed"))).toBe(true)
    expect(ingest(token, callback(url, large, "signed"))).toMatchObject({ _tag: "Malformed" })
    expect(parse).not.toHaveBeenCalled()
    expect(ingest(token, callback(url, ringing(), "signed"))).toEqual({ _tag: "BadSignature" })
    expect(parse).toHaveBeenCalled()
    parse.mockRestore()
  })

  it("a request without a signature, or with an empty one, is not believed", () => {
    for (const signature of [undefined, "", "RSOYDt4T1cUTdK1PDd93/VVr8B8="]) {
      expect(believes(callback("https://api.example.com/cb", ringing(), signature))).toBe(false)
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
  it("what Twilio's package signs is believed, and what is signed here Twilio's package believes", () => {
    fc.assert(
      fc.property(url, fields, (url, fields) => {
        const body = new URLSearchParams(fields).toString()
        expect(believes(callback(url, body, official(url, body)))).toBe(true)
        const params = Object.fromEntries(parseForm(body))
        expect(twilio.validateRequest(token, sign(token, url, parseForm(body)), url, params)).toBe(true)
      })
    )
  })

  it("a bit that is changed in the URL, in what the form says, or in the signature, makes the request nobody's", () => {
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
          // The same said in another way is the same request: %2b for %2B.
          if (part === "body") fc.pre(sign(token, url, parseForm(flipped)) !== official(url, body))
          parts[part] = flipped
          expect(believes(callback(parts.url, parts.body, parts.signature))).toBe(false)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("any request whatever is judged, and nothing unsigned is believed", () => {
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
          const ingested: Ingested = ingest(token, { method: "POST", url, headers, body })
          expect(ingested).toEqual({ _tag: "BadSignature" })
        }
      )
    )
  })
})

/** A text with one bit of one of its characters changed. */
const flip = (text: string, place: number, bit: number): string => {
  const bytes = new TextEncoder().encode(text)
  const index = place % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
  return new TextDecoder("latin1").decode(bytes)
}
