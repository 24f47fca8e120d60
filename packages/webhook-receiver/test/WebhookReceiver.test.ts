import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import { isArrayBuffer } from "node:util/types"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { oldSecret, secret, signedHeaders } from "./signedRequest.ts"
import { vectors } from "./vectors.ts"

const timestamp = 1_772_974_800
const id = "0198c0de-0000-7000-8000-000000000001"
const payload = { event_type: "call.ended", title: "Zoë 😀" }
const body = JSON.stringify(payload)
const headers = await signedHeaders({ id, timestamp, body, secrets: [secret] })

const at = (seconds: number, options: Partial<WebhookReceiver.Options> = {}) =>
  WebhookReceiver.make({ secrets: [secret], now: () => seconds * 1_000, ...options })
const receiver = at(timestamp)
const either = at(timestamp, { schemes: ["standard", "body"] })
const bodyOnly = at(timestamp, { schemes: ["body"] })

const without = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.some((prefix) => name.startsWith(prefix))))

const refused = (reason: string, details: object = {}) => ({ ok: false, reason, ...details })
const verified = { ok: true, scheme: "standard", id, timestamp, event: "call.ended", payload }

describe("WebhookReceiver.verify", () => {
  it("returns id, time, event and payload of a request with a valid signature (C-5-12)", async () => {
    expect(await receiver.verify({ headers, body })).toEqual(verified)
  })

  it.each(vectors)("accepts requests that openssl signed, in both schemes: $name", async (vector) => {
    const secrets = [vector.secret]
    const sent = {
      "webhook-id": vector.webhookId,
      "webhook-timestamp": vector.webhookTimestamp,
      "webhook-signature": vector.webhookSignature
    }
    const standard = at(Number(vector.webhookTimestamp), { secrets })
    expect(await standard.verify({ headers: sent, body: vector.body })).toMatchObject({
      ok: true,
      id: vector.webhookId
    })
    const first = { "x-service-signature": vector.signature, "x-service-delivery-id": vector.webhookId }
    const second = at(0, { secrets, schemes: ["body"] })
    expect(await second.verify({ headers: first, body: vector.body })).toMatchObject({ ok: true, timestamp: null })
    if (vector.previousSecret === null) return
    const old = at(Number(vector.webhookTimestamp), { secrets: [vector.previousSecret] })
    expect(await old.verify({ headers: sent, body: vector.body })).toMatchObject({ ok: true })
  })

  it.each([
    ["a Fetch Headers", new Headers(headers)],
    ["an object in lower case", Object.fromEntries(new Headers(headers))],
    [
      "an object in upper case",
      Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toUpperCase(), v]))
    ],
    ["lists of one value", Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))]
  ])("reads headers as %s", async (_, given) => {
    expect(await receiver.verify({ headers: given, body })).toEqual(verified)
    expect(await bodyOnly.verify({ headers: given, body })).toEqual({ ...verified, scheme: "body", timestamp: null })
  })

  it("reads a body as text, bytes, a view into more bytes, or a buffer", async () => {
    const bytes = new TextEncoder().encode(body)
    const view = new TextEncoder().encode(`<${body}>`).subarray(1, -1)
    for (const each of [bytes, Buffer.from(body), view, bytes.buffer]) {
      expect(await receiver.verify({ headers, body: each })).toEqual(verified)
    }
  })

  it("reads a buffer of another realm", async () => {
    const bytes = [...new TextEncoder().encode(body)]
    const foreign: unknown = runInNewContext("Uint8Array.from(bytes).buffer", { bytes })
    expect(foreign instanceof ArrayBuffer).toBe(false)
    if (!isArrayBuffer(foreign)) throw new Error("The other realm made no buffer")
    expect(await receiver.verify({ headers, body: foreign })).toEqual(verified)
  })

  it.each([
    ["bytes", (bytes: Uint8Array<ArrayBuffer>) => bytes],
    ["a buffer", (bytes: Uint8Array<ArrayBuffer>) => bytes.buffer]
  ])("returns the signed payload when %s of the body change during the verification", async (_, given) => {
    for (const each of [receiver, bodyOnly]) {
      const bytes = new TextEncoder().encode(body)
      const verifying = each.verify({ headers, body: given(bytes) })
      bytes.fill(0x20)
      bytes.set(new TextEncoder().encode('{"event_type":"forged"}'))
      expect(await verifying).toMatchObject({ ok: true, payload })
    }
  })

  it.each([
    ["half a surrogate pair in bytes", Uint8Array.of(0x22, 0xed, 0xa0, 0xbd, 0x22), undefined, null],
    ["a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), undefined, null],
    ["half a surrogate pair in JSON", String.raw`{"event_type":"\ud83d"}`, { event_type: "\ud83d" }, "\ud83d"],
    ["a line separator", '"\u2028"', "\u2028", null],
    ["an event that is a number", '{"event_type":1}', { event_type: 1 }, null],
    ["nothing", "", undefined, null],
    ["null", "null", null, null]
  ])("accepts any signed body: %s", async (_, odd, payload, event) => {
    const signed = await signedHeaders({ id, timestamp, body: odd, secrets: [secret] })
    const expected = { ok: true, id, payload, event }
    expect(await receiver.verify({ headers: signed, body: odd })).toMatchObject(expected)
    expect(await bodyOnly.verify({ headers: signed, body: odd })).toMatchObject(expected)
  })

  it("rejects a parsed body with the reason parsed-body", async () => {
    for (const parsed of [{ event_type: "call.ended" }, undefined, null, 1, []]) {
      const request = { headers, body: parsed }
      // @ts-expect-error -- a program without types may pass anything
      expect(await receiver.verify(request)).toEqual(refused("parsed-body"))
    }
  })

  it("rejects a request without a required header, and names the header", async () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      expect(await receiver.verify({ headers: without(name), body })).toEqual(
        refused("missing-header", { header: name })
      )
      expect(await either.verify({ headers: without(name), body })).toEqual(refused("missing-header", { header: name }))
    }
    for (const name of ["X-Service-Signature", "X-Service-Delivery-ID"]) {
      const result = await bodyOnly.verify({ headers: without(name), body })
      expect(result).toEqual(refused("missing-header", { header: name }))
    }
    expect(await receiver.verify({ headers: {}, body })).toEqual(refused("missing-header", { header: "webhook-id" }))
  })

  it.each([
    ["webhook-id", ""],
    ["webhook-id", `${id}, ${id}`],
    ["webhook-id", `${id}.${timestamp}`],
    ["webhook-id", `${id}\n`],
    ["webhook-id", "a".repeat(129)],
    ["webhook-timestamp", `0${timestamp}`],
    ["webhook-timestamp", `${timestamp}.0`],
    ["webhook-timestamp", `+${timestamp}`],
    ["webhook-timestamp", `${timestamp}, ${timestamp}`],
    ["webhook-timestamp", "1e9"],
    ["webhook-timestamp", "1".repeat(13)],
    ["webhook-signature", ""],
    ["webhook-signature", String(headers["webhook-signature"]).slice("v1,".length)],
    ["webhook-signature", ` ${headers["webhook-signature"]}`],
    ["webhook-signature", `${headers["webhook-signature"]}, ${headers["webhook-signature"]}`],
    ["webhook-signature", `${headers["webhook-signature"]} ${"v1,a ".repeat(1_000)}v1,a`]
  ])("rejects a malformed %s: %s", async (name, value) => {
    const result = await receiver.verify({ headers: { ...headers, [name]: value }, body })
    expect(result).toEqual(refused("malformed-header", { header: name }))
  })

  it("rejects a header that is present twice, in any form of headers (D-SIGN-4)", async () => {
    const malformed = refused("malformed-header", { header: "webhook-id" })
    expect(await receiver.verify({ headers: { ...headers, "Webhook-Id": "other" }, body })).toEqual(malformed)
    expect(await receiver.verify({ headers: { ...headers, "webhook-id": [id, id] }, body })).toEqual(malformed)
    const fetched = new Headers(headers)
    fetched.append("webhook-id", id)
    expect(await receiver.verify({ headers: fetched, body })).toEqual(malformed)
  })

  it("rejects a signature of the scheme body that is not lower-case hexadecimal", async () => {
    const signature = String(headers["X-Service-Signature"])
    for (const value of [signature.toUpperCase(), `sha256=${signature}`, signature.slice(1), `${signature} `]) {
      const result = await bodyOnly.verify({ headers: { ...headers, "X-Service-Signature": value }, body })
      expect(result).toEqual(refused("malformed-header", { header: "X-Service-Signature" }))
    }
  })

  it("rejects another spelling of the right base64, and ignores signatures of unknown versions", async () => {
    const right = String(headers["webhook-signature"])
    const verify = (signature: string) =>
      receiver.verify({ headers: { ...headers, "webhook-signature": signature }, body })
    // The last digit before the padding has two unused bits.
    const twin = right.replace(/.=$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}=`)
    expect(atob(twin.slice(3))).toBe(atob(right.slice(3)))
    for (const wrong of [
      twin,
      right.slice(0, -1),
      `${right}A`,
      right.replace("v1,", "v2,"),
      right.replace("v1,", "v1a,")
    ]) {
      expect(await verify(wrong)).toEqual(refused("wrong-signature"))
      expect(await verify(`${wrong} ${right}`)).toEqual(verified)
      expect(await verify(`${right} ${wrong}`)).toEqual(verified)
    }
  })

  it("rejects a request with different ids in the headers of the two schemes", async () => {
    const differ = refused("different-ids")
    const other = { ...headers, "X-Service-Delivery-ID": "other" }
    expect(await receiver.verify({ headers: other, body })).toEqual(differ)
    expect(await bodyOnly.verify({ headers: other, body })).toEqual(differ)
    expect(await receiver.verify({ headers: without("X-Service-Delivery-ID"), body })).toEqual(verified)
  })

  it("ignores the header with the name of the webhook event, which is not signed (D-SIGN-4)", async () => {
    const changed = { ...headers, "X-Service-Event": "call.failed" }
    expect(await receiver.verify({ headers: changed, body })).toEqual(verified)
  })

  it.each([
    [299.999, {}, "accepted"],
    [300, {}, "accepted"],
    [300.001, {}, "too-old"],
    [-300, {}, "accepted"],
    [-300.001, {}, "too-early"],
    [10, { toleranceSeconds: 10 }, "accepted"],
    [11, { toleranceSeconds: 10 }, "too-old"],
    [0, { toleranceSeconds: 0 }, "accepted"],
    [Number.NaN, {}, "too-old"]
  ])("for a request of %d seconds ago with the options %o, the outcome is %s", async (age, options, outcome) => {
    const result = await at(timestamp + age, options).verify({ headers, body })
    expect(result).toEqual(outcome === "accepted" ? verified : refused(outcome, { timestamp }))
  })

  it("reports the age only of a request with a valid signature (D-SIGN-5)", async () => {
    const late = at(timestamp + 1_000)
    expect(await late.verify({ headers, body: "{}" })).toEqual(refused("wrong-signature"))
  })

  it("uses the clock of the system without the option now", async () => {
    const now = Math.floor(Date.now() / 1_000)
    const real = WebhookReceiver.make({ secrets: [secret] })
    const fresh = await signedHeaders({ id, timestamp: now, body, secrets: [secret] })
    expect(await real.verify({ headers: fresh, body })).toMatchObject({ ok: true, timestamp: now })
    expect(await real.verify({ headers, body })).toMatchObject(refused("too-old"))
  })
})

describe("WebhookReceiver with schemes", () => {
  it("accepts only the scheme standard by default (D-SIGN-3)", async () => {
    const stripped = without("webhook-")
    expect(await receiver.verify({ headers: stripped, body })).toEqual(
      refused("missing-header", { header: "webhook-id" })
    )
    const accepted = { ...verified, scheme: "body", timestamp: null }
    expect(await either.verify({ headers: stripped, body })).toEqual(accepted)
  })

  it("requires a valid standard signature when a request has any header of that scheme", async () => {
    expect(await either.verify({ headers, body })).toEqual(verified)
    const forged = { ...headers, "webhook-timestamp": String(timestamp + 1) }
    expect(await either.verify({ headers: forged, body })).toEqual(refused("wrong-signature"))
    const wrong = { ...headers, "X-Service-Signature": "0".repeat(64) }
    expect(await either.verify({ headers: wrong, body })).toEqual(verified)
    expect(await bodyOnly.verify({ headers: wrong, body })).toEqual(refused("wrong-signature"))
  })
})

describe("WebhookReceiver.make", () => {
  it("accepts a signature of any of several secrets", async () => {
    const both = await signedHeaders({ id, timestamp, body, secrets: [secret, oldSecret] })
    for (const secrets of [[secret], [oldSecret], [secret, oldSecret], [oldSecret, secret]]) {
      expect(await at(timestamp, { secrets }).verify({ headers: both, body })).toEqual(verified)
    }
    const fromOld = await signedHeaders({ id, timestamp, body, secrets: [oldSecret] })
    for (const schemes of [["standard"], ["body"]] as const) {
      const rotated = at(timestamp, { schemes, secrets: [secret, oldSecret] })
      expect(await rotated.verify({ headers: fromOld, body })).toMatchObject({ ok: true, id })
      const settled = at(timestamp, { schemes })
      expect(await settled.verify({ headers: fromOld, body })).toEqual(refused("wrong-signature"))
    }
  })

  it("reads the headers of the scheme body with the given prefix", async () => {
    const renamed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace("X-Service-", "X-Acme-"), value])
    )
    const acme = at(timestamp, { prefix: "X-Acme-", schemes: ["body"] })
    expect(await acme.verify({ headers: renamed, body })).toMatchObject({ ok: true, id })
    expect(await acme.verify({ headers, body })).toEqual(refused("missing-header", { header: "X-Acme-Delivery-ID" }))
  })

  it("throws for options that would accept forged requests, or no request", () => {
    for (const secrets of [[], [""], ["whsec_"], [secret, ""], [`${secret}\n`], [` ${secret}`]]) {
      expect(() => at(timestamp, { secrets })).toThrow(TypeError)
    }
    expect(() => at(timestamp, { schemes: [] })).toThrow(TypeError)
    // @ts-expect-error -- a program without types may pass anything
    expect(() => at(timestamp, { schemes: ["standrad"] })).toThrow(TypeError)
    // @ts-expect-error -- a secret from the environment may be undefined
    expect(() => at(timestamp, { secrets: [undefined] })).toThrow(TypeError)
    for (const toleranceSeconds of [-1, Number.NaN]) {
      expect(() => at(timestamp, { toleranceSeconds })).toThrow(RangeError)
    }
  })
})
