import * as Struct from "effect/Struct"
import type { History, DeliveryHistory } from "./History.ts"
import { deliveriesOf } from "./History.ts"
import * as Arriving from "./invariant/Arriving.ts"
import * as Attempts from "./invariant/Attempts.ts"
import * as Bookings from "./invariant/Bookings.ts"
import * as Calls from "./invariant/Calls.ts"
import * as Committed from "./invariant/Committed.ts"
import * as Mails from "./invariant/Mails.ts"
import * as ReminderWorker from "./invariant/ReminderWorker.ts"
import * as Secrets from "./invariant/Secrets.ts"
import * as Signatures from "./invariant/Signatures.ts"
import * as Subscribed from "./invariant/Subscribed.ts"

/** Checks a world after its end. Yields for each checked thing the problem in words, or null if it is correct. */
export type Invariant = (history: History, deliveries: ReadonlyArray<DeliveryHistory>) => ReadonlyArray<string | null>

/** Every invariant, by its name: the statement that it checks. */
const invariants = {
  "a committed change has one delivery to each subscribed webhook": Committed.announced,
  "an uncommitted change has no delivery": Committed.unannounced,
  "an answered change was made exactly once": Committed.madeOnce,
  "a request answered with 409 for its idempotency key was not executed": Committed.waited,
  "an acknowledged booking exists exactly once, and a refused one does not exist": Bookings.made,
  "no calendar event overlaps a booked one": Bookings.apart,
  "every repeat of a booking gets the first answer": Bookings.repeated,
  "every webhook event has deliveries to exactly the webhooks subscribed at its time": Subscribed.matching,
  "a delivered delivery was accepted by the receiver": Arriving.delivered,
  "a failed delivery was rejected permanently or has had all attempts": Arriving.failed,
  "a cancelled delivery belongs to a webhook that was turned off or deleted": Arriving.cancelled,
  "every recorded status was answered by the receiver": Arriving.answered,
  "every result belongs to a request that was sent": Arriving.sent,
  "an endpoint that always succeeds receives everything": Arriving.well,
  "every request that arrives belongs to a stored delivery": Arriving.recorded,
  "every request that arrives was sent": Arriving.caused,
  "a repeat has the same id and the same bytes": Signatures.same,
  "every request is signed with a secret that is valid at its time": Signatures.signed,
  "results are numbered without gaps, and there are no more than four automatic ones": Attempts.counted,
  "nothing is sent before its time": Attempts.inTime,
  "changes of one subject are queued in the order of their answers": Attempts.queued,
  "first attempts of one subject keep their order": Attempts.inOrder,
  "an accepted redelivery is sent": Attempts.onceMore,
  "an accepted test delivery is sent": Attempts.tested,
  "a reminder that is due is sent": ReminderWorker.sent,
  "a reminder has one webhook event for each time at which it is due": ReminderWorker.once,
  "every call ends and has each webhook event once": Calls.settled,
  "every call is charged once": Calls.charged,
  "the last state of every calendar event is mailed": Mails.mailed,
  "an uncommitted change is not mailed": Mails.unmailed,
  "every reminder is mailed": Mails.reminded,
  "an unsent mail was begun and waits for its lease": Mails.left,
  "stored secrets are sealed when there is a key": Secrets.sealed,
  "the database finds no damage in itself": ({ records }) => (records.damage.length === 0 ? [null] : records.damage),
  "all work is finished at the end": ({ unsettled }) => [
    unsettled > 0 ? `${unsettled} tasks or deliveries are unfinished` : null
  ],
  "every answer is as expected": ({ ledger }) => [
    ...ledger.complaints,
    ...Array.from({ length: ledger.answers - ledger.complaints.length }, () => null)
  ],
  "no server logs an error": ({ errors, lines }) => [
    ...errors,
    ...Array.from({ length: lines - errors.length }, () => null)
  ]
} satisfies Readonly<Record<string, Invariant>>

/** The name of an invariant. */
export type InvariantName = keyof typeof invariants

/** The names of all invariants, in order. */
export const invariantNames: ReadonlyArray<InvariantName> = Struct.keys(invariants)

/** The maximum number of reported problems of one invariant. */
const maxProblems = 5

/** The result of checking a world. */
export interface WorldCheck {
  /** The problems of all invariants. */
  readonly violations: ReadonlyArray<string>
  /** The number of checks of each invariant. */
  readonly checks: ReadonlyMap<InvariantName, number>
}

/** Checks a world against every invariant. */
export const checkWorld = (history: History): WorldCheck => {
  const deliveries = deliveriesOf(history)
  const violations: Array<string> = []
  const checks = new Map<InvariantName, number>()
  for (const name of invariantNames) {
    const invariant: Invariant = invariants[name]
    const found = invariant(history, deliveries)
    const problems = found.filter((problem) => problem !== null)
    checks.set(name, found.length)
    violations.push(...problems.slice(0, maxProblems).map((problem) => `${name}: ${problem}`))
    if (problems.length > maxProblems) violations.push(`${name}: ${problems.length - maxProblems} more problems`)
  }
  return { violations, checks }
}
