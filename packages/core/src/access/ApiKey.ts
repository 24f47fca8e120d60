import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "./Account.ts"
import { Permission } from "./Permission.ts"

/** Database id of an API key. */
export const ApiKeyId = DatabaseId.pipe(Schema.brand("ApiKeyId"))

/** Database id of an API key. */
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * An API key as it is stored. It has a prefix of the key's value, and never the value (D-KEY-5).
 *
 * After a rotation the old value works until `previousExpiresAt`.
 */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  accountId: AccountId,
  name: Schema.String,
  permissions: Schema.Array(Permission),
  /** The first 12 characters of the value, by which people recognise the key. */
  prefix: Schema.String,
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  revokedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When a request last used the key. It is written at most once a minute (D-KEY-9). */
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Until when the value from before the last rotation works. Null when the key was never rotated. */
  previousExpiresAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc
})

/** An API key as it is stored. */
export type ApiKey = typeof ApiKey.Type

/** The SHA-256 of a key's value, as 64 hexadecimal digits in lower case. */
export const KeyDigest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("KeyDigest"))

/** The SHA-256 of a key's value. */
export type KeyDigest = typeof KeyDigest.Type
