import type { ClaimedDelivery } from "./Delivery.ts"

type Claim = Pick<ClaimedDelivery, "key" | "leaseId" | "claims">

/**
 * The deliveries in flight that only a limited number of others may accompany, because they were claimed before without a
 * result. The value is the number of those claims (D-DEL-11).
 *
 * When a process dies, all deliveries that it had in flight are claimed once more, though at most one of them is the
 * cause. So deliveries with more such claims are in flight with fewer others. The harmless ones come to a result. A
 * delivery that is given up in the end was the only one of its kind in flight at its last claims.
 *
 * The key is made from the delivery and its lease, because a delivery may still be in flight under an earlier lease.
 */
export type PoisonIsolation = ReadonlyMap<string, number>

/** The limits for one delivery and for a process. */
export interface IsolationLimits {
  /** The number of claims without a result after which a delivery is given up. */
  readonly maxClaims: number
  /** The maximum number of deliveries that a process has in flight. */
  readonly maxInFlight: number
}

/** The state in which no delivery in flight is limited. */
export const empty: PoisonIsolation = new Map()

/** The two parts of a claim. */
export interface Admission<Delivery> {
  readonly isolation: PoisonIsolation
  /** The deliveries to send, or to give up. */
  readonly admitted: ReadonlyArray<Delivery>
  /** The deliveries that must not be in flight beside the others now. */
  readonly postponed: ReadonlyArray<Delivery>
}

/**
 * Returns how many deliveries with at least this number of earlier claims may be in flight together. Each further claim
 * divides the number by 4, down to 1. When `maxClaims` is at least 4, only one delivery at its last three claims is in flight
 * at a time. Without an earlier claim there is no limit.
 *
 * For 10 claims the numbers are 4,096 for one earlier claim, then 1,024, 256, 64, 16, 4, 1, 1 and 1.
 */
const maxTogether = (claimedBefore: number, maxClaims: number): number =>
  claimedBefore === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 4 ** (maxClaims - 3 - claimedBefore))

/** Returns whether one more delivery with this number of earlier claims may be in flight. */
const mayStart = (isolation: PoisonIsolation, claimedBefore: number, maxClaims: number): boolean => {
  const all = [claimedBefore, ...isolation.values()]
  // The new delivery also counts towards the limits of deliveries with fewer claims that are in flight.
  return [...new Set(all)].every(
    (level) => level > claimedBefore || all.filter((other) => other >= level).length <= maxTogether(level, maxClaims)
  )
}

/**
 * Divides a claim into deliveries to send and deliveries to postpone. When too many deliveries were claimed before,
 * those with the fewest claims are postponed. A delivery with more than `maxClaims` claims is admitted, because it is
 * given up unsent.
 */
export const admit = <Delivery extends Claim>(
  isolation: PoisonIsolation,
  claimed: ReadonlyArray<Delivery>,
  { maxClaims, maxInFlight }: IsolationLimits
): Admission<Delivery> => {
  const isLimited = ({ claims }: Claim) => claims <= maxClaims && maxTogether(claims - 1, maxClaims) < maxInFlight
  if (!claimed.some(isLimited)) return { isolation, admitted: claimed, postponed: [] }
  const inFlight = new Map(isolation)
  const postponed = new Set<Claim>()
  for (const limited of claimed.filter(isLimited).toSorted((a, b) => b.claims - a.claims)) {
    if (mayStart(inFlight, limited.claims - 1, maxClaims)) inFlight.set(keyOf(limited), limited.claims - 1)
    else postponed.add(limited)
  }
  return {
    isolation: inFlight,
    admitted: claimed.filter((delivery) => !postponed.has(delivery)),
    postponed: claimed.filter((delivery) => postponed.has(delivery))
  }
}

/** Returns the state without deliveries that are no longer in flight. */
export const remove = (
  isolation: PoisonIsolation,
  deliveries: ReadonlyArray<Pick<Claim, "key" | "leaseId">>
): PoisonIsolation => {
  if (isolation.size === 0) return isolation
  const remaining = new Map(isolation)
  for (const delivery of deliveries) remaining.delete(keyOf(delivery))
  return remaining
}

const keyOf = ({ key, leaseId }: Pick<Claim, "key" | "leaseId">): string => `${key} ${leaseId}`
