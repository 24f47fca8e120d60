import { type ApiKey, ApiKeyId, type KeyDigest } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore, type FoundApiKey } from "@frontdesk/core/access/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import type { ApiKeyRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const withDigest = (state: State, matches: (row: ApiKeyRow) => boolean): Option.Option<ApiKeyRow> =>
  Option.fromUndefinedOr(Table.where(state.apiKeys, matches)[0])

const isTaken = (state: State, digest: KeyDigest): boolean =>
  Option.isSome(withDigest(state, (row) => row.digest === digest || row.previousDigest === digest))

const found =
  (state: State, matched: FoundApiKey["matched"]) =>
  ({ apiKey }: ApiKeyRow): Option.Option<FoundApiKey> =>
    Option.map(Table.get(state.accounts, apiKey.accountId), (account) => ({ apiKey, account, matched }))

const update = (state: State, id: ApiKeyId, change: (apiKey: ApiKey) => ApiKey): State => ({
  ...state,
  apiKeys: Table.update(state.apiKeys, id, (row) => ({ ...row, apiKey: change(row.apiKey) }))
})

/** The `ApiKeyStore` in memory. */
export const layer: Layer.Layer<ApiKeyStore, never, Database> = Layer.effect(
  ApiKeyStore,
  Effect.map(Database, (database) => {
    const find: ApiKeyStore["Service"]["find"] = (accountId, id) =>
      database.read((state) =>
        Table.get(state.apiKeys, id).pipe(
          Option.map((row) => row.apiKey),
          Option.filter((apiKey) => apiKey.accountId === accountId)
        )
      )
    return ApiKeyStore.of({
      insert: ({ digest, ...key }) =>
        database.modify((state) => {
          if (isTaken(state, digest)) return duplicate("ApiKeyStore.insert", "digest")
          const [row, apiKeys] = Table.insert(state.apiKeys, (id): ApiKeyRow => ({
            apiKey: { ...key, id: ApiKeyId.make(id), lastUsedAt: null, previousExpiresAt: null, revokedAt: null },
            digest,
            previousDigest: null
          }))
          return changed(row.apiKey, { ...state, apiKeys })
        }),
      findByDigest: (digest) =>
        database.read((state) =>
          Option.orElse(
            Option.flatMap(
              withDigest(state, (row) => row.digest === digest),
              found(state, "current")
            ),
            () =>
              Option.flatMap(
                withDigest(state, (row) => row.previousDigest === digest),
                found(state, "previous")
              )
          )
        ),
      find,
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: find,
      list: (accountId) =>
        database.read((state) =>
          Table.where(state.apiKeys, (row) => row.apiKey.accountId === accountId).map((row) => row.apiKey)
        ),
      rotate: (id, { digest, prefix, previousExpiresAt }) =>
        database.modify((state) =>
          isTaken(state, digest)
            ? duplicate("ApiKeyStore.rotate", "digest")
            : changed(undefined, {
                ...state,
                apiKeys: Table.update(state.apiKeys, id, (row) => ({
                  apiKey: { ...row.apiKey, prefix, previousExpiresAt },
                  digest,
                  previousDigest: row.digest
                }))
              })
        ),
      revoke: (id, at) =>
        database.modify((state) =>
          changed(
            undefined,
            update(state, id, (apiKey) => ({ ...apiKey, revokedAt: apiKey.revokedAt ?? at }))
          )
        ),
      touch: (id, at) =>
        database.modify((state) =>
          changed(
            undefined,
            update(state, id, (apiKey) => ({ ...apiKey, lastUsedAt: at }))
          )
        )
    })
  })
)
