import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"

/** Revokes a key. The arguments are the database, the id of the account and the id of the key. */
const [, , filename = "", accountId = "", id = ""] = process.argv
await Effect.runPromise(
  Effect.flatMap(ApiKeys, (keys) => keys.revoke(AccountId.make(Number(accountId)), ApiKeyId.make(Number(id)))).pipe(
    Effect.provide(Layer.provide(ApiKeys.layer, Layer.merge(SqliteStorage.layer({ filename }), Crypto.layerWebCrypto)))
  )
)
