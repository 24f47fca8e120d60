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

interface KeyRow {
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

/**
 * Makes the function that returns the caller of an `Authorization` header. It throws `Refused` when the header has no
 * key, and when the key is unknown, expired or revoked.
 */
export const authentication = (database: Database): ((authorization: string | undefined, now: number) => Caller) => {
  const byHash = database.reader<KeyRow>(selectFound(sqlite))
  const touch = database.writer("UPDATE api_key SET last_used_at = ?2 WHERE id = ?1")
  return (authorization, now) => {
    const value = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
    if (value === undefined) throw new Refused(401, "authentication_required", "Send an API key")
    const key = byHash(hash("sha256", value))
    if (key === undefined || !isUsable(key, now)) throw new Refused(401, "invalid_key", "The API key is not valid")
    if (key.last_used_at === null || now - key.last_used_at >= 60_000) touch(key.id, now)
    /* oxlint-disable typescript/no-unsafe-assignment -- A hand-written server trusts its own rows. */
    return {
      accountId: key.account_id,
      keyId: key.id,
      role: key.account_role,
      partnerId: key.account_partner_id,
      permissions: JSON.parse(key.permissions),
      teamIds: key.account_team_ids,
      settings: JSON.parse(key.account_settings)
    }
    /* oxlint-enable typescript/no-unsafe-assignment */
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

/**
 * Makes the function that counts a request of a key and returns the headers of the rate limit. Throws beyond the limit.
 */
export const rateLimit = (
  requests: number,
  seconds: number
): ((keyId: number, now: number) => Record<string, string>) => {
  const buckets = new Map<number, Bucket>()
  const perMilli = requests / (seconds * 1_000)
  const policy = `"default";q=${requests};w=${seconds}`
  return (keyId, now) => {
    const bucket = buckets.get(keyId) ?? { tokens: requests, at: now }
    const tokens = Math.min(requests, bucket.tokens + (now - bucket.at) * perMilli)
    if (tokens < 1) throw new Refused(429, "rate_limited", "Too many requests with this API key")
    bucket.tokens = tokens - 1
    bucket.at = now
    buckets.set(keyId, bucket)
    const reset = Math.ceil((requests - bucket.tokens) / perMilli / 1_000)
    return { "ratelimit-policy": policy, ratelimit: `"default";r=${Math.floor(bucket.tokens)};t=${reset}` }
  }
}
