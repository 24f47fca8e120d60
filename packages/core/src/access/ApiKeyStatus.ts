import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { ApiKey } from "./ApiKey.ts"

/**
 * Whether the present value of a key works: `active`, or why it does not. A key that is revoked and has expired is
 * `revoked`.
 */
export const ApiKeyStatus = Schema.Literals(["active", "expired", "revoked"])

/** Whether the present value of a key works. */
export type ApiKeyStatus = typeof ApiKeyStatus.Type

/** Returns the status of a key at a time. A key is `expired` from the instant of its expiry. */
export const of = ({ expiresAt, revokedAt }: ApiKey, now: DateTime.Utc): ApiKeyStatus => {
  if (revokedAt !== null) return "revoked"
  return expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now) ? "expired" : "active"
}
