import { isObject } from "../Fake.ts"
import type { Line } from "../Line.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly id: string
  /** What the start asked for. */
  readonly asked: Readonly<Record<string, unknown>>
  readonly line: Line
  readonly controlUrl: string
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** A value inside JSON objects; undefined where there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** Vapi's word for how a call stands. */
export const statusOf = ({ line }: FakeCall): string => {
  if (line.endedAt !== null) return "ended"
  if (line.answeredAt !== null) return "in-progress"
  return line.ringingAt === null ? "queued" : "ringing"
}

const reasons = {
  talk: "customer-ended-call",
  voicemail: "voicemail",
  busy: "customer-busy",
  no_answer: "customer-did-not-answer",
  fail: "twilio-failed-to-connect-call"
}

/** Why a call has ended. */
export const endedReason = ({ line }: FakeCall): string =>
  line.isHungUp ? "manually-canceled" : reasons[line.script.outcome ?? "talk"]

/** What is there after the processing that follows the end. */
export const results = (call: FakeCall) => {
  const { id, line } = call
  const talked = line.answeredAt !== null && line.endedAt !== null ? (line.endedAt - line.answeredAt) / 1000 : 0
  const hasTalked = line.answeredAt !== null
  const said = line.script.outcome === "voicemail" ? "Please leave a message." : "Hello, who is this?"
  return {
    endedReason: endedReason(call),
    ...(line.answeredAt === null ? {} : { startedAt: iso(line.answeredAt) }),
    ...(line.endedAt === null ? {} : { endedAt: iso(line.endedAt) }),
    cost: Math.round(talked * 0.1 * 10_000) / 600_000,
    costs: [],
    analysis: hasTalked ? { summary: `A call of ${talked} seconds.`, successEvaluation: "true" } : {},
    artifact: hasTalked
      ? {
          transcript: `User: ${said}\nAI: This is a call of a test. Goodbye.\n`,
          recordingUrl: `https://storage.vapi.ai/${id}-mono.wav`,
          stereoRecordingUrl: `https://storage.vapi.ai/${id}-stereo.wav`,
          recording: {
            stereoUrl: `https://storage.vapi.ai/${id}-stereo.wav`,
            mono: { combinedUrl: `https://storage.vapi.ai/${id}-mono.wav` }
          },
          presignedMonoUrl: `https://storage.vapi.ai/${id}-mono.wav?expires=1`,
          messages: []
        }
      : { messages: [] }
  }
}

/** What is known of a call from the beginning: what its messages hold of it, in this state, however old it has grown. */
export const callInMessages = ({ asked, controlUrl, id, line }: FakeCall) => ({
  id,
  orgId: "00000000-0000-4000-8000-000000000000",
  type: "outboundPhoneCall",
  status: "queued",
  createdAt: iso(line.createdAt),
  updatedAt: iso(line.createdAt),
  phoneCallProvider: "twilio",
  phoneCallTransport: "pstn",
  ...asked,
  monitor: { listenUrl: controlUrl.replace(/^http/, "ws").replace(/control$/, "listen"), controlUrl },
  // Of what was asked the secret of the server is not shown.
  ...(isObject(asked["assistantOverrides"])
    ? {
        assistantOverrides: {
          ...asked["assistantOverrides"],
          server: { url: at(asked, "assistantOverrides", "server", "url") }
        }
      }
    : {})
})

/** A call (docs.vapi.ai, `GET /call/{id}`). */
export const callResource = (call: FakeCall) => {
  const { line } = call
  return {
    ...callInMessages(call),
    status: statusOf(call),
    updatedAt: iso(line.endedAt ?? line.answeredAt ?? line.createdAt),
    ...(line.answeredAt === null ? {} : { startedAt: iso(line.answeredAt) }),
    ...(line.endedAt === null ? {} : { endedAt: iso(line.endedAt), endedReason: endedReason(call) }),
    ...(line.hasData ? results(call) : {})
  }
}
