import type { ClaimRequest } from "@frontdesk/core/delivery/DeliveryQueue"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { DeliveryRow } from "../storage/State.ts"

/** Whether it is still to be sent, or being sent. */
export const isOpen = (row: DeliveryRow): boolean => row.state === "pending" || row.state === "leased"

const line = (row: DeliveryRow): string => JSON.stringify([row.webhookId, row.event.subject])

/**
 * The deliveries a claim takes, of all that are open, given by key.
 *
 * Untried deliveries of one subject to one webhook stand in line, and only the first of a line may go.
 */
export const choose = (open: ReadonlyArray<DeliveryRow>, request: ClaimRequest): ReadonlyArray<DeliveryRow> => {
  const heads = new Map<string, number>()
  for (const row of open) {
    if (row.attempts.length === 0 && !heads.has(line(row))) heads.set(line(row), row.key)
  }
  const taken: Array<DeliveryRow> = []
  const room = new Map<DeliveryRow["webhookId"], number>()
  for (const row of open.filter((candidate) => isDue(candidate, request.now)).toSorted(byDue)) {
    const places = room.get(row.webhookId) ?? request.perWebhook - (request.inFlight.get(row.webhookId) ?? 0)
    const mayGo = row.attempts.length > 0 || heads.get(line(row)) === row.key
    if (taken.length < request.limit && places > 0 && mayGo) {
      taken.push(row)
      room.set(row.webhookId, places - 1)
    }
  }
  return taken
}

/** When the first of the open deliveries is due that are not due yet. */
export const nextDue = (open: ReadonlyArray<DeliveryRow>, after: DateTime.Utc): Option.Option<DateTime.Utc> =>
  Option.fromNullishOr(open.filter((row) => !isDue(row, after)).toSorted(byDue)[0]?.dueAt)

/** When the first of the open deliveries is due. */
export const oldestDue = (open: ReadonlyArray<DeliveryRow>): Option.Option<DateTime.Utc> =>
  Option.fromNullishOr(open.toSorted(byDue)[0]?.dueAt)

/** Whether its time has come: that of a try, or the end of its lease. */
export const isDue = (row: DeliveryRow, now: DateTime.Utc): boolean =>
  row.dueAt !== null && DateTime.isLessThanOrEqualTo(row.dueAt, now)

const dueMillis = (row: DeliveryRow): number => (row.dueAt === null ? 0 : DateTime.toEpochMillis(row.dueAt))

const byDue = (a: DeliveryRow, b: DeliveryRow): number => dueMillis(a) - dueMillis(b) || a.key - b.key
