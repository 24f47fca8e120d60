import type { InboundDecision } from "@frontdesk/core/call/CallProvider"
import * as Money from "@frontdesk/core/values/Money"
import { signedHeaders } from "@frontdesk/provider-fakes/retell/Signing"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ingest } from "../../src/retell/RetellRequest.ts"
import { signedAt } from "../../src/retell/RetellSignature.ts"
import { anyText } from "../providerSetup.ts"

const now = DateTime.makeUnsafe("2026-11-21T18:00:40Z")
const startedAt = DateTime.makeUnsafe("2026-11-21T18:00:00.000Z")
const endedAt = DateTime.makeUnsafe("2026-11-21T18:00:30.500Z")
const key = "key_0123456789"
const options = { apiKey: Redacted.make(key), publicUrl: new URL("https://api.example.com/voice/") }

const base = "https://api.example.com/voice/providers/retell"

const requestOf = (body: string, path: string, secret = key) => ({
  method: "POST",
  url: `${base}${path}`,
  headers: signedHeaders(secret, body, now.epochMilliseconds),
  body: new TextEncoder().encode(body)
})

const ingested = (body: unknown, path = "/webhook") => ingest(options, requestOf(JSON.stringify(body), path), now)

const reports = (event: string, call: object) => {
  const result = ingested({ event, call })
  return result._tag === "Reported" ? result.reports.map(({ report }) => report) : result
}

const call = { call_id: "call_1", direction: "outbound", metadata: { frontdesk_ref: "call_ref" } }
const begun = { ...call, start_timestamp: startedAt.epochMilliseconds }
const ended = {
  ...begun,
  call_status: "ended",
  end_timestamp: endedAt.epochMilliseconds,
  disconnection_reason: "user_hangup"
}
const answered = { _tag: "Answered", at: startedAt }
const completed = { _tag: "Ended", status: "completed", answeredAt: startedAt, endedAt, reason: "user_hangup" }

describe("webhooks of Retell about a call", () => {
  it("a report has the id of the call, and our reference from its metadata", () => {
    const one = { providerCallId: "call_1", report: answered }
    const event = "call_started"
    expect(ingested({ event, call: begun })).toEqual({ _tag: "Reported", reports: [{ ...one, ref: "call_ref" }] })
    for (const metadata of [undefined, null, "text", {}, { frontdesk_ref: "" }, { frontdesk_ref: 7 }]) {
      expect(ingested({ event, call: { ...begun, metadata } })).toEqual({
        _tag: "Reported",
        reports: [{ ...one, ref: null }]
      })
    }
  })

  it("a report about an inbound call has its numbers, and null for a number that is withheld", () => {
    const inbound = { ...begun, direction: "inbound", from_number: "+12025550111", to_number: "+12025550100" }
    const numbers = (call: object) => {
      const result = ingested({ event: "call_started", call })
      return result._tag === "Reported" ? result.reports.map(({ inbound }) => inbound) : result
    }
    expect(numbers(inbound)).toEqual([{ from: "+12025550111", to: "+12025550100" }])
    expect(ingested({ event: "call_started", call: inbound })).toMatchObject({
      reports: [{ providerCallId: "call_1", ref: "call_ref", report: answered }]
    })
    for (const from_number of ["anonymous", "", null, undefined, 7]) {
      expect(numbers({ ...inbound, from_number })).toEqual([{ from: null, to: "+12025550100" }])
    }
    expect(numbers({ ...inbound, to_number: "sip:desk@example.com" })).toEqual([undefined])
    expect(numbers({ ...inbound, direction: "outbound" })).toEqual([undefined])
  })

  it("a report about an inbound call has the agent that answers it, if Retell names one", () => {
    const inbound = { ...begun, direction: "inbound", from_number: "+12025550111", to_number: "+12025550100" }
    const numbers = { from: "+12025550111", to: "+12025550100" }
    const reported = (agent_id: unknown) => ingested({ event: "call_started", call: { ...inbound, agent_id } })
    expect(reported("agent_1")).toMatchObject({ reports: [{ inbound: { ...numbers, assistantId: "agent_1" } }] })
    for (const agent_id of [null, 7, "", "a".repeat(1_001)]) {
      expect(reported(agent_id)).toHaveProperty("reports.0.inbound", numbers)
    }
  })

  it("call_started without a start time is reported as the answer at the time of the signature", () => {
    expect(reports("call_started", call)).toEqual([{ _tag: "Answered", at: now }])
  })

  it("call_ended is reported as answer, end, transcript, recording and cost", () => {
    const whole = {
      ...ended,
      transcript: "User: Hello?\n",
      recording_url: "https://storage.example.com/a.wav",
      call_cost: { combined_cost: 70.5, product_costs: [] }
    }
    const all = [
      answered,
      completed,
      { _tag: "Transcript", text: "User: Hello?\n" },
      { _tag: "Recording", url: "https://storage.example.com/a.wav" },
      { _tag: "Cost", amount: Money.Money.make(0.705 * Money.scale) }
    ]
    expect(reports("call_ended", whole)).toEqual(all)
    const [cost, ...others] = all.toReversed()
    expect(reports("call_analyzed", { ...whole, call_analysis: { call_summary: "A call." } })).toEqual([
      ...others.toReversed(),
      { _tag: "Summary", text: "A call." },
      cost
    ])
  })

  it("without an end time, a call ends after its duration, and an unanswered one at the time of the signature", () => {
    const { end_timestamp: _, ...open } = ended
    expect(reports("call_ended", { ...open, duration_ms: 30_500 })).toEqual([answered, completed])
    expect(reports("call_ended", open)).toEqual([])
    const busy = { ...call, call_status: "not_connected", disconnection_reason: "dial_busy" }
    expect(reports("call_ended", busy)).toEqual([
      { _tag: "Ended", status: "busy", answeredAt: null, endedAt: now, reason: "dial_busy" }
    ])
  })

  it("a call that was not connected is unanswered, also with a start time, and an empty reason counts as ended", () => {
    const unconnected = { ...ended, call_status: "not_connected", disconnection_reason: "" }
    expect(reports("call_ended", unconnected)).toEqual([
      { _tag: "Ended", status: "failed", answeredAt: null, endedAt, reason: "ended" }
    ])
  })

  it("the first recording of four kinds is reported, one without personal data only if Retell stores no other", () => {
    const kinds = ["recording_url", "scrubbed_recording_url", "recording_multi_channel_url"]
    const all = [...kinds, "scrubbed_recording_multi_channel_url"].map(
      (kind) => [kind, `https://a.example/${kind}`] as const
    )
    for (const [index, [, url]] of all.entries()) {
      const call = { ...ended, ...Object.fromEntries(all.slice(index)) }
      expect(reports("call_ended", call)).toEqual([answered, completed, { _tag: "Recording", url }])
    }
  })

  it("empty texts, URLs that are not http and times outside the years 1970 to 9999 count as absent", () => {
    const empty = { transcript: "", recording_url: "javascript:alert(1)", call_analysis: { call_summary: "" } }
    expect(reports("call_analyzed", { ...ended, ...empty, call_cost: { combined_cost: "70" } })).toEqual([
      answered,
      completed
    ])
    for (const start_timestamp of [-1, 0.5, 253_402_300_800_000, "2026-11-21"]) {
      expect(reports("call_started", { ...call, start_timestamp })).toEqual([{ _tag: "Answered", at: now }])
    }
  })

  it.each(["transcript_updated", "transfer_started", "transfer_ended", "chat_started", "new"])(
    "the webhook %s yields no report",
    (event) => {
      expect(ingested({ event, call: ended })).toEqual({ _tag: "Reported", reports: [] })
    }
  )

  it.each([
    ["[", "the body is not JSON"],
    ["{}", "the body is not a webhook; the URL of a custom function must end with /providers/retell/functions"],
    ['{"event":"call_ended"}', "fields differ from the documentation: call"],
    ['{"event":"call_ended","call":{"call_id":""}}', "fields differ from the documentation: call.call_id"],
    ['{"event":"call_inbound"}', "fields differ from the documentation: call_inbound"],
    ['{"event":"call_inbound","call_inbound":{}}', "fields differ from the documentation: call_inbound.to_number"],
    [
      '{"event":"call_inbound","call_inbound":{"to_number":"desk"}}',
      "call_inbound.to_number is not a phone number in E.164 form"
    ]
  ])("the authentic body %s is malformed", (body, reason) => {
    expect(ingest(options, requestOf(body, "/webhook"), now)).toEqual({ _tag: "Malformed", reason })
  })
})

describe("the webhook call_inbound", () => {
  const asked = (more: object = {}) =>
    ingested({
      event: "call_inbound",
      call_inbound: { from_number: "+12025550111", to_number: "+12025550100", ...more }
    })

  const question = (more: object = {}) => {
    const result = asked(more)
    if (result._tag !== "Asked" || result.question._tag !== "InboundCall") throw new Error(result._tag)
    return result.question
  }

  const bodyOf = (decision: InboundDecision): unknown => {
    const { contentType, text } = question().bodyOf(decision)
    expect(contentType).toBe("application/json")
    return JSON.parse(text)
  }

  it("it asks which agent answers a call that has no id yet", () => {
    expect(question()).toMatchObject({
      providerCallId: null,
      numbers: { from: "+12025550111", to: "+12025550100" }
    })
    for (const from_number of ["anonymous", undefined, null]) {
      expect(question({ from_number }).numbers).toEqual({ from: null, to: "+12025550100" })
    }
  })

  const accepted = {
    _tag: "Accepted",
    ref: "call_ref",
    assistantId: "agent_ada",
    variables: { name: "Zoë", seats: 5, is_new: false },
    maxDurationSeconds: 600
  } as const

  it("an accepted call gets the agent, variables as texts, our reference, the duration and our webhook", () => {
    expect(bodyOf(accepted)).toEqual({
      call_inbound: {
        override_agent_id: "agent_ada",
        dynamic_variables: { name: "Zoë", seats: "5", is_new: "false" },
        metadata: { frontdesk_ref: "call_ref" },
        agent_override: {
          agent: {
            webhook_url: `${base}/webhook`,
            webhook_events: ["call_started", "call_ended", "call_analyzed"],
            max_call_duration_ms: 600_000
          }
        }
      }
    })
    expect(bodyOf({ ...accepted, ref: null })).not.toHaveProperty("call_inbound.metadata")
  })

  it("the maximum duration stays within what Retell accepts", () => {
    const at = "call_inbound.agent_override.agent.max_call_duration_ms"
    expect(bodyOf({ ...accepted, maxDurationSeconds: 59 })).toHaveProperty(at, 60_000)
    expect(bodyOf({ ...accepted, maxDurationSeconds: 7_201 })).toHaveProperty(at, 7_200_000)
  })

  it("a refusal names no agent", () => {
    expect(bodyOf({ _tag: "Refused", say: "Goodbye." })).toEqual({ call_inbound: {} })
  })
})

describe("custom functions", () => {
  const body = { name: "book", args: { slot_id: "s1" }, call: { ...begun, call_status: "ongoing" } }

  it("a request below /functions asks for tools, with the call and the whole body", () => {
    for (const path of ["/functions", "/functions/", "/functions?tenant=1"]) {
      expect(ingested(body, path)).toEqual({
        _tag: "Asked",
        question: { _tag: "ToolCalls", call: { providerCallId: "call_1", ref: "call_ref" }, message: body }
      })
    }
  })

  it("the call of a function has the numbers of an inbound call", () => {
    const numbers = { direction: "inbound", from_number: "+12025550111", to_number: "+12025550100" }
    expect(ingested({ ...body, call: { ...body.call, ...numbers } }, "/functions")).toMatchObject({
      question: { call: { inbound: { from: "+12025550111", to: "+12025550100" } } }
    })
  })

  it("a function is not read elsewhere, and a webhook is not read below /functions, because a model may write it", () => {
    for (const path of ["/webhook", "/functions/webhook", "/webhook?/functions"]) {
      expect(ingested(body, path)).toMatchObject({ _tag: "Malformed" })
    }
    const text = JSON.stringify(body)
    expect(ingest(options, { ...requestOf(text, ""), url: "/providers/retell/functions" }, now)).toMatchObject({
      _tag: "Malformed"
    })
    for (const event of ["call_ended", "call_inbound", "transcript_updated"]) {
      expect(ingested({ event, call: ended }, "/functions")).toEqual({
        _tag: "Malformed",
        reason: "the body needs name, args and call with call_id; turn off args only at Retell"
      })
    }
  })
})

describe("the signature of a request", () => {
  const body = JSON.stringify({ event: "call_ended", call: ended })

  it("a request signed with another key is rejected, and with the webhook key only that key counts", () => {
    expect(ingest(options, requestOf(body, "/webhook", "another"), now)).toEqual({ _tag: "BadSignature" })
    const separate = { ...options, webhookKey: Redacted.make("another") }
    expect(ingest(separate, requestOf(body, "/webhook", "another"), now)._tag).toBe("Reported")
    expect(ingest(separate, requestOf(body, "/webhook"), now)).toEqual({ _tag: "BadSignature" })
  })

  it("the header is enough to reject a request without a recent signature (D-PROV-6)", () => {
    const later = DateTime.add(now, { minutes: 6 })
    const { headers } = requestOf(body, "/webhook")
    const head = { method: "POST", url: `${base}/webhook` }
    expect(signedAt({ ...head, headers }, now)).toEqual(now)
    expect(signedAt({ ...head, headers }, later)).toBeNull()
    expect(signedAt({ ...head, headers: {} }, now)).toBeNull()
    expect(ingest(options, requestOf(body, "/webhook"), later)).toEqual({ _tag: "BadSignature" })
  })

  it("any request without the key is rejected, and any signed body is reported, asked or malformed", () => {
    const header = fc.oneof(fc.string(), fc.constant(`v=${now.epochMilliseconds},d=${"0".repeat(64)}`))
    fc.assert(
      fc.property(anyText(), header, fc.uint8Array({ maxLength: 100 }), (url, signature, body) => {
        const request = { method: "POST", url, headers: { "x-retell-signature": signature }, body }
        expect(ingest(options, request, now)).toEqual({ _tag: "BadSignature" })
      })
    )
    const fields = ["event", "call", "call_id", "call_inbound", "to_number", "name", "metadata", "start_timestamp"]
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom("call_started", "call_ended", "call_analyzed", "call_inbound", "+12025550100", ended),
        fc.record(Object.fromEntries(fields.map((field) => [field, tie("value")])), { requiredKeys: [] })
      )
    }))
    fc.assert(
      fc.property(value, fc.constantFrom("/webhook", "/functions"), (body, path) => {
        expect(["Reported", "Asked", "Malformed"]).toContain(ingested(body, path)._tag)
      })
    )
  })
})
