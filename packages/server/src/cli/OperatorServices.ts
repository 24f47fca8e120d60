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
import { Agents } from "@frontdesk/core/agent/Agents"
import { Statistics } from "@frontdesk/core/statistics/Statistics"
import { AuditLog } from "@frontdesk/core/account/AuditLog"
import { FundMovements } from "@frontdesk/core/account/FundMovements"
import * as Acting from "@frontdesk/core/audit/Acting"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { Keyring } from "@frontdesk/core/crypto/Keyring"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { Members } from "@frontdesk/core/people/Members"
import type { LastOwner, MemberExists, MemberNotFound } from "@frontdesk/core/people/PeopleError"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
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

/** The services of the operator's commands. Several of them have no endpoint in the API. */
const services = Layer.mergeAll(Provisioning.layer, OutboxOperations.layer, WebhookOperations.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Accounts.layer,
      ApiKeys.layer,
      Contacts.layer,
      ContactImports.layer,
      ContactExports.layer,
      DoNotCallLists.layer,
      Webhooks.layer,
      FundMovements.layer,
      Statistics.layer.pipe(Layer.provide(Agents.layer)),
      Members.layer,
      SignInLinks.layer,
      AuditLog.layer
    )
  ),
  // The commands send nothing themselves. They make work due, and the server carries it out.
  Layer.provide([Outbox.layer, NodeCrypto.layer, UndiciWebhookSender.layer(), Mailer.layerNone])
)

/** The parsed flags of the database setting. */
export type DatabaseFlags = Readonly<Record<string, Option.Option<string>>>

/** The errors of an operator's command. {@link run} turns them into a {@link Failure}. */
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
  | MemberNotFound
  | MemberExists
  | LastOwner
  | Failure

/**
 * Returns the database of a command, and warns of unknown settings.
 *
 * Fails for a database in memory, and for a SQLite file that does not exist unless `mayCreate` is true.
 */
export const database = Effect.fnUntraced(function* (
  flags: DatabaseFlags,
  options: { readonly mayCreate: boolean }
): Effect.fn.Return<DatabaseUrl.DatabaseUrl, Failure> {
  for (const warning of yield* SettingWarnings.unknownVariables)
    yield* Output.progress(`frontdesk: warning: ${warning}`)
  const url = yield* loadDatabaseUrl(Record.getSomes(flags)).pipe(Effect.mapError(fromSettings))
  if (url._tag === "Memory") {
    return yield* usage(
      `A command cannot use sqlite::memory:, which only exists within one process. Name a database with ${databaseSetting}`
    )
  }
  if (url._tag === "File" && !options.mayCreate && !existsSync(url.path)) {
    return yield* failure(
      `There is no database at ${url.path}. Create one with "frontdesk migrate", or start the server`
    )
  }
  return url
})

/** The quotas of accounts, from the same variables that the server reads. */
const limits = Effect.mapError(loadAccountLimits, fromSettings)

/** Fails when the schema is not that of this version: the database may be older, or belong to another program. */
const checkSchema = Effect.fnUntraced(function* (url: DatabaseUrl.DatabaseUrl) {
  if (!(yield* Effect.provide(SqlMigrations.isCurrent, Storage.layerReader(url)))) {
    return yield* failure(
      `The database ${DatabaseUrl.show(url)} does not have the current schema. Migrate it with "frontdesk migrate", or choose ` +
        `another one with ${databaseSetting}`
    )
  }
})

/**
 * Runs a command on its database, and turns errors into messages. With `mayCreate` it creates and migrates the database
 * first; without it the database must exist and have the current schema.
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
    Acting.by("command_line", null),
    Effect.catchTags({
      ValidationError: ({ problems }) => fromInput(problems),
      AccountNotFound: ({ accountId }) => failure(`There is no account with the id ${accountId}`),
      ApiKeyNotFound: ({ apiKeyId }) => failure(`The account has no key with the id ${apiKeyId}`),
      ApiKeyRevoked: ({ apiKeyId }) =>
        failure(`The key ${apiKeyId} is revoked. Create a new one with "frontdesk keys create"`),
      ApiKeyExpired: ({ apiKeyId, expiredAt }) =>
        failure(
          `The key ${apiKeyId} expired at ${DateTime.formatIso(expiredAt)}, so a new value would not work either. ` +
            'Create a new key with "frontdesk keys create"'
        ),
      ApiKeyInGrace: ({ apiKeyId, until }) =>
        failure(
          `The key ${apiKeyId} was rotated, and its previous value works until ${DateTime.formatIso(until)}. Another ` +
            "rotation would disable that value at once. Wait until then, or rotate with --force"
        ),
      LimitReached: (error) => failure(`${limitText(error)}${limitHint(error)}`),
      MemberNotFound: ({ memberId }) => failure(`The account has no member with the id ${memberId}`),
      MemberExists: () => failure("The account has a member with this e-mail address"),
      LastOwner: ({ memberId }) =>
        failure(
          `The member ${memberId} is the only owner of the account. Make another member owner first with "frontdesk members change"`
        ),
      WebhookNotFound: ({ webhookId }) => failure(`There is no webhook with the id ${webhookId}`),
      DeliveryNotFound: ({ deliveryId }) =>
        failure(
          `There is no delivery ${deliveryId}. Deliveries that are older than the retention are deleted, and so are ` +
            "deliveries of deleted webhooks"
        ),
      OutboxTaskNotFound: ({ taskId }) =>
        failure(
          `There is no dead-lettered task ${taskId}. It may have been retried already, or be older than 30 days. List the ` +
            'tasks with "frontdesk outbox list"'
        )
    })
  )

/** The flags of a command that reads or writes stored secrets. */
export interface KeyedFlags {
  readonly database: DatabaseFlags
  readonly keys: DatabaseFlags
}

/** Runs a command on its database like {@link run}, and passes it the secret keys of the settings. */
export const runWithKeys = <E extends Refusal, R>(
  effect: (keyring: Keyring) => Effect.Effect<void, E, R>,
  flags: KeyedFlags
) =>
  Effect.flatMap(Effect.mapError(loadSecretKeys(Record.getSomes(flags.keys)), fromSettings), (keyring) =>
    run(effect(keyring), flags.database)
  )

const limitHint = ({ resource }: LimitReached): string =>
  resource === "apiKeys"
    ? `. Revoked and expired keys count too. Raise the limit with ${accountLimitSettings.maxApiKeys.variable}`
    : ""

/** Returns the account with this ref in a provisioning document, or else with this id. Fails when there is none. */
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

/** Returns the refs of accounts by account id. An account that no provisioning document created has none. */
export const accountRefs = Effect.gen(function* () {
  const store = yield* ProvisioningStore
  const within = { kind: "account", accountRef: "" } as const
  const known = yield* Keyset.readAll<StoredRef, StorageError, never>((last, limit) =>
    store.list(within, last?.ref ?? null, limit)
  )
  return new Map(known.map(({ id, ref }) => [id, ref]))
})
