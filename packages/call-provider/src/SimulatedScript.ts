import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"

/** What becomes of a simulated call. */
export type Script = "busy" | "no_answer" | "refused" | "voicemail" | "endless" | "talk"

const scripts: Readonly<Record<string, Script>> = {
  "0001": "busy",
  "0002": "no_answer",
  "0003": "refused",
  "0004": "voicemail",
  "0005": "endless"
}

/** The script of a number: its last four digits decide, and nothing else. */
export const scriptOf = (phoneNumber: string): Script => scripts[phoneNumber.slice(-4)] ?? "talk"

/** How long a simulated call is talked, in seconds: what it reports at every pace. */
const talkSeconds = 30

/** Seconds from the start to each step, at pace 1. */
const busyAfter = 1
const answeredAfter = 2
const unansweredAfter = 20

/** A call in the simulation: all there is to know about it. */
export interface SimulatedCall {
  readonly providerCallId: string
  readonly to: string
  readonly startedAt: DateTime.Utc
  /** How many simulated seconds pass in a second; 0: all of them at once. */
  readonly pace: number
}

/** A report and when the simulation makes it. */
export interface Step {
  readonly at: DateTime.Utc
  readonly report: ProviderReport
  /** Whether it is reported by itself; if not, it is only told when asked. */
  readonly isAnnounced: boolean
}

/**
 * Everything that will be reported of a call, in order: a function of the call and of when it was hung up, null for
 * never.
 *
 * What is reported of the end is always {@link talkSeconds} after the answer, also at a pace at which it is made sooner.
 */
export const timeline = (call: SimulatedCall, hungUpAt: DateTime.Utc | null): ReadonlyArray<Step> =>
  hungUpAt === null ? script(call) : cut(call, script(call), hungUpAt)

/** What was to be heard after the end is heard at once; of a call that was not answered there is nothing. */
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
    ...later.map(({ report }) => at(report))
  ]
}

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
        step(
          end,
          {
            _tag: "Summary",
            text: `A simulated call to ${call.to}${name === "voicemail" ? " reached voicemail" : ""}, ${talkSeconds} seconds.`
          },
          isAnnounced
        )
      ]
    }
  }
}
