import { decide, fullLevel, type RateLimit, type RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import type * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"

/**
 * What a node knows of a bucket that it shares with other nodes: the last answer of the database, and the rest of its
 * lease. All amounts are in the units of {@link fullLevel}.
 */
export interface LeasedBucket {
  /**
   * The level in the database at `askedAt`. Requests through other nodes have lowered it since. Only a lease that another
   * node gave back can have raised it.
   */
  level: number
  /** The time of the last statement, in milliseconds. */
  askedAt: number
  /** When the last answer came, in milliseconds, or null before the first. */
  answeredAt: number | null
  /** What this node took from the bucket with the last statement and has not spent. */
  lease: number
  /**
   * The level that the bucket had at `availableAt` if no other node has used it, the lease included. It may be lower than
   * the level in the database and the lease together, because the database fills the bucket while a part of it is leased.
   */
  available: number
  /** The time of the last statement or of the last request that spent a part of the lease, in milliseconds. */
  availableAt: number
  /** What the requests of this node have cost since `since`. */
  demand: number
  /** What the requests of this node cost in the second before `since`. */
  demandBefore: number
  since: number
  /** Ends together with the statement about the bucket that is under way, or null. */
  statement: Deferred.Deferred<void> | null
}

/** How long a node spends a lease. Afterwards it gives the rest back. */
export const leaseMillis = 1_000

/** A lease is at most this part of what is left in the bucket, so that other nodes find enough in it. */
export const leaseShare = 8

/** A bucket is busy when a node requests at least this many requests of cost 1 from it in a second. */
const busyRequests = 4

/** Returns a bucket that this node knows nothing about. It counts as full. */
export const make = (limit: RateLimit, now: number): LeasedBucket => ({
  level: fullLevel(limit),
  askedAt: now,
  answeredAt: null,
  lease: 0,
  available: fullLevel(limit),
  availableAt: now,
  demand: 0,
  demandBefore: 0,
  since: now,
  statement: null
})

/** Counts a request, so that {@link wanted} is the right size for the next lease. */
export const count = (bucket: LeasedBucket, price: number, now: number): void => {
  const elapsed = Math.abs(now - bucket.since)
  if (elapsed >= leaseMillis) {
    bucket.demandBefore = elapsed < 2 * leaseMillis ? bucket.demand : 0
    bucket.demand = 0
    bucket.since = now
  }
  bucket.demand += price
}

/**
 * Returns how much a node leases from a bucket: what its requests cost in a second. Returns 0 for a bucket that is not
 * busy. The result is a multiple of the price of one request.
 */
export const wanted = (limit: RateLimit, { demand, demandBefore }: LeasedBucket): number => {
  const price = Duration.toMillis(limit.window)
  const requests = Math.floor(Math.max(demand, demandBefore) / price)
  return requests < busyRequests ? 0 : Math.min(requests, limit.requests) * price
}

/** Returns whether the rest of a lease has to be given back. A lease ends early when the clock is set back. */
export const hasExpired = (bucket: LeasedBucket, now: number): boolean =>
  bucket.lease > 0 && (now < bucket.askedAt || now - bucket.askedAt >= leaseMillis)

/** Returns a level after a time in milliseconds, which is negative when the clock was set back. */
const refilled = (limit: RateLimit, level: number, elapsed: number): number =>
  Math.min(fullLevel(limit), level + elapsed * limit.requests)

/**
 * Decides about a request without the database. Spends the lease on it, or refuses it when the bucket cannot have
 * enough yet. Returns undefined when the database has to decide.
 */
export const decideLocally = (
  limit: RateLimit,
  bucket: LeasedBucket,
  price: number,
  now: number
): RateLimitDecision | undefined => {
  const available = refilled(limit, bucket.available, now - bucket.availableAt)
  if (available < price) return refuse(limit, available, price)
  if (bucket.lease < price || hasExpired(bucket, now)) return undefined
  bucket.lease -= price
  bucket.available = available - price
  bucket.availableAt = now
  return decide(limit, true, bucket.available, price)
}

/**
 * Returns a refusal. Returns undefined when the reset is more than a window ahead, because a clock was wrong then.
 */
const refuse = (limit: RateLimit, left: number, price: number): RateLimitDecision | undefined => {
  const decision = decide(limit, false, left, price)
  return decision.resetMillis > Duration.toMillis(limit.window) ? undefined : decision
}

/**
 * Removes the lease from the node, and returns by how much the next statement must raise the level in the database. The
 * amount is negative when the database has filled the bucket further than it may be, because a part of it was leased and
 * has been spent. Otherwise a bucket that is always almost full could not be leased, and it is the usual one.
 */
export const giveBack = (limit: RateLimit, bucket: LeasedBucket, now: number): number => {
  const available = refilled(limit, bucket.available, now - bucket.availableAt)
  const given = available - refilled(limit, bucket.level, now - bucket.askedAt)
  Object.assign(bucket, { level: available, askedAt: now, lease: 0, available, availableAt: now })
  return given
}

/** Stores an answer of the database: the level that is left there, and the new lease. */
export const answered = (bucket: LeasedBucket, level: number, lease: number, now: number): void => {
  Object.assign(bucket, { level, lease, available: level + lease, answeredAt: now })
}
