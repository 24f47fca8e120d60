import type { InboundDecision } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { ingest } from "../../src/vapi/VapiMessage.ts"
import { vapiSecret as secret } from "../providerSetup.ts"

const options = {
  authentication: { _tag: "Secret", secret: Redacted.make(secret) },
  phoneNumberId: { "+12025550100": "pn_1" },
  publicUrl: new URL("https://api.example.com/voice")
} as const

const ingested = (message: object, sentSecret: string = secret) =>
  ingest(
    options,
    {
      method: "POST",
      url: "https://api.example.com/voice/providers/vapi/messages",
      headers: { "x-vapi-secret": sentSecret },
      body: new TextEncoder().encode(JSON.stringify({ message }))
    },
    DateTime.makeUnsafe("2026-11-21T18:00:40Z")
  )

const call = { id: "0196", type: "inboundPhoneCall", customer: { number: "+12025550111" }, phoneNumberId: "pn_1" }

const numbers = { from: "+12025550111", to: "+12025550100" }

/** Returns the question of a message. */
const question = (message: object) => {
  const result = ingested(message)
  return result._tag === "Asked" ? result.question : result
}

/** Returns the body with which the question who answers a call is answered. */
const answered = (decision: InboundDecision): unknown => {
  const asked = question({ type: "assistant-request", call })
  if (asked._tag !== "InboundCall") return asked
  const { contentType, text } = asked.bodyOf(decision)
  expect(contentType).toBe("application/json")
  return JSON.parse(text)
}

describe("an assistant-request of Vapi", () => {
  it("asks who answers the call from one number to another", () => {
    const named = { type: "assistant-request", call, phoneNumber: { id: "pn_9", number: "+12025550109" } }
    expect(question(named)).toMatchObject({
      _tag: "InboundCall",
      providerCallId: "0196",
      numbers: { from: "+12025550111", to: "+12025550109" }
    })
  })

  it("names the dialled number by its id at Vapi, when it has no other name", () => {
    expect(question({ type: "assistant-request", call })).toMatchObject({ numbers })
    expect(ingested({ type: "assistant-request", call: { ...call, phoneNumberId: "pn_2" } })).toEqual({
      _tag: "Malformed",
      reason: "the message does not name the number that was dialled"
    })
  })

  it.each([undefined, null, "anonymous", "", "+1", 12])("has no caller when the number is %o", (number) => {
    const asked = { type: "assistant-request", call: { ...call, customer: { number } } }
    expect(question(asked)).toMatchObject({ numbers: { from: null, to: "+12025550100" } })
  })

  it("is accepted with the assistant, its variables and our reference, and its messages come to this server", () => {
    const variables = { first_name: "Jo", visits: 3 }
    const body = answered({
      _tag: "Accepted",
      ref: "call_1",
      assistantId: "asst_1",
      variables,
      maxDurationSeconds: 120
    })
    expect(body).toEqual({
      assistantId: "asst_1",
      assistantOverrides: {
        variableValues: variables,
        metadata: { frontdesk_ref: "call_1" },
        maxDurationSeconds: 120,
        serverMessages: ["status-update", "end-of-call-report", "tool-calls"],
        server: {
          url: "https://api.example.com/voice/providers/vapi/messages",
          timeoutSeconds: 20,
          backoffPlan: { type: "exponential", maxRetries: 5, baseDelaySeconds: 1 },
          headers: { "X-Vapi-Secret": secret }
        }
      }
    })
  })

  it("is refused with a sentence that Vapi speaks", () => {
    expect(answered({ _tag: "Refused", say: "We are closed." })).toEqual({ error: "We are closed." })
  })
})

describe("a tool-calls message of Vapi", () => {
  const message = { type: "tool-calls", call, toolCallList: [{ id: "tc_1", name: "get_context", arguments: {} }] }

  it("asks for the answers of tools in the call that the message names", () => {
    expect(question(message)).toEqual({
      _tag: "ToolCalls",
      call: { providerCallId: "0196", ref: null, inbound: numbers },
      message: { message }
    })
  })

  it("in an outbound call has our reference, and no numbers", () => {
    const outbound = {
      id: "0196",
      type: "outboundPhoneCall",
      customer: { externalId: "call_1", number: "+12025550111" }
    }
    expect(question({ ...message, call: outbound })).toMatchObject({ call: { providerCallId: "0196", ref: "call_1" } })
    expect(question({ ...message, call: outbound })).not.toHaveProperty("call.inbound")
  })

  it("without the secret is not read", () => {
    expect(ingested(message, "wrong")).toEqual({ _tag: "BadSignature" })
    expect(ingested({ ...message, type: "assistant-request" }, "wrong")).toEqual({ _tag: "BadSignature" })
  })
})

it("a report about an inbound call has the assistant that answers it, if Vapi names one", () => {
  const reported = (assistantId: unknown) =>
    ingested({ type: "status-update", status: "ringing", call: { ...call, assistantId } })
  expect(reported("asst_1")).toHaveProperty("reports.0.inbound", { ...numbers, assistantId: "asst_1" })
  for (const assistantId of [null, 7, "", "a".repeat(1_001)]) {
    expect(reported(assistantId)).toHaveProperty("reports.0.inbound", numbers)
  }
})

it("a report about an inbound call has its numbers", () => {
  expect(ingested({ type: "status-update", status: "ringing", call })).toEqual({
    _tag: "Reported",
    reports: [{ providerCallId: "0196", ref: null, inbound: numbers, report: { _tag: "Ringing" } }]
  })
})
