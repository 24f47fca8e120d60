import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ingest } from "../../src/twilio/TwilioCallback.ts"
import { parseForm, sign } from "../../src/twilio/TwilioSignature.ts"
import { anyText, twilioOptions } from "../providerSetup.ts"

const token = "12345"
const options = twilioOptions("http://127.0.0.1:9")
const sid = `CA${"1".repeat(32)}`
const publicUrl = "https://api.example.com/providers/twilio/callbacks?ref=call_1"

const ingested = (parameters: Readonly<Record<string, string>>, url = publicUrl) => {
  const body = new URLSearchParams(parameters).toString()
  return ingest(options, {
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
  const result = ingested({ CallSid: sid, ...parameters })
  return result._tag === "Reported" ? result.reports.map(({ report }) => report) : result
}

const Timestamp = "Sat, 21 Nov 2026 18:00:30 +0000"
const end = DateTime.makeUnsafe("2026-11-21T18:00:30Z")
const answer = DateTime.makeUnsafe("2026-11-21T18:00:00Z")

describe("callbacks of Twilio", () => {
  it("a report has the SID of the call, and our reference from the signed URL", () => {
    const ringing = { providerCallId: sid, report: { _tag: "Ringing" } }
    const form = { CallSid: sid, CallStatus: "ringing" }
    expect(ingested(form)).toEqual({ _tag: "Reported", reports: [{ ...ringing, ref: "call_1" }] })
    const withoutRef = "https://api.example.com/providers/twilio/callbacks"
    expect(ingested(form, withoutRef)).toEqual({ _tag: "Reported", reports: [{ ...ringing, ref: null }] })
  })

  it("a report about an inbound call has its numbers and no reference", () => {
    const url = "https://api.example.com/providers/twilio/callbacks"
    const form = { CallSid: sid, CallStatus: "completed", CallDuration: "30", Timestamp, Direction: "inbound" }
    const numbersOf = (more: Readonly<Record<string, string>>) => {
      const read = ingested({ ...form, ...more }, url)
      return read._tag === "Reported" ? read.reports : read
    }
    const report = { _tag: "Ended", status: "completed", answeredAt: answer, endedAt: end, reason: "completed" }
    const [From, To] = ["+12025550111", "+12025550100"]
    expect(numbersOf({ From, To })).toEqual([
      { providerCallId: sid, ref: null, inbound: { from: From, to: To }, report }
    ])
    expect(numbersOf({ From: "anonymous", To })).toMatchObject([{ inbound: { from: null, to: To } }])
    // The call may be known by its SID.
    expect(numbersOf({ From, To: "sip:desk@example.com" })).toEqual([{ providerCallId: sid, ref: null, report }])
    expect(numbersOf({ From, To, Direction: "outbound-api" })).toEqual([{ providerCallId: sid, ref: null, report }])
  })

  it("a form with more than 1,000 parameters is not read and counts as one with a wrong signature", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, ""]))
    expect(ingested({ ...many, CallSid: sid })).toEqual({ _tag: "BadSignature" })
  })

  it.each(["queued", "initiated", "something-new"])("the status %s yields no report", (CallStatus) => {
    expect(reports({ CallStatus })).toEqual([])
  })

  it("the status in-progress is reported as the answer, at its timestamp", () => {
    expect(reports({ CallStatus: "in-progress", Timestamp })).toEqual([{ _tag: "Answered", at: end }])
  })

  it("the time of the answer is the end minus the duration (D-PROV-14)", () => {
    expect(reports({ CallStatus: "completed", Timestamp, CallDuration: "30" })).toEqual([
      { _tag: "Ended", status: "completed", answeredAt: answer, endedAt: end, reason: "completed" }
    ])
  })

  it("a completed call without a duration was not answered (D-PROV-14)", () => {
    expect(reports({ CallStatus: "completed", Timestamp })).toEqual([
      { _tag: "Ended", status: "no_answer", answeredAt: null, endedAt: end, reason: "completed" }
    ])
  })

  it.each([
    ["busy", "busy"],
    ["no-answer", "no_answer"],
    ["failed", "failed"],
    ["canceled", "cancelled"]
  ])("the status %s is the end of an unanswered call", (CallStatus, status) => {
    expect(reports({ CallStatus, Timestamp, CallDuration: "0" })).toEqual([
      { _tag: "Ended", status, answeredAt: null, endedAt: end, reason: CallStatus }
    ])
  })

  it("a call that fails after its answer keeps the time of the answer", () => {
    expect(reports({ CallStatus: "failed", Timestamp, CallDuration: "30" })).toMatchObject([{ answeredAt: answer }])
  })

  it.each(["machine_start", "machine_end_beep"])(
    "a call answered by %s ends with the reason voicemail",
    (AnsweredBy) => {
      const read = reports({ CallStatus: "completed", Timestamp, CallDuration: "30", AnsweredBy })
      expect(read).toMatchObject([{ status: "completed", reason: "voicemail" }])
    }
  )

  it("the callback of machine detection alone yields no report", () => {
    expect(reports({ AnsweredBy: "machine_start", MachineDetectionDuration: "1500" })).toEqual([])
  })

  it("a completed recording is reported, in its own callback or in the last one of the call", () => {
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

  it.each(["", "javascript:1"])(
    "a recording with the URL %j does not prevent the report of the end",
    (RecordingUrl) => {
      const ended = [{ _tag: "Ended", status: "completed", answeredAt: answer }]
      expect(reports({ CallStatus: "completed", Timestamp, CallDuration: "30", RecordingUrl })).toMatchObject(ended)
    }
  )

  it("a part of a transcription yields no report", () => {
    expect(reports({ TranscriptionEvent: "transcription-content", TranscriptionData: "{}" })).toEqual([])
  })

  it.each([
    ["no CallSid", { CallSid: "somebody", CallStatus: "ringing" }],
    ["no Timestamp", { CallStatus: "completed", CallDuration: "30" }],
    ["no Timestamp", { CallStatus: "completed", CallDuration: "30", Timestamp: "2026-11-21" }],
    ["CallDuration is not a number", { CallStatus: "completed", Timestamp, CallDuration: "half" }],
    ["RecordingUrl is not a URL", { RecordingStatus: "completed", RecordingUrl: "javascript:1" }]
  ])("a callback that cannot be read is malformed, with a reason that does not quote it: %s", (reason, parameters) => {
    expect(reports(parameters)).toEqual({ _tag: "Malformed", reason })
  })

  it("any signed callback is either reported or malformed", () => {
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
        expect(["Reported", "Malformed"]).toContain(ingested({ CallSid: sid, ...parameters })._tag)
      })
    )
  })
})
