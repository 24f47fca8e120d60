import type { AccountId } from "../access/Account.ts"
import type { TakenPlaces } from "./OutboxStore.ts"
import { lineKey, lineOf, type OutboxTask } from "./OutboxTask.ts"

/** The places of a process for tasks of the outbox. A task that is being done takes one. */
export interface OutboxPlaces {
  /** Returns how many places are free. */
  readonly free: () => number
  /** Returns the taken places, as a claim needs them. */
  readonly taken: () => TakenPlaces
  /** Takes a place for a task. Returns a function that frees it. */
  readonly take: (task: Pick<OutboxTask, "accountId" | "work">) => () => void
}

/** Makes places that are all free. One line of an account may have at most half of them, and at least one (D-OUT-10). */
export const make = (count: number): OutboxPlaces => {
  const takenByAccount = new Map<AccountId, number>()
  const takenByLine = new Map<string, number>()
  let taken = 0
  return {
    free: () => Math.max(0, count - taken),
    taken: () => ({ perLine: Math.max(1, Math.floor(count / 2)), takenByAccount, takenByLine }),
    take: ({ accountId, work }) => {
      const line = lineKey(accountId, lineOf(work))
      const change = (by: number) => {
        taken += by
        add(takenByAccount, accountId, by)
        add(takenByLine, line, by)
      }
      change(1)
      return () => change(-1)
    }
  }
}

const add = <Owner>(counts: Map<Owner, number>, owner: Owner, change: number): void => {
  const count = (counts.get(owner) ?? 0) + change
  if (count > 0) counts.set(owner, count)
  else counts.delete(owner)
}
