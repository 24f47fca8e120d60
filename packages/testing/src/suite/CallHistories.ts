import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"

/**
 * Returns the reports about a call: kind 0 is not answered, kind 1 has no recording and no summary, kind 2 has both.
 */
export const history = (kind: number, start: DateTime.Utc): ReadonlyArray<ProviderReport> => {
  const after = (seconds: number) => DateTime.add(start, { seconds })
  const end = { _tag: "Ended" as const, endedAt: after(20), reason: "done" }
  if (kind === 0) return [{ _tag: "Ringing" }, { ...end, status: "no_answer", answeredAt: null }]
  const talk: ReadonlyArray<ProviderReport> = [
    { _tag: "Ringing" },
    { _tag: "Answered", at: after(2) },
    { ...end, status: "completed", answeredAt: after(2) },
    { _tag: "Transcript", text: "Agent: Hello." }
  ]
  if (kind === 1) return talk
  return [
    ...talk,
    { _tag: "Recording", url: "https://recordings.example/1.wav" },
    { _tag: "Summary", text: "They said hello." }
  ]
}

/** Returns the final status that these reports lead to, and the names of the webhook events that they raise. */
export const outcomeOf = (reports: ReadonlyArray<ProviderReport>) => {
  const has = (tag: ProviderReport["_tag"]): boolean => reports.some(({ _tag }) => _tag === tag)
  if (!has("Answered")) return { status: "no_answer", raised: ["call.failed"] }
  return {
    status: "completed",
    raised: [
      "call.ended",
      ...(has("Recording") ? ["call.recording"] : []),
      "call.started",
      ...(has("Summary") ? ["call.summary"] : []),
      "call.transcript"
    ]
  }
}

/** Orders texts, so that the names of webhook events can be compared in any order. */
export const byName = (a: string, b: string): number => (a < b ? -1 : 1)
