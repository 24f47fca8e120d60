import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ingest } from "../../src/twilio/TwilioCallback.ts"
import { parseForm, sign } from "../../src/twilio/TwilioSignature.ts"
import { anyText } from "../outside.ts"

const token = "12345"
const sid = `CA${"1".repeat(32)}`
const publicUrl = "https://api.example.com/providers/twilio/callbacks?ref=call_1"

const told = (parameters: Readonly<Record<string, string>>, url = publicUrl) => {
  const body = new URLSearchParams(parameters).toString()
  return ingest(token, {
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": sign(token, url, parseForm(body))
    },
    body: new TextEncoder().encode(body)
  })
}

const reports = (parameters: Readonly<Record<string, string>>) => {
  const ingested = told({ CallSid: sid, ...parameters })
  return ingested._tag === "Reported" ? ingested.reports.map(({ report }) => report) : ingested
}

const Timestamp = "Sat, 21 Nov 2026 18:00:30 +0000"
const end = DateTime.makeUnsafe("2026-11-21T18:00:30Z")
const answer = DateTime.makeUnsafe("2026-11-21T18:00:00Z")

describe("callbacks of Twilio", () => {
  it("name the call by its SID, and by our reference as the signed URL has it", () => {
    const event = { providerCallId: sid, report: { _tag: "Ringing" } }
    const form = { CallSid: sid, CallStatus: "ringing" }
    expect(told(form)).toEqual({ _tag: "Reported", reports: [{ ...event, ref: "call_1" }] })
    const bare = "https://api.example.com/providers/twilio/callbacks"
    expect(told(form, bare)).toEqual({ _tag: "Reported", reports: [{ ...event, ref: null }] })
  })

  it("a form of more parameters than Twilio has is not read, and is no more than one with a wrong signature", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, ""]))
    expect(told({ ...many, CallSid: sid })).toEqual({ _tag: "BadSignature" })
  })

  it.each(["queued", "initiated", "something-new"])("the status %s says nothing of use", (CallStatus) => {
    expect(reports({ CallStatus })).toEqual([])
  })

  it("in-progress is the answer, when it was made", () => {
    expect(reports({ CallStatus: "in-progress", Timestamp })).toEqual([{ _tag: "Answered", at: end }])
  })

  it("a call was answered as long before its end as it was talked (D-PROV-14)", () => {
    expect(reports({ CallStatus: "completed", Timestamp, CallDuration: "30" })).toEqual([
      { _tag: "Ended", status: "completed", answeredAt: answer, endedAt: end, reason: "completed" }
    ])
  })

  it("completed without a duration was never answered (D-PROV-14)", () => {
    expect(reports({ CallStatus: "completed", Timestamp })).toEqual([
      { _tag: "Ended", status: "no_answer", answeredAt: null, endedAt: end, reason: "completed" }
    ])
  })

  it.each([
    ["busy", "busy"],
    ["no-answer", "no_answer"],
    ["failed", "failed"],
    ["canceled", "cancelled"]
  ])("%s is the end of a call that nobody answered", (CallStatus, status) => {
    expect(reports({ CallStatus, Timestamp, CallDuration: "0" })).toEqual([
      { _tag: "Ended", status, answeredAt: null, endedAt: end, reason: CallStatus }
    ])
  })

  it("a call that fails after it was answered keeps its answer", () => {
    expect(reports({ CallStatus: "failed", Timestamp, CallDuration: "30" })).toMatchObject([{ answeredAt: answer }])
  })

  it.each(["machine_start", "machine_end_beep"])("%s is voicemail", (AnsweredBy) => {
    const told = reports({ CallStatus: "completed", Timestamp, CallDuration: "30", AnsweredBy })
    expect(told).toMatchObject([{ status: "completed", reason: "voicemail" }])
  })

  it("what the detection of machines finds says nothing of its own", () => {
    expect(reports({ AnsweredBy: "machine_start", MachineDetectionDuration: "1500" })).toEqual([])
  })

  it("a recording counts when it is whole, whichever callback brings it", () => {
    const RecordingUrl = "https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1"
    const recording = { _tag: "Recording", url: RecordingUrl }
    expect(reports({ RecordingStatus: "completed", RecordingUrl })).toEqual([recording])
    expect(reports({ RecordingStatus: "in-progress", RecordingUrl })).toEqual([])
    expect(reports({ RecordingStatus: "absent" })).toEqual([])
    expect(reports({ CallStatus: "completed", Timestamp, CallDuration: "30", RecordingUrl })).toMatchObject([
      { _tag: "Ended" },
      recording
    ])
  })

  it.each(["", "javascript:1"])("a recording at %j does not hide the end of its call", (RecordingUrl) => {
    const ended = [{ _tag: "Ended", status: "completed", answeredAt: answer }]
    expect(reports({ CallStatus: "completed", Timestamp, CallDuration: "30", RecordingUrl })).toMatchObject(ended)
  })

  it("pieces of a transcription say nothing of use", () => {
    expect(reports({ TranscriptionEvent: "transcription-content", TranscriptionData: "{}" })).toEqual([])
  })

  it.each([
    ["no CallSid", { CallSid: "somebody", CallStatus: "ringing" }],
    ["no Timestamp", { CallStatus: "completed", CallDuration: "30" }],
    ["no Timestamp", { CallStatus: "completed", CallDuration: "30", Timestamp: "2026-11-21" }],
    ["CallDuration is not a number", { CallStatus: "completed", Timestamp, CallDuration: "half" }],
    ["RecordingUrl is not a URL", { RecordingStatus: "completed", RecordingUrl: "javascript:1" }]
  ])("one that cannot be read says why, and not what it held: %s", (reason, parameters) => {
    expect(reports(parameters)).toEqual({ _tag: "Malformed", reason })
  })

  it("laws: any signed callback is read or called malformed", () => {
    const value = fc.oneof(
      anyText(),
      fc.constantFrom(sid, Timestamp, "completed", "in-progress", "busy", "0", "99999999", "https://x.example/")
    )
    const names = [
      "CallSid",
      "CallStatus",
      "Timestamp",
      "CallDuration",
      "AnsweredBy",
      "RecordingUrl",
      "RecordingStatus"
    ]
    const parameters = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
    fc.assert(
      fc.property(parameters, (parameters) => {
        const ingested = told({ CallSid: sid, ...parameters })
        expect(["Reported", "Malformed"]).toContain(ingested._tag)
      })
    )
  })
})
