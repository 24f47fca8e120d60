import type { CallCourse } from "../CallCourse.ts"
import { at, isObject } from "../Fake.ts"

/** A call of the fake. */
export interface FakeCall {
  readonly id: string
  readonly direction: "inbound" | "outbound"
  readonly agentId: string
  readonly from: string
  readonly to: string
  /** The metadata of the call; undefined if it has none. */
  readonly metadata: unknown
  readonly variables: Readonly<Record<string, unknown>>
  /** The settings that replace those of the agent for this call. */
  readonly agentSettings: Readonly<Record<string, unknown>>
  readonly course: CallCourse
}

/** Returns Retell's status of a call. */
export const statusOf = ({ course }: FakeCall): string => {
  if (course.endedAt !== null) return course.answeredAt === null ? "not_connected" : "ended"
  return course.answeredAt === null ? "registered" : "ongoing"
}

const reasons = {
  talk: "user_hangup",
  voicemail: "voicemail_reached",
  busy: "dial_busy",
  no_answer: "dial_no_answer",
  fail: "dial_failed"
}

const reasonOf = ({ course }: FakeCall): string =>
  course.isHungUp ? "manual_stopped" : reasons[course.script.outcome ?? "talk"]

/** Returns the fields that a call has from its creation on. */
export const basicFields = (call: FakeCall) => ({
  call_id: call.id,
  call_type: "phone_call",
  agent_id: call.agentId,
  agent_version: 0,
  agent_name: "Ada",
  call_status: statusOf(call),
  direction: call.direction,
  from_number: call.from,
  to_number: call.to,
  // As at Retell, a call has these two only if they were given.
  ...(call.metadata === undefined ? {} : { metadata: call.metadata }),
  ...(Object.keys(call.variables).length === 0 ? {} : { retell_llm_dynamic_variables: call.variables }),
  telephony_identifier: { twilio_call_sid: `CA${call.id.slice(-32)}` },
  ...(call.course.answeredAt === null ? {} : { start_timestamp: Math.floor(call.course.answeredAt) })
})

/** Returns the milliseconds between the answer and the end; 0 if the call was not answered. */
const talkedOf = ({ answeredAt, endedAt }: CallCourse): number =>
  answeredAt === null || endedAt === null ? 0 : Math.floor(endedAt) - Math.floor(answeredAt)

/** Returns the fields that tell how a call went. They are complete when it has ended. */
const endFields = (call: FakeCall) => {
  const { endedAt } = call.course
  if (endedAt === null) return {}
  const talked = talkedOf(call.course)
  return {
    end_timestamp: Math.floor(endedAt),
    duration_ms: talked,
    disconnection_reason: reasonOf(call),
    // In cents: a minute costs 10.
    call_cost: {
      combined_cost: Math.round(talked / 60) / 100,
      product_costs: [],
      total_duration_seconds: talked / 1000,
      total_duration_unit_price: 0.167
    }
  }
}

const contentFields = ({ course, id }: FakeCall) => {
  if (course.endedAt === null || course.answeredAt === null) return {}
  const said = course.script.outcome === "voicemail" ? "Please leave a message." : "Hello, who is this?"
  return {
    transcript: `User: ${said}\nAgent: This is a call of a test. Goodbye.\n`,
    transcript_object: [
      { role: "user", content: said, words: [] },
      { role: "agent", content: "This is a call of a test. Goodbye.", words: [] }
    ],
    recording_url: `https://storage.retell.example/${id}/recording.wav`,
    recording_multi_channel_url: `https://storage.retell.example/${id}/recording_multichannel.wav`
  }
}

const analysis = ({ course }: FakeCall) =>
  course.hasData && course.endedAt !== null
    ? {
        call_analysis:
          course.answeredAt === null
            ? { call_successful: false, in_voicemail: false, user_sentiment: "Unknown" }
            : {
                call_summary: `A call of ${talkedOf(course) / 1000} seconds.`,
                call_successful: true,
                in_voicemail: course.script.outcome === "voicemail",
                user_sentiment: "Neutral"
              }
      }
    : {}

/** Returns a call as the list of calls contains it: without its transcript and its recording. */
export const listedCall = (call: FakeCall) => ({ ...basicFields(call), ...endFields(call), ...analysis(call) })

/** Returns a call as Retell returns it by its id. */
export const callResource = (call: FakeCall) => ({ ...listedCall(call), ...contentFields(call) })

/** Returns the JSON object at a path, or an empty object when there is none. */
export const objectAt = (value: unknown, ...path: ReadonlyArray<string>): Readonly<Record<string, unknown>> => {
  const found = at(value, ...path)
  return isObject(found) ? found : {}
}
