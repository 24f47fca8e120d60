import type { RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"

/** Whole seconds until a bucket that refused lets a request pass, at least one. */
export const retryAfterSeconds = (decision: RateLimitDecision): number =>
  Math.max(1, Math.ceil(decision.resetMillis / 1000))

/** What an answer says of the key's bucket, in the structured form of the IETF's draft (D-RATE-1). */
export const headers = (decision: RateLimitDecision): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"default";q=${decision.limit};w=${Math.ceil(Duration.toSeconds(decision.window))}`,
  ratelimit: `"default";r=${decision.remaining};t=${Math.ceil(decision.resetMillis / 1000)}`
})
