import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The decision about one request, and the state of its bucket. */
export interface RateLimitDecision {
  readonly allowed: boolean
  /** How many requests of cost 1 a full bucket allows. */
  readonly limit: number
  /** How long an empty bucket takes to refill completely. */
  readonly window: Duration.Duration
  /** How many requests of cost 1 the bucket allows after this request. */
  readonly remaining: number
  /** The milliseconds until the bucket is full, or, for a request that is not allowed, until it would be allowed. */
  readonly resetMillis: number
}

/** A token bucket. It allows `requests` of cost 1 at once and refills evenly over the window. */
export interface RateLimit {
  readonly requests: number
  readonly window: Duration.Duration
}

/** Port: limits how many requests each API key, or each IP address, makes (D-RATE-1, D-RATE-5). */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Decides about a request. An allowed request takes its cost from the bucket with this name. A request that costs more
     * than is left is not allowed and takes nothing. Returns null when requests are not limited.
     *
     * @param cost a whole number from 1; the default is 1. A cost above the limit counts as the limit, so that a full
     *   bucket allows every request.
     */
    readonly consume: (bucket: string, cost?: number) => Effect.Effect<RateLimitDecision | null>
  }
>()("@frontdesk/core/access/RateLimiter") {
  /** Allows every request. */
  static readonly layerUnlimited: Layer.Layer<RateLimiter> = Layer.succeed(
    RateLimiter,
    RateLimiter.of({ consume: () => Effect.succeed(null) })
  )

  /** Has one token bucket for each name, in the memory of this process. It forgets full buckets. */
  static readonly layerTokenBucket = (limit: RateLimit): Layer.Layer<RateLimiter> =>
    Layer.sync(RateLimiter, () => {
      const windowMillis = Duration.toMillis(limit.window)
      // A level is a number of units, and each millisecond adds `limit.requests` units. Levels are whole numbers: with
      // rounded fractions, a caller that returns exactly after `resetMillis` could be refused.
      const full = fullLevel(limit)
      const level = (bucket: Bucket, now: number): number =>
        // When the clock is set back, no time has passed. A negative time would empty the bucket.
        Math.min(full, bucket.level + Math.max(0, now - bucket.at) * limit.requests)
      let buckets = new Map<string, Bucket>()
      let sweepAt = 0
      const sweep = (now: number): void => {
        if (now < sweepAt) return
        buckets = new Map([...buckets].filter(([, bucket]) => level(bucket, now) < full))
        sweepAt = now + windowMillis
      }
      const bucketOf = (name: string, now: number): Bucket => {
        const known = buckets.get(name)
        if (known !== undefined) return known
        const bucket = { level: full, at: now }
        buckets.set(name, bucket)
        return bucket
      }
      return RateLimiter.of({
        consume: (name, cost) =>
          Effect.withFiber((fiber) => {
            const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
            sweep(now)
            const price = priceOf(limit, cost)
            const bucket = bucketOf(name, now)
            const before = level(bucket, now)
            const allowed = before >= price
            bucket.level = allowed ? before - price : before
            bucket.at = now
            return Effect.succeed(decide(limit, allowed, bucket.level, price))
          })
      })
    })
}

/**
 * Returns the level of a full bucket. A request of cost 1 takes as many units as the window has milliseconds, and each
 * millisecond adds `limit.requests` units.
 */
export const fullLevel = (limit: RateLimit): number => limit.requests * Duration.toMillis(limit.window)

/** Returns how many units a request takes from a bucket: at most the level of a full bucket. See {@link fullLevel}. */
export const priceOf = (limit: RateLimit, cost = 1): number =>
  Math.min(cost, limit.requests) * Duration.toMillis(limit.window)

/**
 * Returns the decision about a request.
 *
 * @param left the level of the bucket after the request, in units of {@link fullLevel}. It is negative when other nodes
 *   have emptied the bucket, and a lease that was spent is still to be taken from it.
 * @param price the number of units that the request takes, or would have taken
 */
export const decide = (limit: RateLimit, allowed: boolean, left: number, price: number): RateLimitDecision => ({
  allowed,
  limit: limit.requests,
  window: limit.window,
  remaining: Math.max(0, Math.floor(left / Duration.toMillis(limit.window))),
  resetMillis: Math.ceil((allowed ? fullLevel(limit) - left : price - left) / limit.requests)
})

interface Bucket {
  level: number
  at: number
}
