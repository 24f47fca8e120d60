import { selectFound } from "@frontdesk/storage-sql/access/ApiKeyRow"
import { sqlite } from "@frontdesk/storage-sql/dialect/SqliteDialect"
import { hash } from "node:crypto"
import type { Database } from "./Database.ts"

/** The caller of a request. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly role: string
  readonly partnerId: number | null
  readonly permissions: ReadonlyArray<string>
  /** The ids of the teams, as JSON. */
  readonly teamIds: string
  readonly settings: { readonly timeZone: string; readonly rejectConflicts: boolean }
}

/** A request that is rejected, with the status and the code of the answer. */
export class Refused extends Error {
  readonly statusCode: number
  readonly code: string
  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}

/** A row of an API key with its account. Times are epoch milliseconds, flags are 0 or 1, and documents are JSON. */
export interface KeyRow {
  readonly id: number
  readonly account_id: number
  readonly permissions: string
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly previous_expires_at: number | null
  readonly account_role: string
  readonly account_partner_id: number | null
  readonly account_team_ids: string
  readonly account_settings: string
  readonly is_current: number
}

const bearer = /^Bearer +([^\s]+) *$/i

/** Returns the digest of the API key in an `Authorization` header. Refuses a header without a key. */
export const digestOf = (authorization: string | undefined): string => {
  const value = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
  if (value === undefined) throw new Refused(401, "authentication_required", "Send an API key")
  return hash("sha256", value)
}

/** Refuses a key that is unknown, expired or revoked. */
export const usable = (key: KeyRow | undefined, now: number): KeyRow => {
  if (key === undefined || !isUsable(key, now)) throw new Refused(401, "invalid_key", "The API key is not valid")
  return key
}

/** Returns whether the time of the last use is written again: once a minute. */
export const isTouched = ({ last_used_at }: KeyRow, now: number): boolean =>
  last_used_at === null || now - last_used_at >= 60_000

/** Returns the caller with a key. */
export const callerOf = (key: KeyRow): Caller => ({
  accountId: key.account_id,
  keyId: key.id,
  role: key.account_role,
  partnerId: key.account_partner_id,
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
  permissions: JSON.parse(key.permissions),
  teamIds: key.account_team_ids,
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- A hand-written server trusts its own rows.
  settings: JSON.parse(key.account_settings)
})

/**
 * Makes the function that returns the caller of an `Authorization` header. It throws `Refused` when the header has no
 * key, and when the key is unknown, expired or revoked.
 */
export const authentication = (database: Database): ((authorization: string | undefined, now: number) => Caller) => {
  const byHash = database.reader<KeyRow>(selectFound(sqlite))
  const touch = database.writer("UPDATE api_key SET last_used_at = ?2 WHERE id = ?1")
  return (authorization, now) => {
    const key = usable(byHash(digestOf(authorization)), now)
    if (isTouched(key, now)) touch(key.id, now)
    return callerOf(key)
  }
}

const isUsable = (key: KeyRow, now: number): boolean =>
  key.revoked_at === null &&
  (key.expires_at === null || now < key.expires_at) &&
  (key.is_current === 1 || (key.previous_expires_at !== null && now < key.previous_expires_at))

interface Bucket {
  tokens: number
  at: number
}

/** A limit of requests in a window. */
export interface Limit {
  readonly requests: number
  readonly seconds: number
}

/**
 * Returns the headers of the rate limit when a bucket has this many tokens left. Throws when it had too few for the
 * request.
 */
export const limitHeaders = ({ requests, seconds }: Limit, tokens: number, isAllowed: boolean) => {
  if (!isAllowed) throw new Refused(429, "rate_limited", "Too many requests with this API key")
  const reset = Math.ceil(((requests - tokens) * seconds) / requests)
  return {
    "ratelimit-policy": `"default";q=${requests};w=${seconds}`,
    ratelimit: `"default";r=${Math.floor(tokens)};t=${reset}`
  }
}

/**
 * Makes the function that counts a request of a key and returns the headers of the rate limit. Throws beyond the limit.
 */
export const rateLimit = (limit: Limit): ((keyId: number, now: number) => Record<string, string>) => {
  const buckets = new Map<number, Bucket>()
  const perMilli = limit.requests / (limit.seconds * 1_000)
  return (keyId, now) => {
    const bucket = buckets.get(keyId) ?? { tokens: limit.requests, at: now }
    const tokens = Math.min(limit.requests, bucket.tokens + (now - bucket.at) * perMilli)
    const isAllowed = tokens >= 1
    bucket.tokens = isAllowed ? tokens - 1 : tokens
    bucket.at = now
    buckets.set(keyId, bucket)
    return limitHeaders(limit, bucket.tokens, isAllowed)
  }
}
