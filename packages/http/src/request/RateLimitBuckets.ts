import type { Principal } from "@frontdesk/core/access/Principal"
import type { RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import type { ClientAddress } from "./ClientAddress.ts"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/**
 * Returns the bucket of a caller: that of its session, of its user in the program, or of its key. Callers with none of them
 * share the bucket of their account (D-RATE-4, D-MEM-10).
 */
export const ofCaller = ({ account, apiKeyId, person }: Principal["Service"]): string => {
  if (person === undefined) return apiKeyId === null ? `account:${account.id}` : `key:${apiKeyId}`
  if (person.sessionId !== null) return `session:${person.sessionId}`
  return person.userId === null ? `dashboard:${account.id}` : `dashboard:${account.id}:${person.userId}`
}

/**
 * Makes the function that returns the bucket of a client that has sent no valid key: that of its address (D-RATE-6).
 *
 * All addresses of an IPv6 /64 share a bucket, because one client usually has a whole /64. All requests without an
 * address, for example those of a web handler, share one bucket.
 */
export const ofClient =
  (addressOf: ClientAddress) =>
  (request: Parameters<ClientAddress>[0]): string =>
    `address:${Option.match(addressOf(request), { onNone: () => "unknown", onSome: networkOf })}`

const networkOf = (address: string): string => {
  const [bare = ""] = address.toLowerCase().split("%")
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!bare.includes(":")) return bare
  const [head = "", tail] = bare.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  // A last group in IPv4 notation stands for two groups, but counts as one here. Sockets write it only after `::`, where
  // the first four groups are 0.
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after]
  const first = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""))
  return `${first.join(":")}::/64`
}

/** Returns the whole seconds until a bucket allows a request again, at least 1. */
export const retryAfterSeconds = (decision: RateLimitDecision): number =>
  Math.max(1, Math.ceil(decision.resetMillis / 1000))

/** Returns the `RateLimit` and `RateLimit-Policy` headers for a bucket, as in the IETF draft (D-RATE-1). */
export const headers = (decision: RateLimitDecision): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"default";q=${decision.limit};w=${Math.ceil(Duration.toSeconds(decision.window))}`,
  ratelimit: `"default";r=${decision.remaining};t=${Math.ceil(decision.resetMillis / 1000)}`
})
