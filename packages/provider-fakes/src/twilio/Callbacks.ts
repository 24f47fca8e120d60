import { createHmac } from "node:crypto"
import type { Callback } from "../CallbackSender.ts"
import { answeredByOf, date, durationOf, type FakeCall, recordingSid, statusOf } from "./Resources.ts"

/** Returns the signature of a request: HMAC-SHA1 over the URL without its fragment and the sorted parameters. */
export const signature = (token: string, url: string, form: URLSearchParams): string => {
  const names = [...new Set(form.keys())].toSorted()
  const data = names.map((name) =>
    [...new Set(form.getAll(name))]
      .toSorted()
      .map((value) => `${name}${value}`)
      .join("")
  )
  return createHmac("sha1", token)
    .update(url.replace(/#.*$/s, "") + data.join(""))
    .digest("base64")
}

/** Returns a signed callback. */
export const signed = (token: string, kind: string, url: string, form: URLSearchParams): Callback => ({
  kind,
  url,
  headers: {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "user-agent": "TwilioProxy/1.1",
    "i-twilio-idempotency-token": signature("token", url, form),
    "x-twilio-signature": signature(token, url, form)
  },
  body: form.toString()
})

const formOf = (fields: Readonly<Record<string, string | null>>): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** Returns the parameters of a status callback (twilio.com/docs/voice/api/call-resource#statuscallback). */
export const statusForm = (account: string, call: FakeCall, status: string, now: number): URLSearchParams => {
  const { course, direction, form, sid } = call
  const isOver = course.endedAt !== null
  const duration = durationOf(call)
  return formOf({
    Called: form.get("To"),
    ToState: "",
    CallerCountry: "US",
    Direction: direction,
    Timestamp: date(course.endedAt ?? now),
    CallbackSource: "call-progress-events",
    SipResponseCode: isOver && direction !== "inbound" ? (statusOf(call) === "busy" ? "486" : "200") : null,
    AccountSid: account,
    CallSid: sid,
    CallStatus: status,
    SequenceNumber: String(call.sequence++),
    To: form.get("To"),
    From: form.get("From"),
    Caller: form.get("From"),
    ApiVersion: "2010-04-01",
    AnsweredBy: answeredByOf(call),
    Duration: duration === null ? null : String(Math.ceil(Number(duration) / 60)),
    CallDuration: isOver ? (duration ?? "0") : null
  })
}

/** Returns the parameters of the request for TwiML of an inbound call (twilio.com/docs/voice/twiml#request-parameters). */
export const voiceForm = (account: string, { form, sid }: FakeCall): URLSearchParams =>
  formOf({
    Called: form.get("To"),
    ToState: "",
    CallerCountry: "US",
    Direction: "inbound",
    CallSid: sid,
    To: form.get("To"),
    ToCountry: "US",
    ApiVersion: "2010-04-01",
    CallStatus: "ringing",
    From: form.get("From"),
    AccountSid: account,
    CalledCountry: "US",
    Caller: form.get("From"),
    FromCountry: "US"
  })

/** Returns the parameters of a recording callback (twilio.com/docs/voice/api/recording#recordingstatuscallback). */
export const recordingForm = (account: string, call: FakeCall): URLSearchParams =>
  formOf({
    RecordingSource: "OutboundAPI",
    RecordingTrack: "both",
    RecordingSid: recordingSid(call),
    RecordingUrl: `https://api.twilio.com/2010-04-01/Accounts/${account}/Recordings/${recordingSid(call)}`,
    RecordingStatus: "completed",
    RecordingChannels: "2",
    ErrorCode: "0",
    CallSid: call.sid,
    RecordingStartTime: date(call.course.answeredAt),
    AccountSid: account,
    RecordingDuration: durationOf(call)
  })

/** Returns the parameters of a callback of the machine detection (…/voice/answering-machine-detection). */
export const machineForm = (account: string, call: FakeCall): URLSearchParams =>
  formOf({ CallSid: call.sid, AccountSid: account, AnsweredBy: answeredByOf(call), MachineDetectionDuration: "1500" })
