import { type OutboxKind, kindOf } from "../outbox/OutboxReport.ts"
import type { OutboxCounts } from "../outbox/OutboxStore.ts"

/** The maximum of each count of the operator. */
export const maxCounted = 10_000

/** A number of rows up to {@link maxCounted}. */
export interface BoundedCount {
  readonly count: number
  /** Whether there are more. */
  readonly isCapped: boolean
}

/** How much work of all accounts waits or was given up. */
export interface Backlog {
  /** The mails and calendar writes that are due, due later or being done. */
  readonly waitingTasks: BoundedCount
  /** The mails and calendar writes that were given up. */
  readonly deadLetteredTasks: BoundedCount
  /** The counted dead-lettered tasks by kind. Tasks that this version does not know are in none of them. */
  readonly deadLetteredByKind: { readonly [K in OutboxKind]: number }
  /** The deliveries of webhooks that are due, due later or being sent. */
  readonly waitingDeliveries: BoundedCount
}

const bounded = (count: number): BoundedCount => ({
  count: Math.min(count, maxCounted),
  isCapped: count > maxCounted
})

/** Returns the backlog of counts up to one more than {@link maxCounted}. */
export const backlogOf = ({ deadLettered, waiting }: OutboxCounts, openDeliveries: number): Backlog => {
  const byKind = { mail: 0, calendar: 0, sign_in: 0 }
  for (const [tag, count] of deadLettered) {
    const kind = kindOf(tag)
    if (kind !== undefined) byKind[kind] += count
  }
  return {
    waitingTasks: bounded(waiting),
    deadLetteredTasks: bounded([...deadLettered.values()].reduce((sum, count) => sum + count, 0)),
    deadLetteredByKind: byKind,
    waitingDeliveries: bounded(openDeliveries)
  }
}
