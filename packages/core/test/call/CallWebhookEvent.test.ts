import { describe, expect, it } from "@effect/vitest"
import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { at, call } from "../webhook/samples.ts"

describe("CallWebhookEvent.payload", () => {
  it("a webhook event about a call has the fields of C-6.2-1", () => {
    expect(parse(CallWebhookEvent.payload("call.ended", call(), at))).toEqual({
      event_type: "call.ended",
      call: {
        id: 12,
        service_call_id: "call_12",
        agent_id: 3,
        agent_name: "Ada",
        status: "completed",
        type: "outbound",
        phone_number: "+12025550123",
        started_at: "2026-03-08T12:00:00.000Z",
        ended_at: "2026-03-08T12:01:05.500Z",
        duration_seconds: 65,
        recording_url: "https://recordings.example/12",
        summary: "Booked.",
        contact: { id: 7, name: "Zoë", email: "zoe@example.com" }
      },
      timestamp: "2026-03-08T13:00:00.000Z"
    })
  })

  it("the summary is absent until it is known, and every other unknown field is null", () => {
    const payload = parse(
      CallWebhookEvent.payload(
        "call.started",
        call({ summary: null, contact: null, endedAt: null, recordingUrl: null, status: "in_progress" }),
        at
      )
    )
    expect(payload).toMatchObject({
      call: { contact: null, ended_at: null, duration_seconds: null, recording_url: null }
    })
    expect(payload).not.toHaveProperty("call.summary")
  })

  it("a call that was never answered has a duration of 0 seconds", () => {
    const payload = parse(CallWebhookEvent.payload("call.failed", call({ startedAt: null, status: "busy" }), at))
    expect(payload).toMatchObject({ call: { started_at: null, duration_seconds: 0 } })
  })
})

describe("laws of CallWebhookEvent", () => {
  it("the body is JSON in UTF-8 and shows the texts of the call unchanged, for all texts", () => {
    fc.assert(
      fc.property(Arbitrary.announcedCall(), (call) => {
        const bytes = CallWebhookEvent.payload("call.ended", call, at)
        expect(Utf8.decode(bytes)).not.toBeNull()
        const shown = Schema.decodeUnknownSync(CallWebhookEvent.CallPayload)(parse(bytes)).call
        expect(shown).toMatchObject({ id: call.id, agentName: call.agent.name })
        expect(shown.summary ?? null).toBe(call.summary)
      })
    )
  })
})

const parse = (bytes: Uint8Array): unknown => JSON.parse(Utf8.decode(bytes) ?? "")
