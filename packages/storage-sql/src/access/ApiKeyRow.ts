import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import type { FoundApiKey } from "@frontdesk/core/access/ApiKeyStore"
import { Permission } from "@frontdesk/core/access/Permission"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import * as AccountRow from "./AccountRow.ts"

const keyFields = {
  id: ApiKeyId,
  accountId: AccountId,
  name: Schema.String,
  permissions: Column.repeated(Column.known(Permission)),
  prefix: Schema.String,
  expiresAt: Schema.NullOr(Column.Time),
  revokedAt: Schema.NullOr(Column.Time),
  lastUsedAt: Schema.NullOr(Column.Time),
  previousExpiresAt: Schema.NullOr(Column.Time),
  createdAt: Column.Time
}

/** A row of `api_key`, without the digests. */
export const ApiKeyRow = Schema.Struct(keyFields)

const keyColumns = `api_key.id, api_key.account_id, api_key.name, api_key.permissions, api_key.prefix,
  api_key.expires_at, api_key.revoked_at, api_key.last_used_at, api_key.previous_expires_at, api_key.created_at`

/** A `SELECT` of every column of {@link ApiKeyRow}, to be followed by `WHERE`. */
export const select = `SELECT ${keyColumns} FROM api_key`

/**
 * A key with its account, found by one of its digests. `isCurrent` is false when that is the digest before the last
 * rotation.
 */
export const FoundRow = Schema.Struct({
  ...keyFields,
  ...AccountRow.joinedFields,
  isCurrent: Column.Flag
})

/** Returns the `SELECT` of the key that has the parameter `?1` as its current or previous digest. */
export const selectFound = (dialect: Dialect): string => `SELECT ${keyColumns},
  ${AccountRow.joinedColumns(dialect)}, api_key_hash.is_current
FROM api_key_hash
JOIN api_key ON api_key.id = api_key_hash.api_key_id
JOIN account ON account.id = api_key.account_id
WHERE api_key_hash.hash = ?1`

/**
 * Returns the key and account of a row. Fields are copied one by one, because a rest pattern (`...others`) would take
 * longer than decoding the row.
 */
export const toFound = (row: typeof FoundRow.Type): FoundApiKey => ({
  apiKey: {
    id: row.id,
    accountId: row.accountId,
    name: row.name,
    permissions: row.permissions,
    prefix: row.prefix,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
    previousExpiresAt: row.previousExpiresAt,
    createdAt: row.createdAt
  },
  account: AccountRow.joined(row),
  matched: row.isCurrent ? "current" : "previous"
})
