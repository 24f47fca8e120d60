import { existsSync } from "node:fs"
import type {
  AccountNotFound,
  ApiKeyExpired,
  ApiKeyInGrace,
  ApiKeyNotFound,
  ApiKeyRevoked
} from "@frontdesk/core/access/AccessError"
import { AccountLimits, type LimitReached, limitText } from "@frontdesk/core/access/AccountLimits"
import { type Account, AccountId } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import type { OutboxTaskNotFound } from "@frontdesk/core/outbox/OutboxTask"
import { OutboxOperations } from "@frontdesk/core/outbox/OutboxOperations"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { type StoredRef, ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import * as Keyset from "@frontdesk/core/values/Keyset"
import type { ValidationError } from "@frontdesk/core/values/ValidationError"
import type { DeliveryNotFound, WebhookNotFound } from "@frontdesk/core/webhook/WebhookError"
import { WebhookOperations } from "@frontdesk/core/webhook/WebhookOperations"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as NodeCrypto from "../NodeCrypto.ts"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import { accountLimitSettings } from "../settings/AccountLimitSettings.ts"
import * as SettingWarnings from "../settings/SettingWarnings.ts"
import { loadAccountLimits, loadDatabaseUrl, loadSecretKeys } from "../settings/Settings.ts"
import * as Storage from "../Storage.ts"
import {
  databaseSetting,
  type Failure,
  failure,
  fromInput,
  fromSettings,
  fromSql,
  fromStorage,
  usage
} from "./CommandFailure.ts"
import * as Output from "./Output.ts"

/** What an operator acts with: services that have no endpoint. */
const services = Layer.mergeAll(Provisioning.layer, OutboxOperations.layer, WebhookOperations.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer, DoNotCallLists.layer, Webhooks.layer)
  ),
  // Nothing is sent from here: what is made due is sent by the server.
  Layer.provide([Outbox.layer, NodeCrypto.layer, UndiciWebhookSender.layer()])
)

/** The flags of a command that say where its data is. */
export type DatabaseFlags = Readonly<Record<string, Option.Option<string>>>

/** What can go wrong when an operator acts. */
export type Refusal =
  | StorageError
  | ValidationError
  | AccountNotFound
  | ApiKeyNotFound
  | ApiKeyRevoked
  | ApiKeyExpired
  | ApiKeyInGrace
  | LimitReached
  | WebhookNotFound
  | DeliveryNotFound
  | OutboxTaskNotFound
  | Failure

/** Where the command finds its data, by its flags; a file that must be there unless the command may make it. */
export const database = Effect.fnUntraced(function* (
  flags: DatabaseFlags,
  options: { readonly mayCreate: boolean }
): Effect.fn.Return<DatabaseUrl.DatabaseUrl, Failure> {
  for (const doubt of yield* SettingWarnings.unknown) yield* Output.progress(`frontdesk: warning: ${doubt}`)
  const url = yield* loadDatabaseUrl(Record.getSomes(flags)).pipe(Effect.mapError(fromSettings))
  if (url._tag === "Memory") {
    return yield* usage(
      `sqlite::memory: is gone when the server ends; name the file of a database, sqlite:PATH, with ${databaseSetting}`
    )
  }
  if (url._tag === "File" && !options.mayCreate && !existsSync(url.path)) {
    return yield* failure(`There is no database at ${url.path}. "frontdesk migrate" makes one, and so does the server`)
  }
  return url
})

/** How much of each resource an account may have, as the server is told. */
const limits = Effect.mapError(loadAccountLimits, fromSettings)

/** Refuses a database whose tables are not those of this version: it may be of an older one, or of another program. */
const checkSchema = Effect.fnUntraced(function* (url: DatabaseUrl.DatabaseUrl) {
  if (!(yield* Effect.provide(SqlMigrations.isCurrent, Storage.layerReader(url)))) {
    return yield* failure(
      `The database ${DatabaseUrl.show(url)} is not at the present schema; "frontdesk migrate" brings it there. ${databaseSetting} ` +
        "names another"
    )
  }
})

/**
 * Runs a command on its database, and puts what went wrong into words. A command that may create the database brings
 * it to the present schema too; for others it must be there.
 */
export const run = <A, R>(
  effect: Effect.Effect<A, Refusal, R>,
  flags: DatabaseFlags,
  options: { readonly mayCreate: boolean } = { mayCreate: false }
) =>
  Effect.flatMap(Effect.all([database(flags, options), limits]), ([url, accountLimits]) =>
    Effect.andThen(
      options.mayCreate ? Effect.void : checkSchema(url),
      Effect.provide(
        effect,
        services.pipe(
          Layer.provideMerge(Storage.layer(url)),
          Layer.provide(Layer.succeed(AccountLimits, accountLimits))
        )
      )
    ).pipe(Effect.catchTags({ SqlError: fromSql(url), StorageError: fromStorage(url) }))
  ).pipe(
    Effect.catchTags({
      ValidationError: ({ problems }) => fromInput(problems),
      AccountNotFound: ({ accountId }) => failure(`There is no account with the id ${accountId}`),
      ApiKeyNotFound: ({ apiKeyId }) => failure(`The account has no key with the id ${apiKeyId}`),
      ApiKeyRevoked: ({ apiKeyId }) =>
        failure(`The key ${apiKeyId} is revoked; "frontdesk keys create" makes a new one`),
      ApiKeyExpired: ({ apiKeyId, expiredAt }) =>
        failure(
          `The key ${apiKeyId} expired at ${DateTime.formatIso(expiredAt)}, so a new value would not work either; ` +
            '"frontdesk keys create" makes a new key'
        ),
      ApiKeyInGrace: ({ apiKeyId, until }) =>
        failure(
          `The key ${apiKeyId} was rotated, and the value from before works until ${DateTime.formatIso(until)}; another ` +
            "rotation would end it. Wait until then, or rotate with --force"
        ),
      LimitReached: (error) => failure(`${limitText(error)}${wayOut(error)}`),
      WebhookNotFound: ({ webhookId }) => failure(`There is no webhook with the id ${webhookId}`),
      DeliveryNotFound: ({ deliveryId }) =>
        failure(
          `There is no delivery ${deliveryId}; those that are older than the retention are forgotten, and so are those of ` +
            "webhooks that were deleted"
        ),
      OutboxTaskNotFound: ({ taskId }) =>
        failure(
          `No task ${taskId} is set aside: it was retried already, or is older than 30 days; "frontdesk outbox list" shows ` +
            "those that are"
        )
    })
  )

/** The flags of a command that reads or writes stored secrets. */
export interface KeyedFlags {
  readonly database: DatabaseFlags
  readonly keys: DatabaseFlags
}

/** Runs a command on its database, as {@link run} does, with the secret keys of the settings. */
export const runWithKeys = <E extends Refusal, R>(
  effect: (keyring: Keyring) => Effect.Effect<void, E, R>,
  flags: KeyedFlags
) =>
  Effect.flatMap(Effect.mapError(loadSecretKeys(Record.getSomes(flags.keys)), fromSettings), (keyring) =>
    run(effect(keyring), flags.database)
  )

const wayOut = ({ resource }: LimitReached): string =>
  resource === "apiKeys"
    ? `. Revoked and expired keys count; ${accountLimitSettings.maxApiKeys.variable} sets another limit`
    : ""

/** The account a parameter names: by its id, or by its ref in a provisioning document. */
export const findAccount = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<Account, Refusal, Accounts | ProvisioningStore> {
  const accounts = yield* Accounts
  const refs = yield* ProvisioningStore
  const byRef = yield* refs.find({ kind: "account", accountRef: "", ref: name })
  if (Option.isSome(byRef)) return yield* accounts.get(AccountId.make(byRef.value))
  const id = DatabaseId.parse(name)
  if (id !== undefined) return yield* accounts.get(AccountId.make(id))
  return yield* failure(`There is no account "${name}"`)
})

/** The refs by which accounts are found, by their ids; those that no document has made have none. */
export const accountRefs = Effect.gen(function* () {
  const store = yield* ProvisioningStore
  const within = { kind: "account", accountRef: "" } as const
  const known = yield* Keyset.readAll<StoredRef, StorageError, never>((last, limit) =>
    store.list(within, last?.ref ?? null, limit)
  )
  return new Map(known.map(({ id, ref }) => [id, ref]))
})
