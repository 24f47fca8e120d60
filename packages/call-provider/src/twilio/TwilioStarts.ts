import type { KnownCall, StartAnswer, StartCall } from "@frontdesk/core/call/CallProvider"

/** The starts of this process, to tell its calls apart where Twilio cannot. */
export interface TwilioStarts {
  /** Remembers a start when it is asked, at a time in milliseconds. */
  readonly asked: (command: StartCall, at: number) => void
  readonly answered: (ref: string, answer: StartAnswer) => void
  /** The call of a start, when its answer came. */
  readonly sidOf: (ref: string) => string | null
  /** Whether a call is known to be of another start than that of our reference. */
  readonly isOthers: (sid: string, ref: string) => boolean
  /** Whether the answer to another start to the same number was lost at about the same time. */
  readonly hasRival: (known: KnownCall, windowMillis: number) => boolean
}

interface Start {
  readonly to: string
  readonly at: number
  readonly sid: string | null
}

/** How many starts are remembered: the latest ones. */
const remembered = 10_000

/** No starts yet. */
export const make = (): TwilioStarts => {
  const starts = new Map<string, Start>()
  return {
    asked: ({ ref, to }, at) => {
      starts.set(ref, { to, at, sid: null })
      const [oldest] = starts.keys()
      if (starts.size > remembered && oldest !== undefined) starts.delete(oldest)
    },
    answered: (ref, answer) => {
      const start = starts.get(ref)
      if (answer._tag === "Refused") starts.delete(ref)
      else if (answer._tag === "Accepted" && start !== undefined) {
        starts.set(ref, { ...start, sid: answer.providerCallId })
      }
    },
    sidOf: (ref) => starts.get(ref)?.sid ?? null,
    isOthers: (sid, ref) => [...starts].some(([other, start]) => other !== ref && start.sid === sid),
    hasRival: ({ createdAt, ref, to }, windowMillis) =>
      [...starts].some(
        ([other, start]) =>
          other !== ref &&
          start.sid === null &&
          start.to === to &&
          Math.abs(start.at - createdAt.epochMilliseconds) <= windowMillis
      )
  }
}
