import type { ClaimedDelivery } from "./Delivery.ts"

type Claim = Pick<ClaimedDelivery, "key" | "leaseId" | "claims">

/**
 * Deliveries in flight that were claimed before without a result, with how often; by key and lease, because the same delivery
 * may be in flight under an earlier lease that was lost.
 *
 * When a process dies, all that it had in flight is claimed once more, though at most one delivery is to blame. So the more
 * often deliveries were claimed, the fewer of them are in flight together: the innocent ones come to a result, and the one
 * that is given up in the end has died alone several times.
 */
export type PoisonIsolation = ReadonlyMap<string, number>

/** How often a delivery is claimed at most, and how many deliveries are in flight at most. */
export interface IsolationLimits {
  readonly maxClaims: number
  readonly maxInFlight: number
}

/** Nothing is in flight under suspicion. */
export const none: PoisonIsolation = new Map()

/** What a claim is divided into: what is in flight from now on, and what is put back. */
export interface Admission<Delivery> {
  readonly isolation: PoisonIsolation
  readonly admitted: ReadonlyArray<Delivery>
  readonly postponed: ReadonlyArray<Delivery>
}

/**
 * How many deliveries claimed at least so often before may be in flight together, itself included: a quarter at each further
 * claim, and in the end it is alone, three times if it may be claimed four times or more. One that was never claimed before
 * is under no suspicion.
 */
const maxTogether = (claimedBefore: number, maxClaims: number): number =>
  claimedBefore === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 4 ** (maxClaims - 3 - claimedBefore))

const mayJoin = (isolation: PoisonIsolation, claimedBefore: number, maxClaims: number): boolean => {
  const all = [claimedBefore, ...isolation.values()]
  // Nor may it be one too many beside those in flight that were claimed less often.
  return [...new Set(all)].every(
    (level) => level > claimedBefore || all.filter((other) => other >= level).length <= maxTogether(level, maxClaims)
  )
}

/**
 * Divides what was claimed. Of too many suspects the ones claimed least often are refused. A delivery that has been claimed
 * too often is admitted: it is given up unsent.
 */
export const admit = <Delivery extends Claim>(
  isolation: PoisonIsolation,
  claimed: ReadonlyArray<Delivery>,
  { maxClaims, maxInFlight }: IsolationLimits
): Admission<Delivery> => {
  const isSuspect = ({ claims }: Claim) => claims <= maxClaims && maxTogether(claims - 1, maxClaims) < maxInFlight
  if (!claimed.some(isSuspect)) return { isolation, admitted: claimed, postponed: [] }
  const inside = new Map(isolation)
  const postponed = new Set<Claim>()
  for (const suspect of claimed.filter(isSuspect).toSorted((a, b) => b.claims - a.claims)) {
    if (mayJoin(inside, suspect.claims - 1, maxClaims)) inside.set(nameOf(suspect), suspect.claims - 1)
    else postponed.add(suspect)
  }
  return {
    isolation: inside,
    admitted: claimed.filter((one) => !postponed.has(one)),
    postponed: claimed.filter((one) => postponed.has(one))
  }
}

/** The suspects without these, which are no longer in flight. */
export const leave = (
  isolation: PoisonIsolation,
  claims: ReadonlyArray<Pick<Claim, "key" | "leaseId">>
): PoisonIsolation => {
  if (isolation.size === 0) return isolation
  const left = new Map(isolation)
  for (const claim of claims) left.delete(nameOf(claim))
  return left
}

const nameOf = ({ key, leaseId }: Pick<Claim, "key" | "leaseId">): string => `${key} ${leaseId}`
