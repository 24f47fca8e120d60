import { createHmac } from "node:crypto"
import type { Callback } from "@frontdesk/core/call/CallProvider"
import { Vapi } from "@vapi-ai/server-sdk"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { reportsOf, VapiCall } from "../../src/vapi/VapiCall.ts"
import { endOf } from "../../src/vapi/VapiEnd.ts"
import { mayBeAuthentic } from "../../src/vapi/VapiAuthentication.ts"
import { ingest } from "../../src/vapi/VapiMessage.ts"
import type { Authentication } from "../../src/vapi/VapiOptions.ts"
import { anyText, vapiSecret as secret } from "../providerSetup.ts"

const now = DateTime.makeUnsafe("2026-11-21T18:00:40Z")
const startedAt = "2026-11-21T18:00:00.000Z"
const endedAt = "2026-11-21T18:00:30.500Z"
const plain: Authentication = { _tag: "Secret", secret: Redacted.make(secret) }
const hmac = { _tag: "Hmac", secret: Redacted.make(secret), credentialId: "cred" } as const

const callback = (body: string, headers: Callback["headers"]): Callback => ({
  method: "POST",
  url: "https://api.example.com/providers/vapi/messages",
  headers,
  body: new TextEncoder().encode(body)
})

/** The options of a server that has the numbers of two agents at Vapi. */
const optionsOf = (authentication: Authentication) => ({
  authentication,
  phoneNumberId: { "+12025550100": "pn_1", "+12025550101": "pn_2" },
  publicUrl: new URL("https://api.example.com/voice")
})

const ingested = (message: unknown, authentication: Authentication = plain) => {
  const body = JSON.stringify({ message })
  return ingest(optionsOf(authentication), callback(body, { "x-vapi-secret": secret }), now)
}

const reports = (message: unknown) => {
  const result = ingested(message)
  return result._tag === "Reported" ? result.reports.map(({ report }) => report) : result
}

const accepts = (authentication: Authentication, headers: Callback["headers"], body = "{}") => {
  const isAccepted = ingest(optionsOf(authentication), callback(body, headers), now)._tag !== "BadSignature"
  // An accepted message must also pass the check of its headers, because otherwise its body is never read.
  expect(isAccepted && !mayBeAuthentic(authentication, callback("", headers), now)).toBe(false)
  return isAccepted
}

const call = { id: "0196", assistantOverrides: { metadata: { frontdesk_ref: "call_1" } } }

describe("messages of Vapi", () => {
  it("a report has the id of the call, and our reference from its metadata or its customer", () => {
    const update = { type: "status-update", status: "ringing" }
    const ringing = { providerCallId: "0196", report: { _tag: "Ringing" } }
    const byRef = { _tag: "Reported", reports: [{ ...ringing, ref: "call_1" }] }
    expect(ingested({ ...update, call })).toEqual(byRef)
    expect(ingested({ ...update, call: { id: "0196", customer: { externalId: "call_1" } } })).toEqual(byRef)
    const withoutRef = { _tag: "Reported", reports: [{ ...ringing, ref: null }] }
    expect(ingested({ ...update, call: { id: "0196" } })).toEqual(withoutRef)
  })

  it("the status in-progress is reported as the answer, at the start of the call or the time of the message", () => {
    const update = { type: "status-update", status: "in-progress", timestamp: Date.parse(startedAt) }
    const answered = [{ _tag: "Answered", at: DateTime.makeUnsafe(startedAt) }]
    expect(reports({ ...update, call })).toEqual(answered)
    expect(reports({ ...update, timestamp: 1, call: { ...call, startedAt } })).toEqual(answered)
    for (const timestamp of [null, -1, 1.5, 8.64e15]) {
      expect(reports({ ...update, timestamp, call })).toEqual({
        _tag: "Malformed",
        reason: "the message has no timestamp"
      })
    }
  })

  it("a time after the year 9999 counts as absent, because not every storage supports it (D-CALL-27)", () => {
    const [timestamp, late] = [Date.parse(startedAt), "9999-12-31T23:59:59-12:00"]
    const update = { type: "status-update", status: "in-progress", timestamp, call: { ...call, startedAt: late } }
    expect(reports(update)).toEqual([{ _tag: "Answered", at: DateTime.makeUnsafe(startedAt) }])
    expect(reports({ type: "end-of-call-report", startedAt, endedAt: late, call })).toEqual([])
  })

  it("a status update ended is reported as the end only if it has the time of the end", () => {
    const update = { type: "status-update", status: "ended", endedReason: "customer-ended-call", timestamp: 1 }
    expect(reports({ ...update, call })).toEqual([])
    expect(reports({ ...update, call: { ...call, startedAt, endedAt } })).toMatchObject([
      { _tag: "Answered" },
      { _tag: "Ended", status: "completed", reason: "customer-ended-call" }
    ])
  })

  it("an end-of-call report is reported as answer, end, transcript, recording, summary and cost", () => {
    const report = {
      type: "end-of-call-report",
      endedReason: "assistant-ended-call",
      startedAt,
      endedAt,
      cost: 0.0512,
      analysis: { summary: "Short." },
      artifact: {
        transcript: "User: Hi",
        recordingUrl: "https://x.example/1.wav",
        presignedMonoUrl: "https://x.example/2"
      },
      call
    }
    expect(reports(report)).toEqual([
      { _tag: "Answered", at: DateTime.makeUnsafe(startedAt) },
      {
        _tag: "Ended",
        status: "completed",
        answeredAt: DateTime.makeUnsafe(startedAt),
        endedAt: DateTime.makeUnsafe(endedAt),
        reason: "assistant-ended-call"
      },
      { _tag: "Transcript", text: "User: Hi" },
      { _tag: "Recording", url: "https://x.example/1.wav" },
      { _tag: "Summary", text: "Short." },
      { _tag: "Cost", amount: 51_200 }
    ])
  })

  it("without a time of its end, an unanswered call ends at the time of the report, and an answered one not yet (D-PROV-15)", () => {
    const reportedAt = DateTime.makeUnsafe(endedAt)
    const report = { type: "end-of-call-report", timestamp: reportedAt.epochMilliseconds, call }
    const ended = { _tag: "Ended", status: "failed", answeredAt: null, endedAt: reportedAt, reason: "ended" }
    expect(reports(report)).toEqual([ended])
    const endedReason = "customer-did-not-answer"
    expect(reports({ ...report, endedReason })).toEqual([{ ...ended, status: "no_answer", reason: endedReason }])
    expect(reports({ ...report, startedAt })).toEqual([])
    const resource = Schema.decodeUnknownSync(VapiCall)({ ...call, status: "ended", updatedAt: endedAt })
    expect(reportsOf(resource)).toEqual([{ _tag: "Ringing" }, ended])
  })

  it.each([
    { cost: "0.1" },
    { startedAt: "2026-11-21T12:00:00.000+0000" },
    { analysis: { summary: {} } },
    { artifact: { recording: "https://x.example" } },
    { artifact: [] },
    { monitor: [] },
    { customer: { externalId: 5 } }
  ])("a field that differs from the documentation does not affect the other fields: %j", (odd) => {
    const endedReason = "customer-did-not-answer"
    const ended: unknown = expect.objectContaining({ _tag: "Ended", status: "no_answer" })
    expect(reports({ type: "end-of-call-report", endedReason, endedAt, call, ...odd })).toEqual([ended])
    expect(reports({ type: "end-of-call-report", call: { ...call, endedReason, endedAt, ...odd } })).toEqual([ended])
  })

  it("empty texts and URLs that are not http yield no report", () => {
    const report = {
      type: "end-of-call-report",
      artifact: { transcript: "", recordingUrl: "", stereoRecordingUrl: "javascript:1" },
      analysis: { summary: "" },
      call
    }
    expect(reports(report)).toEqual([])
  })

  it.each(["conversation-update", "speech-update", "hang", "transcript", "transfer-destination-request", "new"])(
    "a message %s yields no report",
    (type) => {
      expect(reports({ type })).toEqual([])
    }
  )

  it.each([
    ["the body is not JSON", "{"],
    ["the body has no message with a type", "{}"],
    ["the body has no message with a type", '{"message":{"type":7}}'],
    ["fields differ from the documentation: message.call", '{"message":{"type":"status-update","status":"ringing"}}'],
    [
      "fields differ from the documentation: message.call.id",
      `{"message":{"type":"end-of-call-report","call":{"id":7}}}`
    ]
  ])("a message that cannot be read is malformed, with a reason that does not quote it: %s", (reason, body) => {
    expect(ingest(optionsOf(plain), callback(body, { "x-vapi-secret": secret }), now)).toEqual({
      _tag: "Malformed",
      reason
    })
  })
})

describe("the authentication of messages", () => {
  it("a message with the secret in its own header or as a bearer token is accepted", () => {
    expect(accepts(plain, { "x-vapi-secret": secret })).toBe(true)
    expect(accepts(plain, { authorization: `Bearer ${secret}` })).toBe(true)
    for (const wrong of [undefined, "", "x", secret.slice(1), `${secret} `, secret.toUpperCase()]) {
      expect(accepts(plain, { "x-vapi-secret": wrong })).toBe(false)
      expect(accepts(plain, { authorization: `Bearer ${wrong ?? ""}` })).toBe(false)
    }
    expect(accepts(plain, { authorization: secret })).toBe(false)
  })

  const sign = (timestamp: string, body: string, algorithm = "sha256", key: string | Uint8Array = secret) =>
    createHmac(algorithm, key).update(`${timestamp}.${body}`)
  const seconds = String(now.epochMilliseconds / 1000)

  it("a message with a signature over the time and the body is accepted", () => {
    const signature = sign(seconds, "{}").digest("hex")
    expect(accepts(hmac, { "x-timestamp": seconds, "x-signature": signature })).toBe(true)
    expect(accepts(hmac, { "x-timestamp": seconds, "x-signature": signature }, "{ }")).toBe(false)
    expect(accepts(hmac, { "x-signature": signature })).toBe(false)
    expect(accepts(hmac, { "x-timestamp": seconds })).toBe(false)
    expect(accepts(hmac, { "x-vapi-secret": secret, authorization: `Bearer ${secret}` })).toBe(false)
    const millis = String(now.epochMilliseconds)
    expect(accepts(hmac, { "x-timestamp": millis, "x-signature": sign(millis, "{}").digest("hex") })).toBe(true)
  })

  it("the headers are enough to reject a message without secret or signature, or with an old timestamp (D-PROV-6)", () => {
    const mayBe = (authentication: Authentication, headers: Callback["headers"]) =>
      mayBeAuthentic(authentication, callback("", headers), now)
    expect(mayBe(plain, { "x-vapi-secret": secret })).toBe(true)
    for (const headers of [{}, { "x-vapi-secret": "" }, { "x-vapi-secret": `${secret}x` }, { authorization: secret }]) {
      expect(mayBe(plain, headers)).toBe(false)
    }
    const signed = { "x-timestamp": seconds, "x-signature": "0".repeat(64) }
    expect(mayBe(hmac, signed)).toBe(true)
    for (const wrong of [
      { "x-signature": undefined },
      { "x-signature": "" },
      { "x-timestamp": undefined },
      { "x-timestamp": "now" },
      { "x-timestamp": String(Number(seconds) - 301) },
      { "x-timestamp": String(Number(seconds) + 301) }
    ]) {
      expect(mayBe(hmac, { ...signed, ...wrong })).toBe(false)
    }
  })

  it("every message is rejected with a secret that is too short, or empty after decoding (D-PROV-7)", () => {
    const empty = Redacted.make("")
    expect(accepts({ _tag: "Secret", secret: empty }, {})).toBe(false)
    expect(accepts({ _tag: "Secret", secret: empty }, { "x-vapi-secret": "", authorization: "Bearer " })).toBe(false)
    const forged = { "x-timestamp": seconds, "x-signature": sign(seconds, "{}", "sha256", "").digest("hex") }
    expect(accepts({ ...hmac, secret: empty }, forged)).toBe(false)
    const short = "123456789012345"
    expect(accepts({ _tag: "Secret", secret: Redacted.make(short) }, { "x-vapi-secret": short })).toBe(false)
    expect(accepts({ _tag: "Secret", secret: Redacted.make(`${short}6`) }, { "x-vapi-secret": `${short}6` })).toBe(true)
    expect(accepts({ ...hmac, secret: Redacted.make("%".repeat(16)), isSecretBase64: true }, forged)).toBe(false)
  })

  it.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false]
  ])("a message signed %i seconds from now is accepted: %s", (distance, isAccepted) => {
    const timestamp = String(now.epochMilliseconds / 1000 + distance)
    const headers = { "x-timestamp": timestamp, "x-signature": sign(timestamp, "{}").digest("hex") }
    expect(accepts(hmac, headers)).toBe(isAccepted)
  })

  it("algorithm, encoding, prefix and headers of the signature follow the credential", () => {
    const plan = {
      ...hmac,
      secret: Redacted.make(Buffer.from(secret).toString("base64")),
      isSecretBase64: true,
      algorithm: "sha512",
      encoding: "base64",
      prefix: "sha512=",
      signatureHeader: "x-our-signature",
      timestampHeader: "x-our-time"
    } as const
    const signature = sign(seconds, "{}", "sha512").digest("base64")
    expect(accepts(plan, { "x-our-time": seconds, "x-our-signature": `sha512=${signature}` })).toBe(true)
    expect(accepts(plan, { "x-our-time": seconds, "x-our-signature": signature })).toBe(false)
  })

  it("a message with one changed bit in the body, the time or the signature is rejected", () => {
    const parts = { body: '{"message":{"type":"hang"}}', time: seconds, signature: "" }
    const signed = { ...parts, signature: sign(parts.time, parts.body).digest("hex") }
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(7),
        fc.constantFrom("body" as const, "time" as const, "signature" as const),
        (place, bit, part) => {
          const bytes = new TextEncoder().encode(signed[part])
          const index = place % bytes.length
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
          const changed = { ...signed, [part]: new TextDecoder("latin1").decode(bytes) }
          const headers = { "x-timestamp": changed.time, "x-signature": changed.signature }
          expect(accepts(hmac, headers, changed.body)).toBe(false)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("any request without the secret is rejected, and any JSON with the secret is reported or malformed", () => {
    const names = ["x-vapi-secret", "authorization", "x-signature", "x-timestamp"]
    const headers = fc.record(Object.fromEntries(names.map((name) => [name, fc.string()])), { requiredKeys: [] })
    fc.assert(
      fc.property(anyText(), headers, fc.uint8Array({ maxLength: 100 }), (url, headers, body) => {
        for (const authentication of [plain, hmac]) {
          expect(ingest(optionsOf(authentication), { method: "POST", url, headers, body }, now)).toEqual({
            _tag: "BadSignature"
          })
        }
      })
    )
    const fields = ["type", "status", "call", "startedAt", "endedAt", "endedReason", "artifact", "id", "cost"]
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom("status-update", "end-of-call-report", "in-progress", "ended", startedAt, endedAt, call),
        fc.record(Object.fromEntries(fields.map((field) => [field, tie("value")])), { requiredKeys: [] })
      )
    }))
    fc.assert(
      fc.property(value, (message) => {
        expect(["Reported", "Malformed"]).toContain(ingested(message)._tag)
        const body = JSON.stringify(message)
        expect(ingest(optionsOf(plain), callback(body, { "x-vapi-secret": secret }), now)._tag).not.toBe("BadSignature")
      })
    )
  })
})

describe("the end of a call by Vapi's reason", () => {
  const at = DateTime.makeUnsafe
  const long = { startedAt: at(startedAt), endedAt: at(endedAt) }
  const unanswered = { startedAt: null, endedAt: at(endedAt) }

  it.each([
    ["customer-busy", "busy", false],
    ["customer-did-not-answer", "no_answer", false],
    ["twilio-failed-to-connect-call", "failed", false],
    ["vonage-rejected", "failed", false],
    ["call.start.error-get-assistant", "failed", false],
    ["call.ringing.error-sip-inbound-call-failed-to-connect", "failed", false],
    ["call-start-error-neither-assistant-nor-server-set", "failed", false],
    ["assistant-not-found", "failed", false],
    ["scheduled-call-deleted", "cancelled", false],
    ["customer-ended-call", "completed", true],
    ["assistant-ended-call-with-hangup-task", "completed", true],
    ["exceeded-max-duration", "completed", true],
    ["silence-timed-out", "completed", true],
    ["manually-canceled", "completed", true],
    ["voicemail", "completed", true],
    ["call.in-progress.error-vapifault-openai-llm-failed", "failed", true],
    ["pipeline-error-openai-llm-failed", "failed", true],
    ["a-reason-of-next-year", "completed", true]
  ])("a call that lasted and ended with %s is %s", (endedReason, status, isAnswered) => {
    const answeredAt = isAnswered ? long.startedAt : null
    expect(endOf({ endedReason, ...long })).toEqual({ status, answeredAt, endedAt: long.endedAt, reason: endedReason })
  })

  it("the reasons of Vapi's SDK that exclude an answer are known, and they count more than a start time (D-PROV-15)", () => {
    const excluding = Object.values(Vapi.CallEndedReason).filter(
      (endedReason) => endOf({ endedReason, ...long }).answeredAt === null
    )
    expect(Object.keys(Vapi.CallEndedReason).length).toBeGreaterThan(500)
    expect(
      excluding.filter((reason) => !/^(call[.-](start|ringing)[.-]|assistant-(request|not)-)/.test(reason)).toSorted()
    ).toEqual([
      "assistant-join-timed-out",
      "call-deleted",
      "call.in-progress.error-providerfault-outbound-sip-403-forbidden",
      "call.in-progress.error-providerfault-outbound-sip-407-proxy-authentication-required",
      "call.in-progress.error-providerfault-outbound-sip-408-request-timeout",
      "call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable",
      "call.in-progress.error-providerfault-outbound-sip-503-service-unavailable",
      "call.in-progress.error-providerfault-transport-never-connected",
      "call.in-progress.error-sip-inbound-call-failed-to-connect",
      "call.in-progress.error-sip-outbound-call-failed-to-connect",
      "call.in-progress.error-vapifault-call-started-but-connection-to-transport-missing",
      "call.in-progress.error-vapifault-transport-connected-but-call-not-active",
      "call.in-progress.error-vapifault-transport-never-connected",
      "customer-busy",
      "customer-did-not-answer",
      "customer-did-not-give-microphone-permission",
      "phone-call-provider-bypass-enabled-but-no-call-received",
      "scheduled-call-deleted",
      "twilio-failed-to-connect-call",
      "twilio-reported-customer-misdialed",
      "vonage-failed-to-connect-call",
      "vonage-rejected"
    ])
  })

  it.each([
    ["customer-ended-call", "failed"],
    ["manually-canceled", "cancelled"],
    ["a-reason-of-next-year", "failed"],
    ["customer-busy", "busy"]
  ])("a call that never began and ended with %s is %s", (endedReason, status) => {
    expect(endOf({ endedReason, ...unanswered })).toMatchObject({ status, answeredAt: null })
    expect(endOf({ endedReason, startedAt: at(endedAt), endedAt: at(endedAt) })).toMatchObject({
      status,
      answeredAt: null
    })
  })
})
