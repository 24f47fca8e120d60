import * as Struct from "effect/Struct"
import type { History, Told } from "./History.ts"
import { deliveriesOf } from "./History.ts"
import * as Arriving from "./invariant/Arriving.ts"
import * as Attempts from "./invariant/Attempts.ts"
import * as Calls from "./invariant/Calls.ts"
import * as Committed from "./invariant/Committed.ts"
import * as Mails from "./invariant/Mails.ts"
import * as ReminderWorker from "./invariant/ReminderWorker.ts"
import * as Secrets from "./invariant/Secrets.ts"
import * as Signatures from "./invariant/Signatures.ts"
import * as Subscribed from "./invariant/Subscribed.ts"

/** Checks a world after its end. Yields for each checked thing the problem in words, or null if it is correct. */
export type Invariant = (history: History, told: ReadonlyArray<Told>) => ReadonlyArray<string | null>

/** Every invariant, by the claim that it checks. */
const invariants = {
  "what was committed is told to everyone who was subscribed, once": Committed.told,
  "what was not committed is told to nobody": Committed.untold,
  "what was answered has happened, once": Committed.kept,
  "a repeat under a key that is told to wait finds nothing done later": Committed.waited,
  "every event is told to all who are subscribed then, and to nobody else": Subscribed.told,
  "what is delivered was taken by the receiver": Arriving.delivered,
  "what has failed has had all its results": Arriving.failed,
  "what is cancelled belongs to a webhook that was off": Arriving.cancelled,
  "every result that is recorded was given": Arriving.answered,
  "every result comes of a request that was sent": Arriving.sent,
  "an endpoint that is well gets everything": Arriving.well,
  "everything that arrives is recorded": Arriving.recorded,
  "everything that arrives was sent": Arriving.caused,
  "a repeat has the same id and the same bytes": Signatures.same,
  "every request is signed with a secret that is valid then": Signatures.signed,
  "results are numbered without gaps, and there are no more than four automatic ones": Attempts.counted,
  "nothing is sent before its time": Attempts.inTime,
  "changes of one subject are queued in the order of their answers": Attempts.queued,
  "what happens to one subject arrives in order": Attempts.inOrder,
  "what is asked for once more is sent once more": Attempts.onceMore,
  "a test that was accepted is sent": Attempts.tested,
  "a reminder that is due is sent": ReminderWorker.sent,
  "a reminder is raised once for each time it is due": ReminderWorker.once,
  "every call ends and is told of once": Calls.settled,
  "every call is charged once": Calls.charged,
  "what every event has become is mailed": Mails.told,
  "what was not committed is not mailed": Mails.untold,
  "every reminder is mailed": Mails.reminded,
  "a mail that is left was begun": Mails.left,
  "secrets are kept sealed when there is a key": Secrets.sealed,
  "the database is sound": ({ records }) => (records.damage.length === 0 ? [null] : records.damage),
  "everything settles": ({ unsettled }) => [unsettled > 0 ? `${unsettled} things were left to do` : null],
  "every answer is as it must be": ({ ledger }) => [
    ...ledger.complaints,
    ...Array.from({ length: ledger.answers - ledger.complaints.length }, () => null)
  ],
  "no server logs an error": ({ errors, lines }) => [
    ...errors,
    ...Array.from({ length: lines - errors.length }, () => null)
  ]
} satisfies Readonly<Record<string, Invariant>>

/** The name of a claim. */
export type Claim = keyof typeof invariants

/** All claims, in order. */
export const claims: ReadonlyArray<Claim> = Struct.keys(invariants)

/** The maximum number of reported problems of one claim. */
const told = 5

/** The result of checking a world. */
export interface Judgement {
  /** The problems of all claims. */
  readonly violations: ReadonlyArray<string>
  /** The number of checks of each claim. */
  readonly judged: ReadonlyMap<Claim, number>
}

/** Checks a world against every claim. */
export const judge = (history: History): Judgement => {
  const deliveries = deliveriesOf(history)
  const violations: Array<string> = []
  const judged = new Map<Claim, number>()
  for (const claim of claims) {
    const invariant: Invariant = invariants[claim]
    const found = invariant(history, deliveries)
    const problems = found.filter((problem) => problem !== null)
    judged.set(claim, found.length)
    violations.push(...problems.slice(0, told).map((problem) => `${claim}: ${problem}`))
    if (problems.length > told) violations.push(`${claim}: ${problems.length - told} more like these`)
  }
  return { violations, judged }
}
