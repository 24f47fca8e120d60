import { type ClaimRequest, placesOf } from "@frontdesk/core/delivery/DeliveryQueue"
import * as FairShare from "@frontdesk/core/background/FairShare"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { DeliveryRow } from "../storage/State.ts"

/** Returns whether a delivery is pending or leased. */
export const isOpen = (row: DeliveryRow): boolean => row.state === "pending" || row.state === "leased"

const orderKey = (row: DeliveryRow): string => JSON.stringify([row.webhookId, row.event.subject])

/**
 * Returns the deliveries that a claim leases. `open` has all pending and leased deliveries, ordered by key.
 *
 * Deliveries of one subject and webhook without an attempt keep their order: only the first of them may be claimed
 * (D-EVT-3).
 */
export const choose = (open: ReadonlyArray<DeliveryRow>, request: ClaimRequest): ReadonlyArray<DeliveryRow> => {
  const firstOf = new Map<string, number>()
  for (const row of open) {
    if (row.attempts.length === 0 && !firstOf.has(orderKey(row))) firstOf.set(orderKey(row), row.key)
  }
  const mayGo = (row: DeliveryRow) => row.attempts.length > 0 || firstOf.get(orderKey(row)) === row.key
  return FairShare.choose(
    open.filter((row) => isDue(row, request.now) && mayGo(row)).toSorted(byDue),
    { account: ({ event }) => event.accountId, line: ({ webhookId }) => webhookId },
    placesOf(request)
  )
}

/** Returns the earliest due time after a time. */
export const nextDue = (open: ReadonlyArray<DeliveryRow>, after: DateTime.Utc): Option.Option<DateTime.Utc> =>
  Option.fromNullishOr(open.filter((row) => !isDue(row, after)).toSorted(byDue)[0]?.dueAt)

/** Returns the earliest due time. */
export const oldestDue = (open: ReadonlyArray<DeliveryRow>): Option.Option<DateTime.Utc> =>
  Option.fromNullishOr(open.toSorted(byDue)[0]?.dueAt)

/** Returns whether the next attempt of a pending delivery is due, or the lease of a leased one has ended. */
export const isDue = (row: DeliveryRow, now: DateTime.Utc): boolean =>
  row.dueAt !== null && DateTime.isLessThanOrEqualTo(row.dueAt, now)

const dueMillis = (row: DeliveryRow): number => (row.dueAt === null ? 0 : DateTime.toEpochMillis(row.dueAt))

const byDue = (a: DeliveryRow, b: DeliveryRow): number => dueMillis(a) - dueMillis(b) || a.key - b.key
