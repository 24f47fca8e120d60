import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What a bucket says of one request. */
export interface RateLimitDecision {
  readonly allowed: boolean
  /** Requests the bucket holds when full. */
  readonly limit: number
  /** In how long an empty bucket is full again. */
  readonly window: Duration.Duration
  /** What is left after this request, in requests that cost 1. */
  readonly remaining: number
  /** Until the bucket is full again, or, when refused, until it has enough for this request; milliseconds. */
  readonly resetMillis: number
}

/** A token bucket: so many requests of cost 1 at once, filling up evenly over the window. */
export interface RateLimit {
  readonly requests: number
  readonly window: Duration.Duration
}

/** Port: decides whether one more request of a caller may pass. Null: nothing is limited. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Takes a request from the bucket of this name: its cost, or nothing when the bucket has less than that.
     *
     * The cost is a whole number from 1, and 1 when absent. A cost above the limit counts as the limit, so that a full
     * bucket allows every request.
     */
    readonly consume: (bucket: string, cost?: number) => Effect.Effect<RateLimitDecision | null>
  }
>()("@frontdesk/core/access/RateLimiter") {
  /** Limits nothing. */
  static readonly layerUnlimited: Layer.Layer<RateLimiter> = Layer.succeed(
    RateLimiter,
    RateLimiter.of({ consume: () => Effect.succeed(null) })
  )

  /** A token bucket a name, kept in the memory of this process. Full buckets are forgotten. */
  static readonly layerTokenBucket = (limit: RateLimit): Layer.Layer<RateLimiter> =>
    Layer.sync(RateLimiter, () => {
      const windowMillis = Duration.toMillis(limit.window)
      // Counted in parts of a request, of which a millisecond brings `limit.requests`: whole numbers, so that a caller that
      // comes back exactly when told is let in.
      const full = fullLevel(limit)
      const level = (bucket: Bucket, now: number): number =>
        // A clock that goes back must not drain the bucket.
        Math.min(full, bucket.level + Math.max(0, now - bucket.at) * limit.requests)
      let buckets = new Map<string, Bucket>()
      let sweepAt = 0
      const sweep = (now: number): void => {
        if (now < sweepAt) return
        buckets = new Map([...buckets].filter(([, bucket]) => level(bucket, now) < full))
        sweepAt = now + windowMillis
      }
      return RateLimiter.of({
        consume: (name, cost) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            sweep(now)
            const price = priceOf(limit, cost)
            const present = buckets.get(name)
            const before = present === undefined ? full : level(present, now)
            const allowed = before >= price
            const left = allowed ? before - price : before
            buckets.set(name, { level: left, at: now })
            return decide(limit, allowed, left, price)
          })
      })
    })
}

/** Returns what a full bucket holds, in parts of a request: a request of cost 1 takes as many as the window has milliseconds. */
export const fullLevel = (limit: RateLimit): number => limit.requests * Duration.toMillis(limit.window)

/** Returns what a request takes from a bucket, in parts of a request; at most what a full bucket holds. */
export const priceOf = (limit: RateLimit, cost = 1): number =>
  Math.min(cost, limit.requests) * Duration.toMillis(limit.window)

/**
 * Returns what a bucket says of a request.
 *
 * @param left what is in the bucket after the request, in parts of a request, of which a millisecond brings
 *   `limit.requests`
 * @param price what the request takes, in the same parts
 */
export const decide = (limit: RateLimit, allowed: boolean, left: number, price: number): RateLimitDecision => ({
  allowed,
  limit: limit.requests,
  window: limit.window,
  remaining: Math.floor(left / Duration.toMillis(limit.window)),
  resetMillis: Math.ceil((allowed ? fullLevel(limit) - left : price - left) / limit.requests)
})

interface Bucket {
  readonly level: number
  readonly at: number
}
