import type { History, Told } from "./History.ts"
import { deliveriesOf } from "./History.ts"
import * as Arriving from "./invariant/Arriving.ts"
import * as Attempts from "./invariant/Attempts.ts"
import * as Calls from "./invariant/Calls.ts"
import * as Mails from "./invariant/Mails.ts"
import * as Reminders from "./invariant/Reminders.ts"
import * as Signatures from "./invariant/Signatures.ts"

/** What must hold when a world is over: answers what is wrong, in words. */
export type Invariant = (history: History, told: ReadonlyArray<Told>) => ReadonlyArray<string>

/** Every invariant, by the claim it makes. */
const invariants: Readonly<Record<string, Invariant>> = {
  "what was committed is told to everyone who was subscribed, once, and nothing else is": Arriving.committed,
  "what is delivered was taken by the receiver, and what is not has a reason": Arriving.ended,
  "an endpoint that is well gets everything": Arriving.well,
  "everything that arrives is recorded": Arriving.recorded,
  "a repeat has the same id and the same bytes": Signatures.same,
  "every request is signed with a secret that is valid then": Signatures.signed,
  "results are numbered without gaps, and there are no more than four automatic ones": Attempts.counted,
  "nothing is sent before its time": Attempts.inTime,
  "what happens to one subject arrives in order": Attempts.inOrder,
  "what is asked for once more is sent once more": Attempts.onceMore,
  "a reminder is raised once for each time it is due": Reminders.once,
  "every call ends, is told of once and is charged once": Calls.settled,
  "the file is sound": ({ records }) => records.damage,
  "every change is mailed, and nothing else is": Mails.mailed,
  "everything settles": ({ unsettled }) => (unsettled > 0 ? [`${unsettled} things were left to do`] : []),
  "every answer is as it must be": ({ ledger }) => ledger.complaints,
  "no server logs an error": ({ errors }) => errors
}

/** How many problems of one kind are told of. */
const told = 5

/** What is wrong with a world. */
export const violations = (history: History): ReadonlyArray<string> => {
  const deliveries = deliveriesOf(history)
  return Object.entries(invariants).flatMap(([claim, invariant]) => {
    const problems = invariant(history, deliveries)
    const more = problems.length > told ? [`${claim}: ${problems.length - told} more like these`] : []
    return [...problems.slice(0, told).map((problem) => `${claim}: ${problem}`), ...more]
  })
}
