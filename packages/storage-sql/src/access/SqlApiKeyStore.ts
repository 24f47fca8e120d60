import { type ApiKey, ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import { ApiKeyRow, FoundRow, select, selectFound, toFound } from "./ApiKeyRow.ts"

const Inserted = Schema.Struct({ id: ApiKeyId })

const addDigest = `INSERT INTO api_key_hash (hash, account_id, api_key_id, is_current)
  SELECT CAST(?1 AS text), account_id, id, TRUE FROM api_key WHERE id = ?2`

/** The `ApiKeyStore` in a SQL database. */
export const layer: Layer.Layer<ApiKeyStore, never, Database> = Layer.effect(
  ApiKeyStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("ApiKeyStore.insert", Inserted)
    const insert = WriteStatements.inserter("api_key", " RETURNING id")
    const insertedDigest = database.run("ApiKeyStore.insert")
    const byDigest = database.lookUp("ApiKeyStore.findByDigest", FoundRow)
    const byDigestText = selectFound(dialect)
    const found = database.lookUp("ApiKeyStore.find", ApiKeyRow)
    const foundLocked = database.first("ApiKeyStore.findForUpdate", ApiKeyRow)
    const listed = database.readable("ApiKeyStore.list", ApiKeyRow)
    const rotated = database.run("ApiKeyStore.rotate")
    const revoked = database.run("ApiKeyStore.revoke")
    const touched = database.run("ApiKeyStore.touch")

    return ApiKeyStore.of({
      insert: Effect.fnUntraced(function* ({ digest, ...key }) {
        const { id } = yield* inserted(
          ...insert({
            account_id: key.accountId,
            name: key.name,
            permissions: JSON.stringify(key.permissions),
            prefix: key.prefix,
            expires_at: key.expiresAt === null ? null : dialect.time(key.expiresAt),
            created_at: dialect.time(key.createdAt)
          })
        )
        yield* insertedDigest(addDigest, [digest, id])
        return { ...key, id, lastUsedAt: null, previousExpiresAt: null, revokedAt: null } satisfies ApiKey
      }, database.atomically("ApiKeyStore.insert")),
      findByDigest: (digest) => Effect.map(byDigest(byDigestText, [digest]), Option.map(toFound)),
      find: (accountId, id) => found(`${select} WHERE id = ?1 AND account_id = ?2`, [id, accountId]),
      findForUpdate: (accountId, id) =>
        foundLocked(`${select} WHERE id = ?1 AND account_id = ?2${dialect.forUpdate("api_key")}`, [id, accountId]),
      list: (accountId) => listed(`${select} WHERE account_id = ?1 ORDER BY id`, [accountId]),
      rotate: Effect.fnUntraced(function* (id, { digest, prefix, previousExpiresAt }) {
        // This update comes first: it locks the key, so concurrent rotations of one key run one after the other. The
        // later rotation must see the digest of the earlier one, or both digests would stay valid.
        yield* rotated("UPDATE api_key SET prefix = ?2, previous_expires_at = ?3 WHERE id = ?1", [
          id,
          prefix,
          dialect.time(previousExpiresAt)
        ])
        // The new digest is added before old ones are deleted, so it fails as a duplicate if the key already has it.
        yield* rotated(addDigest, [digest, id])
        yield* rotated("DELETE FROM api_key_hash WHERE api_key_id = ?1 AND NOT is_current", [id])
        yield* rotated("UPDATE api_key_hash SET is_current = FALSE WHERE api_key_id = ?1 AND hash <> ?2", [id, digest])
      }, database.atomically("ApiKeyStore.rotate")),
      revoke: (id, at) =>
        revoked("UPDATE api_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL", [id, dialect.time(at)]),
      touch: (id, at) => touched("UPDATE api_key SET last_used_at = ?2 WHERE id = ?1", [id, dialect.time(at)])
    })
  })
)
