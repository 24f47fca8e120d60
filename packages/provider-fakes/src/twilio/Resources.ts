import type { CallCourse } from "../CallCourse.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly sid: string
  readonly direction: "inbound" | "outbound-api"
  /** The form that made the call. An inbound call has a similar one. */
  readonly form: URLSearchParams
  readonly course: CallCourse
  /** The number of its next status callback. */
  sequence: number
}

/** Returns whole seconds. Twilio's times have no fractions of a second. */
const seconds = (millis: number): number => Math.floor(millis / 1000)

/** Returns a time in the form of RFC 2822, as Twilio returns it. */
export const date = (millis: number | null): string | null =>
  millis === null ? null : new Date(seconds(millis) * 1000).toUTCString().replace("GMT", "+0000")

const endings = { talk: "completed", voicemail: "completed", busy: "busy", no_answer: "no-answer", fail: "failed" }

/** Returns Twilio's status of a call. */
export const statusOf = ({ course }: FakeCall): string => {
  if (course.endedAt !== null) {
    if (course.isHungUp) return course.answeredAt === null ? "canceled" : "completed"
    return endings[course.script.outcome ?? "talk"]
  }
  if (course.answeredAt !== null) return "in-progress"
  return course.ringingAt === null ? "queued" : "ringing"
}

/** Returns the duration of a call in seconds, or null when it has not ended or was not answered. */
export const durationOf = ({ course }: FakeCall): string | null =>
  course.answeredAt === null || course.endedAt === null
    ? null
    : String(seconds(course.endedAt) - seconds(course.answeredAt))

/** Returns the result of the machine detection, or null when the call has none. */
export const answeredByOf = ({ form, course }: FakeCall): string | null => {
  if (!form.has("MachineDetection") || course.answeredAt === null) return null
  return course.script.outcome === "voicemail" ? "machine_start" : "human"
}

/** Returns the price of a call, -0.014 dollars for each started minute, or null while it is unknown. */
const priceOf = (call: FakeCall): string | null => {
  const duration = durationOf(call)
  return call.course.hasPrice && duration !== null ? `-${(Math.ceil(Number(duration) / 60) * 0.014).toFixed(5)}` : null
}

/** Returns the Call resource of a call (twilio.com/docs/voice/api/call-resource). */
export const callResource = (account: string, call: FakeCall) => {
  const { course, direction, form, sid } = call
  const uri = `/2010-04-01/Accounts/${account}/Calls/${sid}`
  return {
    sid,
    date_created: date(course.createdAt),
    date_updated: date(course.endedAt ?? course.answeredAt ?? course.createdAt),
    parent_call_sid: null,
    account_sid: account,
    to: form.get("To"),
    to_formatted: form.get("To"),
    from: form.get("From"),
    from_formatted: form.get("From"),
    phone_number_sid: "PN00000000000000000000000000000000",
    status: statusOf(call),
    start_time: date(course.answeredAt ?? course.ringingAt),
    end_time: date(course.endedAt),
    duration: durationOf(call),
    price: priceOf(call),
    price_unit: "USD",
    direction,
    answered_by: answeredByOf(call),
    api_version: "2010-04-01",
    annotation: null,
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: "0",
    trunk_sid: null,
    uri: `${uri}.json`,
    subresource_uris: { recordings: `${uri}/Recordings.json`, events: `${uri}/Events.json` }
  }
}

/** Returns the id of a call's recording. */
export const recordingSid = ({ sid }: FakeCall): string => sid.replace(/^CA/, "RE")

/** Returns whether a call has a recording. */
export const hasRecording = ({ form, course }: FakeCall): boolean =>
  form.get("Record") === "true" && course.answeredAt !== null && course.hasData

/**
 * Returns the Recording resource in the list of a call's recordings. Unlike {@link recordingResource} it has no media
 * URL.
 */
export const recordingOfCall = (account: string, call: FakeCall) => {
  const sid = recordingSid(call)
  const uri = `/2010-04-01/Accounts/${account}/Recordings/${sid}`
  return {
    account_sid: account,
    api_version: "2010-04-01",
    call_sid: call.sid,
    conference_sid: null,
    channels: 2,
    date_created: date(call.course.answeredAt),
    date_updated: date(call.course.endedAt),
    start_time: date(call.course.answeredAt),
    price: null,
    price_unit: "USD",
    duration: durationOf(call),
    sid,
    source: "OutboundAPI",
    status: "completed",
    error_code: null,
    encryption_details: null,
    track: "both",
    uri: `${uri}.json`
  }
}

/** Returns the Recording resource of a call (twilio.com/docs/voice/api/recording). */
export const recordingResource = (account: string, call: FakeCall) => {
  const { track: _, ...recording } = recordingOfCall(account, call)
  const uri = recording.uri.replace(/\.json$/, "")
  return {
    ...recording,
    subresource_uris: { transcriptions: `${uri}/Transcriptions.json` },
    media_url: `https://api.twilio.com${uri}`
  }
}
