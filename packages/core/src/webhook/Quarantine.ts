import type { ClaimedDelivery } from "./Delivery.ts"

type Claim = Pick<ClaimedDelivery, "key" | "leaseId" | "claims">

/** Keeps deliveries that may kill the process apart from those that only were there when it died. */
export interface Quarantine {
  /** Divides what was claimed into what is in flight from now on, and what is to be put back. */
  readonly admit: <Delivery extends Claim>(
    claimed: ReadonlyArray<Delivery>
  ) => readonly [admitted: ReadonlyArray<Delivery>, refused: ReadonlyArray<Delivery>]
  /** One that was admitted is in flight no longer. */
  readonly leave: (claim: Pick<Claim, "key" | "leaseId">) => void
}

/**
 * With how many that were taken at least as often, itself included, a delivery may be in flight that was taken so often
 * without a result: a quarter as many at each further time, and in the end it is alone, three times if it may be taken
 * four times or more. One that was never taken before is under no suspicion.
 */
const companyOf = (taken: number, maxClaims: number): number =>
  taken === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 4 ** (maxClaims - 3 - taken))

/**
 * The quarantine of a process that has so many in flight at most.
 *
 * When a process dies, all it had in flight is taken once more, though one delivery at most is to blame. So the oftener
 * deliveries were taken the fewer of them are in flight together: the innocent ones come to a result, and what is given
 * up in the end died alone again and again. Of too many the least often taken wait. What has been taken too often is
 * not sent, and so is let through.
 */
export const make = (maxClaims: number, maxInFlight: number): Quarantine => {
  /** What is in flight under suspicion: how often it was taken before. */
  const inside = new Map<string, number>()
  const isSuspect = ({ claims }: Claim): boolean =>
    claims <= maxClaims && companyOf(claims - 1, maxClaims) < maxInFlight

  const hasRoom = (taken: number): boolean => {
    const all = [taken, ...inside.values()]
    // Nor may it be one too many beside those in flight that were taken less often.
    return [...new Set(all)].every(
      (level) => level > taken || all.filter((other) => other >= level).length <= companyOf(level, maxClaims)
    )
  }

  return {
    admit: (claimed) => {
      if (!claimed.some(isSuspect)) return [claimed, []]
      const refused = new Set<Claim>()
      for (const suspect of claimed.filter(isSuspect).toSorted((a, b) => b.claims - a.claims)) {
        if (hasRoom(suspect.claims - 1)) inside.set(nameOf(suspect), suspect.claims - 1)
        else refused.add(suspect)
      }
      return [claimed.filter((one) => !refused.has(one)), claimed.filter((one) => refused.has(one))]
    },
    leave: (claim) => {
      if (inside.size > 0) inside.delete(nameOf(claim))
    }
  }
}

/** The same delivery may be in flight under an earlier lease that was lost. */
const nameOf = ({ key, leaseId }: Pick<Claim, "key" | "leaseId">): string => `${key} ${leaseId}`
