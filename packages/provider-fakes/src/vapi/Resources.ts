import { at, isObject } from "../Fake.ts"
import type { CallCourse } from "../CallCourse.ts"
import { numberResource, orgId, type FakeNumber } from "./PhoneNumbers.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly id: string
  readonly type: "inboundPhoneCall" | "outboundPhoneCall"
  /** The number of the organization, if the fake knows more about it than its id. */
  readonly number: FakeNumber | undefined
  /**
   * What the call is set up with: the body of the request that started it, or for an inbound call the customer with the
   * answer to the `assistant-request`.
   */
  request: Readonly<Record<string, unknown>>
  readonly course: CallCourse
  readonly controlUrl: string
  /** Why the call ended, if not because of its course. */
  endedReason?: string
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns the server to which the messages of a call are sent. The server of the assistant precedes that of the number. */
export const serverOf = ({ number, request }: FakeCall): unknown =>
  at(request, "assistantOverrides", "server") ?? number?.server

/** The types of messages that are sent to a server if a call does not list others. */
const defaultServerMessages = ["status-update", "end-of-call-report", "speech-update", "hang", "tool-calls"]

/** Returns whether messages of a type are sent to the server of a call. */
export const sendsMessages = ({ request }: FakeCall, type: string): boolean => {
  const types = at(request, "assistantOverrides", "serverMessages")
  return (Array.isArray(types) ? types : defaultServerMessages).includes(type)
}

/** Returns the maximum duration of a call in seconds. */
export const maxSecondsOf = ({ request }: FakeCall): number => {
  const seconds = at(request, "assistantOverrides", "maxDurationSeconds")
  return typeof seconds === "number" ? seconds : 600
}

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
export const endedReason = (call: FakeCall): string => {
  const { outcome = "talk", talkSeconds = 30 } = call.course.script
  if (call.endedReason !== undefined) return call.endedReason
  if (call.course.isHungUp) return "manually-canceled"
  return outcome === "talk" && talkSeconds > maxSecondsOf(call) ? "exceeded-max-duration" : reasons[outcome]
}

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

const publicServer = (url: unknown) => (typeof url === "string" ? { url } : undefined)

/** Returns a call as messages contain it. As at Vapi, it has the state of its creation in all messages. */
export const callInMessages = ({ request, controlUrl, id, course, type }: FakeCall) => ({
  id,
  orgId,
  type,
  status: type === "inboundPhoneCall" ? ("ringing" as const) : ("queued" as const),
  createdAt: iso(course.createdAt),
  updatedAt: iso(course.createdAt),
  phoneCallProvider: "twilio" as const,
  phoneCallTransport: "pstn" as const,
  ...request,
  monitor: { listenUrl: controlUrl.replace(/^http/, "ws").replace(/control$/, "listen"), controlUrl },
  // Only the URL of the server is returned, because its headers contain a secret.
  ...(isObject(request["assistantOverrides"])
    ? {
        assistantOverrides: {
          ...request["assistantOverrides"],
          server: publicServer(at(request, "assistantOverrides", "server", "url"))
        }
      }
    : {})
})

/** Returns the fields of a message that tell which call it is about. */
export const aboutCall = (call: FakeCall) => ({
  call: callInMessages(call),
  ...(isObject(call.request["customer"]) && { customer: call.request["customer"] }),
  ...(call.number !== undefined && { phoneNumber: numberResource(call.number) })
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
