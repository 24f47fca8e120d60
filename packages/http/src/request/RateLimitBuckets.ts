import type { Principal } from "@frontdesk/core/access/Principal"
import type { RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"

/** Returns the bucket of a caller: that of its key, or that of its account for a program that calls without a key. */
export const ofCaller = ({ account, apiKeyId }: Principal["Service"]): string =>
  apiKeyId === null ? `account:${account.id}` : `key:${apiKeyId}`

/**
 * Returns the bucket of a client that has shown no valid key: that of its address, which is the socket's unless a
 * middleware for trusted proxies has replaced it. Addresses of IPv6 share the bucket of their /64, which is what one
 * client is given. All requests without an address, as in a web handler, share one bucket.
 */
export const ofClient = (request: Pick<HttpServerRequest, "remoteAddress">): string =>
  `address:${Option.match(request.remoteAddress, { onNone: () => "unknown", onSome: networkOf })}`

const networkOf = (address: string): string => {
  const [bare = ""] = address.toLowerCase().split("%")
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!bare.includes(":")) return bare
  const [head = "", tail] = bare.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  // A last group in the form of IPv4 stands for two; it never reaches into the first four groups.
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after]
  const first = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""))
  return `${first.join(":")}::/64`
}

/** Whole seconds until a bucket that refused lets a request pass, at least one. */
export const retryAfterSeconds = (decision: RateLimitDecision): number =>
  Math.max(1, Math.ceil(decision.resetMillis / 1000))

/** What an answer says of the key's bucket, in the structured form of the IETF's draft (D-RATE-1). */
export const headers = (decision: RateLimitDecision): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"default";q=${decision.limit};w=${Math.ceil(Duration.toSeconds(decision.window))}`,
  ratelimit: `"default";r=${decision.remaining};t=${Math.ceil(decision.resetMillis / 1000)}`
})
