import type { ColumnTypes } from "../../dialect/Dialect.ts"

/**
 * Accounts, teams, API keys, the installation and its secrets, references of provisioning, row counts, and idempotency
 * keys.
 */
export const access = (type: ColumnTypes): ReadonlyArray<string> => [
  `CREATE TABLE account (
    id ${type.id},
    name ${type.text} NOT NULL,
    role ${type.text} NOT NULL,
    partner_id ${type.integer} REFERENCES account (id),
    deposits ${type.integer} NOT NULL DEFAULT 0,
    charges ${type.integer} NOT NULL DEFAULT 0,
    holds ${type.integer} NOT NULL DEFAULT 0,
    created_at ${type.time} NOT NULL,
    settings ${type.json} NOT NULL,
    CHECK (deposits - charges - holds >= 0)
  )${type.table}`,
  `CREATE INDEX account_partner ON account (partner_id, id) WHERE partner_id IS NOT NULL`,

  `CREATE TABLE team (
    id ${type.id},
    name ${type.text} NOT NULL
  )${type.table}`,

  `CREATE TABLE account_team (
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    position ${type.integer} NOT NULL,
    team_id ${type.integer} NOT NULL REFERENCES team (id),
    PRIMARY KEY (account_id, position)
  )${type.table}`,
  `CREATE INDEX account_team_team ON account_team (team_id)`,

  `CREATE TABLE api_key (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name ${type.text} NOT NULL,
    permissions ${type.json} NOT NULL,
    prefix ${type.text} NOT NULL,
    previous_expires_at ${type.time},
    expires_at ${type.time},
    revoked_at ${type.time},
    last_used_at ${type.time},
    created_at ${type.time} NOT NULL
  )${type.table}`,
  `CREATE INDEX api_key_account ON api_key (account_id, id)`,

  // The current digest of each key and the one before its last rotation. They share a table, so that no two keys can
  // share a digest.
  `CREATE TABLE api_key_hash (
    hash ${type.text} NOT NULL PRIMARY KEY,
    api_key_id ${type.integer} NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
    is_current ${type.flag} NOT NULL
  )${type.table}`,
  `CREATE INDEX api_key_hash_api_key ON api_key_hash (api_key_id)`,

  // One row. id: identifies the installation, also in copies of it. copied: in a copy, the checksum of what was copied
  // (copy/).
  `CREATE TABLE installation (
    id ${type.text} NOT NULL PRIMARY KEY,
    copied ${type.text}
  )${type.table}`,

  `CREATE TABLE installation_secret (
    name ${type.text} NOT NULL PRIMARY KEY,
    value ${type.text} NOT NULL
  )${type.table}`,

  `CREATE TABLE provisioned_ref (
    kind ${type.text} NOT NULL,
    account_ref ${type.text} NOT NULL,
    ref ${type.text} NOT NULL,
    row_id ${type.integer} NOT NULL,
    PRIMARY KEY (kind, account_ref, ref)
  )${type.table}`,

  // How many rows an account has in a team (0: without a team), by status and type. Triggers maintain it, because
  // counting a million rows is slow (D-STO-7).
  `CREATE TABLE row_count (
    kind ${type.text} NOT NULL,
    account_id ${type.integer} NOT NULL,
    team_id ${type.integer} NOT NULL,
    status ${type.text} NOT NULL,
    type ${type.text} NOT NULL,
    total ${type.integer} NOT NULL,
    PRIMARY KEY (account_id, kind, team_id, status, type)
  )${type.table}`,
  // The index omits the total, so that a change of the total does not change the index.
  `CREATE INDEX row_count_team ON row_count (team_id, kind, account_id, status, type)`,

  // token: generated for each execution of the key.
  `CREATE TABLE idempotency_key (
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    method ${type.text} NOT NULL,
    path ${type.text} NOT NULL,
    name ${type.text} NOT NULL,
    fingerprint ${type.text} NOT NULL,
    status ${type.integer},
    body ${type.text},
    token ${type.token},
    taken_at ${type.time} NOT NULL,
    expires_at ${type.time} NOT NULL,
    PRIMARY KEY (account_id, method, path, name)
  )${type.table}`,
  `CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at)`
]
