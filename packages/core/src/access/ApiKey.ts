import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "./Account.ts"
import { Permission } from "./Permission.ts"

/** Database id of an API key. */
export const ApiKeyId = DatabaseId.pipe(Schema.brand("ApiKeyId"))

/** Database id of an API key. */
export type ApiKeyId = typeof ApiKeyId.Type

/**
 * An API key as it is kept: never its value, only what is needed to recognise it (D-KEY-5).
 *
 * After a rotation the old value works until `previousExpiresAt`.
 */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  accountId: AccountId,
  name: Schema.String,
  permissions: Schema.Array(Permission),
  /** The first 12 characters of the value, to tell keys apart. */
  prefix: Schema.String,
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  revokedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When a value was last accepted; at most a minute old while the key is in use. */
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Until when the value from before the last rotation works; null when there is none. */
  previousExpiresAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc
})

/** An API key as it is kept. */
export type ApiKey = typeof ApiKey.Type

/** The SHA-256 of a key's value, as 64 hexadecimal digits in lower case. */
export const KeyHash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("KeyHash"))

/** The SHA-256 of a key's value. */
export type KeyHash = typeof KeyHash.Type
