import type { Line } from "../Line.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly sid: string
  readonly form: URLSearchParams
  readonly line: Line
  /** The number of its next status callback. */
  sequence: number
}

/** The seconds of a moment: Twilio tells no less. */
const seconds = (millis: number): number => Math.floor(millis / 1000)

/** A date of RFC 2822, as Twilio writes it. */
export const date = (millis: number | null): string | null =>
  millis === null ? null : new Date(seconds(millis) * 1000).toUTCString().replace("GMT", "+0000")

const endings = { talk: "completed", voicemail: "completed", busy: "busy", no_answer: "no-answer", fail: "failed" }

/** Twilio's word for how a call stands. */
export const statusOf = ({ line }: FakeCall): string => {
  if (line.endedAt !== null) {
    if (line.isHungUp) return line.answeredAt === null ? "canceled" : "completed"
    return endings[line.script.outcome ?? "talk"]
  }
  if (line.answeredAt !== null) return "in-progress"
  return line.ringingAt === null ? "queued" : "ringing"
}

/** The seconds talked; null when there is nothing to tell. */
export const durationOf = ({ line }: FakeCall): string | null =>
  line.answeredAt === null || line.endedAt === null ? null : String(seconds(line.endedAt) - seconds(line.answeredAt))

/** What the detection of machines has found; null when it was not asked for. */
export const answeredByOf = ({ form, line }: FakeCall): string | null => {
  if (!form.has("MachineDetection") || line.answeredAt === null) return null
  return line.script.outcome === "voicemail" ? "machine_start" : "human"
}

/** The price, minutes begun at 0.014 each; null until it is known. */
const priceOf = (call: FakeCall): string | null => {
  const duration = durationOf(call)
  return call.line.hasPrice && duration !== null ? `-${(Math.ceil(Number(duration) / 60) * 0.014).toFixed(5)}` : null
}

/** A Call resource (twilio.com/docs/voice/api/call-resource). */
export const callResource = (account: string, call: FakeCall) => {
  const { form, line, sid } = call
  const uri = `/2010-04-01/Accounts/${account}/Calls/${sid}`
  return {
    sid,
    date_created: date(line.createdAt),
    date_updated: date(line.endedAt ?? line.answeredAt ?? line.createdAt),
    parent_call_sid: null,
    account_sid: account,
    to: form.get("To"),
    to_formatted: form.get("To"),
    from: form.get("From"),
    from_formatted: form.get("From"),
    phone_number_sid: "PN00000000000000000000000000000000",
    status: statusOf(call),
    start_time: date(line.answeredAt ?? line.ringingAt),
    end_time: date(line.endedAt),
    duration: durationOf(call),
    price: priceOf(call),
    price_unit: "USD",
    direction: "outbound-api",
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

/** Where a call's recording is. */
export const recordingSid = ({ sid }: FakeCall): string => sid.replace(/^CA/, "RE")

/** Whether a call has been recorded. */
export const hasRecording = ({ form, line }: FakeCall): boolean =>
  form.get("Record") === "true" && line.answeredAt !== null && line.hasData

/** A Recording resource as the list of a call's recordings has it: its media have no address there. */
export const recordingOfCall = (account: string, call: FakeCall) => {
  const sid = recordingSid(call)
  const uri = `/2010-04-01/Accounts/${account}/Recordings/${sid}`
  return {
    account_sid: account,
    api_version: "2010-04-01",
    call_sid: call.sid,
    conference_sid: null,
    channels: 2,
    date_created: date(call.line.answeredAt),
    date_updated: date(call.line.endedAt),
    start_time: date(call.line.answeredAt),
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

/** A Recording resource (twilio.com/docs/voice/api/recording). */
export const recordingResource = (account: string, call: FakeCall) => {
  const { track: _, ...recording } = recordingOfCall(account, call)
  const uri = recording.uri.replace(/\.json$/, "")
  return {
    ...recording,
    subresource_uris: { transcriptions: `${uri}/Transcriptions.json` },
    media_url: `https://api.twilio.com${uri}`
  }
}
