import { selectFound } from "@frontdesk/storage-sql/access/ApiKeyRow"
import { postgres } from "@frontdesk/storage-sql/dialect/PostgresDialect"
import type { Pool } from "pg"
import * as Access from "./Access.ts"
import { statement } from "./PostgresDatabase.ts"

const byHash = statement<Access.KeyRow>(postgres.text(selectFound(postgres)))

const touch = statement("UPDATE api_key SET last_used_at = $2 WHERE id = $1")

/** Makes the function that returns the caller of an `Authorization` header, like `Access.authentication`. */
export const authentication =
  (pool: Pool) =>
  async (authorization: string | undefined, now: number): Promise<Access.Caller> => {
    const [found] = await byHash(pool, Access.digestOf(authorization))
    const key = Access.usable(found, now)
    if (Access.isTouched(key, now)) await touch(pool, key.id, new Date(now).toISOString())
    return Access.callerOf(key)
  }

const level = "LEAST($3, bucket.level + GREATEST(0, $2 - bucket.at) * $4)"

/** Takes a request from a bucket. A millisecond adds `$4` parts, and the request takes `$5`. */
const take = statement<{ readonly level: number; readonly allowed: number }>(`
  INSERT INTO rate_limit_bucket AS bucket (name, at, level, allowed)
  VALUES ($1, $2, CAST($3 AS bigint) - CAST($5 AS bigint), TRUE)
  ON CONFLICT (name) DO UPDATE SET
    at = CASE WHEN bucket.at - $2 > $6 THEN $2 ELSE GREATEST(bucket.at, $2) END,
    level = ${level} - CASE WHEN ${level} >= $5 THEN $5 ELSE 0 END,
    allowed = ${level} >= $5
  RETURNING level, allowed`)

/** Makes the function that counts a request of a key in the database, where several servers share the limit. */
export const rateLimit = (pool: Pool, limit: Access.Limit) => {
  const window = limit.seconds * 1_000
  const full = limit.requests * window
  return async (keyId: number, now: number): Promise<Record<string, string>> => {
    const [bucket] = await take(pool, `key:${keyId}`, now, full, limit.requests, window, window)
    if (bucket === undefined) throw new Error("The statement returned no bucket.")
    return Access.limitHeaders(limit, bucket.level / window, bucket.allowed === 1)
  }
}
