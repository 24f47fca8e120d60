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
  /** Requests left after this one. */
  readonly remaining: number
  /** Until the bucket is full again, or, when refused, until the next request is allowed; milliseconds. */
  readonly resetMillis: number
}

/** A token bucket: so many requests at once, filling up evenly over the window. */
export interface RateLimit {
  readonly requests: number
  readonly window: Duration.Duration
}

/** Port: decides whether one more request of a key may pass. Null: nothing is limited. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Takes one request from the bucket of this name. */
    readonly take: (bucket: string) => Effect.Effect<RateLimitDecision | null>
  }
>()("@frontdesk/core/access/RateLimiter") {
  /** Limits nothing. */
  static readonly layerUnlimited: Layer.Layer<RateLimiter> = Layer.succeed(
    RateLimiter,
    RateLimiter.of({ take: () => Effect.succeed(null) })
  )

  /** A token bucket a name, kept in the memory of this process. Full buckets are forgotten. */
  static readonly layerTokenBucket = (limit: RateLimit): Layer.Layer<RateLimiter> =>
    Layer.sync(RateLimiter, () => {
      const windowMillis = Duration.toMillis(limit.window)
      // Counted in parts of a request, of which a millisecond brings `limit.requests`: whole numbers, so that who comes
      // back exactly when told is let in.
      const full = limit.requests * windowMillis
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
        take: (name) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            sweep(now)
            const present = buckets.get(name)
            const before = present === undefined ? full : level(present, now)
            const allowed = before >= windowMillis
            const left = allowed ? before - windowMillis : before
            buckets.set(name, { level: left, at: now })
            return decide(limit, allowed, left)
          })
      })
    })
}

/**
 * What a bucket says of a request that it let pass or not, and what is left in it then: parts of a request, of which a
 * request costs as many as the window has milliseconds, and a millisecond brings `limit.requests`.
 */
export const decide = (limit: RateLimit, allowed: boolean, left: number): RateLimitDecision => {
  const cost = Duration.toMillis(limit.window)
  return {
    allowed,
    limit: limit.requests,
    window: limit.window,
    remaining: Math.floor(left / cost),
    resetMillis: Math.ceil((allowed ? limit.requests * cost - left : cost - left) / limit.requests)
  }
}

interface Bucket {
  readonly level: number
  readonly at: number
}
