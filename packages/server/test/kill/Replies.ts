import type { Ledger } from "./Ledger.ts"
import type { Answer } from "./ServerProcess.ts"

/** Judges answers as they come. */
export interface Replies {
  /** Notes an answer that should not have come. */
  readonly complain: (what: string, answer: Answer) => void
  /** The answer if it is a good one; any other is a complaint, unless it is expected. Null also when none came. */
  readonly good: (what: string, answer: Answer | null, expected?: ReadonlyArray<number>) => Answer | null
}

/** Judges answers, and notes in the ledger those that should not have come. */
export const make = (ledger: Ledger): Replies => {
  const complain = (what: string, answer: Answer): void =>
    void ledger.complaints.push(`${what} was answered ${answer.status} ${answer.body}`)
  return {
    complain,
    good: (what, answer, expected = []) => {
      if (answer === null) return null
      ledger.answers += 1
      if (answer.status >= 200 && answer.status <= 299) return answer
      if (!expected.includes(answer.status)) complain(what, answer)
      return null
    }
  }
}

/** One of some; none when there is none. The pick is a number from 0 up to 1. */
export const pickOf = <A>(from: ReadonlyArray<A>, pick: number): A | undefined => from[Math.floor(pick * from.length)]
