import { at, isObject } from "../Fake.ts"
import type { CallCourse } from "../CallCourse.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly id: string
  /** The body of the request that started the call. */
  readonly request: Readonly<Record<string, unknown>>
  readonly course: CallCourse
  readonly controlUrl: string
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns Vapi's status of a call. */
export const statusOf = ({ course }: FakeCall): string => {
  if (course.endedAt !== null) return "ended"
  if (course.answeredAt !== null) return "in-progress"
  return course.ringingAt === null ? "queued" : "ringing"
}

const reasons = {
  talk: "customer-ended-call",
  voicemail: "voicemail",
  busy: "customer-busy",
  no_answer: "customer-did-not-answer",
  fail: "twilio-failed-to-connect-call"
}

/** Returns Vapi's reason for the end of a call. */
export const endedReason = ({ course }: FakeCall): string =>
  course.isHungUp ? "manually-canceled" : reasons[course.script.outcome ?? "talk"]

/** Returns the fields that a call has after Vapi has processed it: cost, transcript, recording and summary. */
export const results = (call: FakeCall) => {
  const { id, course } = call
  const talked = course.answeredAt !== null && course.endedAt !== null ? (course.endedAt - course.answeredAt) / 1000 : 0
  const hasTalked = course.answeredAt !== null
  const said = course.script.outcome === "voicemail" ? "Please leave a message." : "Hello, who is this?"
  return {
    endedReason: endedReason(call),
    ...(course.answeredAt === null ? {} : { startedAt: iso(course.answeredAt) }),
    ...(course.endedAt === null ? {} : { endedAt: iso(course.endedAt) }),
    // A minute costs 0.1 dollars.
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

/** Returns a call as messages contain it. As at Vapi, it has the state of its creation in all messages. */
export const callInMessages = ({ request, controlUrl, id, course }: FakeCall) => ({
  id,
  orgId: "00000000-0000-4000-8000-000000000000",
  type: "outboundPhoneCall",
  status: "queued",
  createdAt: iso(course.createdAt),
  updatedAt: iso(course.createdAt),
  phoneCallProvider: "twilio",
  phoneCallTransport: "pstn",
  ...request,
  monitor: { listenUrl: controlUrl.replace(/^http/, "ws").replace(/control$/, "listen"), controlUrl },
  // Only the URL of the server is returned, because its headers contain a secret.
  ...(isObject(request["assistantOverrides"])
    ? {
        assistantOverrides: {
          ...request["assistantOverrides"],
          server: { url: at(request, "assistantOverrides", "server", "url") }
        }
      }
    : {})
})

/** Returns the Call resource of a call (docs.vapi.ai, `GET /call/{id}`). */
export const callResource = (call: FakeCall) => {
  const { course } = call
  return {
    ...callInMessages(call),
    status: statusOf(call),
    updatedAt: iso(course.endedAt ?? course.answeredAt ?? course.createdAt),
    ...(course.answeredAt === null ? {} : { startedAt: iso(course.answeredAt) }),
    ...(course.endedAt === null ? {} : { endedAt: iso(course.endedAt), endedReason: endedReason(call) }),
    ...(course.hasData ? results(call) : {})
  }
}
