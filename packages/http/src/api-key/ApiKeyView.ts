import { ApiKey } from "@frontdesk/core/access/ApiKey"
import type { IssuedApiKey } from "@frontdesk/core/access/ApiKeys"
import * as ApiKeyStatus from "@frontdesk/core/access/ApiKeyStatus"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import type * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const { id, name, permissions, prefix } = ApiKey.fields

const viewFields = {
  id,
  name,
  permissions,
  /** The first characters of the value, by which people recognise the key. */
  prefix,
  status: ApiKeyStatus.ApiKeyStatus,
  expiresAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp),
  /** Until when the value from before the last rotation works. Null when the key was never rotated. */
  previousExpiresAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp
}

/** The JSON of an API key, without its value (D-KEY-5). */
export const ApiKeyView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "ApiKey" })

/** Returns the view of a key, with the status that it has now. */
export const apiKeyView = (key: ApiKey, now: DateTime.Utc): typeof ApiKeyView.Type => ({
  id: key.id,
  name: key.name,
  permissions: key.permissions,
  prefix: key.prefix,
  status: ApiKeyStatus.of(key, now),
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
  previousExpiresAt: key.previousExpiresAt,
  createdAt: key.createdAt
})

/** The JSON of an API key with its value, which only the create and a rotation return (D-KEY-4). */
export const ApiKeyIssued = Wire.snakeCase(
  Schema.Struct({
    ...viewFields,
    /** Null in a replay under an `Idempotency-Key`. */
    value: Schema.NullOr(Schema.String),
    message: Schema.String
  })
).annotate({ identifier: "ApiKeyWithValue" })

/** Returns the answer with the value of a key. */
export const apiKeyIssued = (
  { apiKey, value }: IssuedApiKey,
  now: DateTime.Utc,
  message: string
): typeof ApiKeyIssued.Type => ({ ...apiKeyView(apiKey, now), value: Redacted.value(value), message })

/** The JSON of the answer to a revocation. */
export const ApiKeyRevoked = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "ApiKeyRevoked"
})
