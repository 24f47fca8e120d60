import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Revokes a key. The arguments are the URL of the database, the id of the account and the id of the key. */
const [, , url = "", accountId = "", id = ""] = process.argv
await Effect.runPromise(
  Effect.flatMap(ApiKeys, (keys) => keys.revoke(AccountId.make(Number(accountId)), ApiKeyId.make(Number(id)))).pipe(
    Effect.provide(
      Layer.provide(
        ApiKeys.layer,
        Layer.merge(PostgresStorage.layer({ url: Redacted.make(url) }), Crypto.layerWebCrypto)
      )
    )
  )
)
