import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"

/** How a simulated call goes. */
export type Script = "busy" | "no_answer" | "refused" | "voicemail" | "endless" | "talk"

const scripts: Readonly<Record<string, Script>> = {
  "0001": "busy",
  "0002": "no_answer",
  "0003": "refused",
  "0004": "voicemail",
  "0005": "endless"
}

/** Returns the script of a phone number. Only its last four digits count. */
export const scriptOf = (phoneNumber: string): Script => scripts[phoneNumber.slice(-4)] ?? "talk"

/** The reported duration of a conversation, in seconds. It is the same at every pace. */
const talkSeconds = 30

// Seconds from the start of the call to each step, at pace 1.
const busyAfter = 1
const answeredAfter = 2
const unansweredAfter = 20

/** All data of a simulated call. */
export interface SimulatedCall {
  readonly providerCallId: string
  readonly to: string
  readonly startedAt: DateTime.Utc
  /** How many simulated seconds pass in a second. With 0 the whole call passes at once. */
  readonly pace: number
}

/** A report, and the time at which the simulation makes it. */
export interface Step {
  readonly at: DateTime.Utc
  readonly report: ProviderReport
  /** Whether the simulation reports it on its own. Otherwise only `fetch` returns it. */
  readonly isAnnounced: boolean
}

/**
 * Returns all reports of a call, in order.
 *
 * The reported end of a conversation that is not hung up is always {@link talkSeconds} after the reported answer, also at a
 * pace at which less time passes.
 *
 * @param hungUpAt when the call was hung up; null when it was not
 */
export const timeline = (call: SimulatedCall, hungUpAt: DateTime.Utc | null): ReadonlyArray<Step> =>
  hungUpAt === null ? script(call) : cut(call, script(call), hungUpAt)

/**
 * Returns the reports of a call that was hung up. Transcript, recording and summary follow the end of an answered call at
 * once. A call that was not answered has no such reports.
 */
const cut = (call: SimulatedCall, steps: ReadonlyArray<Step>, hungUpAt: DateTime.Utc): ReadonlyArray<Step> => {
  const before = steps.filter(({ at }) => DateTime.isLessThan(at, hungUpAt))
  const answer = before.find(({ report }) => report._tag === "Answered")
  const at = (report: ProviderReport): Step => ({ at: hungUpAt, report, isAnnounced: true })
  if (answer === undefined) {
    const end = { status: "cancelled", answeredAt: null, endedAt: hungUpAt, reason: "hung_up" } as const
    return [...before, at({ _tag: "Ended", ...end })]
  }
  const talked = Math.round((hungUpAt.epochMilliseconds - answer.at.epochMilliseconds) * call.pace)
  const endedAt = DateTime.add(answer.at, { milliseconds: talked })
  const later = steps.filter(({ report }) => report._tag !== "Ended" && !before.some((step) => step.report === report))
  return [
    ...before,
    at({ _tag: "Ended", status: "completed", answeredAt: answer.at, endedAt, reason: "hung_up" }),
    // The summary tells how long the people have really talked.
    ...later.map(({ report }) => at(report._tag === "Summary" ? summaryOf(call, Math.round(talked / 1_000)) : report))
  ]
}

const summaryOf = ({ to }: SimulatedCall, seconds: number): ProviderReport => ({
  _tag: "Summary",
  text: `A simulated call to ${to}${scriptOf(to) === "voicemail" ? " reached voicemail" : ""}, ${seconds} seconds.`
})

const script = (call: SimulatedCall): ReadonlyArray<Step> => {
  const name = scriptOf(call.to)
  const after = (seconds: number): DateTime.Utc =>
    call.pace === 0
      ? call.startedAt
      : DateTime.add(call.startedAt, { milliseconds: Math.round((seconds / call.pace) * 1000) })
  const step = (seconds: number, report: ProviderReport, isAnnounced = true): Step => ({
    at: after(seconds),
    report,
    isAnnounced
  })
  const unanswered = (seconds: number, status: "busy" | "no_answer"): Step =>
    step(seconds, { _tag: "Ended", status, answeredAt: null, endedAt: after(seconds), reason: status })
  switch (name) {
    case "refused":
      return []
    case "busy":
      return [unanswered(busyAfter, "busy")]
    case "no_answer":
      return [step(0, { _tag: "Ringing" }), unanswered(unansweredAfter, "no_answer")]
    default: {
      const answeredAt = after(answeredAfter)
      const end = answeredAfter + talkSeconds
      const isAnnounced = name !== "endless"
      const callee = name === "voicemail" ? "The person you are calling cannot take your call." : "Hello, who is this?"
      return [
        step(0, { _tag: "Ringing" }),
        step(answeredAfter, { _tag: "Answered", at: answeredAt }),
        step(
          end,
          {
            _tag: "Ended",
            status: "completed",
            answeredAt,
            endedAt: DateTime.add(answeredAt, { seconds: talkSeconds }),
            reason: name === "voicemail" ? "voicemail" : "customer_ended_call"
          },
          isAnnounced
        ),
        step(
          end,
          { _tag: "Transcript", text: `Callee: ${callee}\nAgent: This is a simulated call. Goodbye.` },
          isAnnounced
        ),
        step(end, { _tag: "Recording", url: `https://recordings.example/${call.providerCallId}.wav` }, isAnnounced),
        step(end, summaryOf(call, talkSeconds), isAnnounced)
      ]
    }
  }
}
