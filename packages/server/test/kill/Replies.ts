import type { Ledger } from "./Ledger.ts"
import type { Answer } from "./ServerProcess.ts"

/** Checks answers when they arrive. */
export interface Replies {
  /** Records a problem of an answer. */
  readonly complain: (what: string, answer: Answer) => void
  /** Returns a successful answer. Records any other as a problem unless its status is expected, and returns null. */
  readonly good: (what: string, answer: Answer | null, expected?: ReadonlyArray<number>) => Answer | null
}

/** Returns the functions that check answers and record problems in the ledger. */
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

/** Returns the item at a relative position from 0 (inclusive) to 1 (exclusive); undefined if there are no items. */
export const pickOf = <A>(from: ReadonlyArray<A>, pick: number): A | undefined => from[Math.floor(pick * from.length)]
