import { type ApiKey, ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"
import * as Write from "../storage/Write.ts"
import { ApiKeyRow, FoundRow, select, selectFound, toFound } from "./ApiKeyRow.ts"

const Inserted = Schema.Struct({ id: ApiKeyId })

/** API keys in a SQL database. */
export const layer: Layer.Layer<ApiKeyStore, never, Database> = Layer.effect(
  ApiKeyStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("ApiKeyStore.insert", Inserted)
    const insert = Write.inserter("api_key", " RETURNING id")
    const byHash = database.all("ApiKeyStore.findByHash", FoundRow)
    const byHashText = selectFound(dialect)
    const found = database.first("ApiKeyStore.find", ApiKeyRow)
    const listed = database.all("ApiKeyStore.list", ApiKeyRow)
    const rotated = database.run("ApiKeyStore.rotate")
    const revoked = database.run("ApiKeyStore.revoke")
    const touched = database.run("ApiKeyStore.touch")

    return ApiKeyStore.of({
      insert: ({ hash, ...key }) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: key.accountId,
              name: key.name,
              permissions: JSON.stringify(key.permissions),
              prefix: key.prefix,
              hash,
              expires_at: key.expiresAt === null ? null : dialect.time(key.expiresAt),
              created_at: dialect.time(key.createdAt)
            })
          ),
          ({ id }): ApiKey => ({ ...key, id, lastUsedAt: null, previousExpiresAt: null, revokedAt: null })
        ),
      findByHash: (hash) =>
        Effect.map(byHash(byHashText, [hash]), (rows) =>
          Option.map(Option.fromUndefinedOr(rows.find((row) => row.isCurrent) ?? rows[0]), toFound)
        ),
      find: (accountId, id) => found(`${select} WHERE id = ?1 AND account_id = ?2`, [id, accountId]),
      list: (accountId) => listed(`${select} WHERE account_id = ?1 ORDER BY id`, [accountId]),
      rotate: (id, { hash, prefix, previousExpiresAt }) =>
        rotated(
          "UPDATE api_key SET previous_hash = hash, hash = ?2, prefix = ?3, previous_expires_at = ?4 WHERE id = ?1",
          [id, hash, prefix, dialect.time(previousExpiresAt)]
        ),
      revoke: (id, at) =>
        revoked("UPDATE api_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL", [id, dialect.time(at)]),
      touch: (id, at) => touched("UPDATE api_key SET last_used_at = ?2 WHERE id = ?1", [id, dialect.time(at)])
    })
  })
)
