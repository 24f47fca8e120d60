import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Webhook } from "./Webhook.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

/** The secrets of a webhook as they are kept: sealed, or plain. */
export interface StoredWebhookSecrets {
  readonly webhookId: WebhookId
  readonly accountId: AccountId
  readonly current: Redacted.Redacted<string>
  /** The secret before the last rotation, also when its time is over. */
  readonly previous: Redacted.Redacted<string> | null
}

/**
 * Port: where webhook subscriptions and their secrets are kept. A webhook is its account's alone.
 *
 * Secrets come as the text to keep, and are kept and given back as they came.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Keeps a new webhook with its secret. */
    readonly insert: (
      webhook: Omit<Webhook, "id">,
      secret: Redacted.Redacted<StoredText>
    ) => Effect.Effect<Webhook, StorageError>
    /** A webhook of the account. */
    readonly find: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** A webhook of any account, for operators. */
    readonly findAnywhere: (id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** A webhook of the account, held until the transaction ends. Used inside `Transaction.run`. */
    readonly findForUpdate: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** All webhooks of the account by id. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Webhook>, StorageError>
    /**
     * The webhooks of the account that are sent this event now: subscribed and not disabled. In a transaction they stay
     * until it ends, so that deliveries can be added for them.
     */
    readonly subscribers: (
      accountId: AccountId,
      event: WebhookEventName
    ) => Effect.Effect<ReadonlyArray<WebhookId>, StorageError>
    /** Replaces name, URL, subscribed events, status and update time; the record of deliveries stays. */
    readonly update: (webhook: Webhook) => Effect.Effect<void, StorageError>
    /**
     * Deletes a webhook and its secrets: nothing of it is found, claimed, listed or recorded any more. What it leaves is
     * `DeliveryStore.purge`'s. False when the account has none such.
     */
    readonly delete: (accountId: AccountId, id: WebhookId) => Effect.Effect<boolean, StorageError>
    /** Replaces the secret; the one before signs too until the time given. */
    readonly rotateSecret: (
      id: WebhookId,
      secret: Redacted.Redacted<StoredText>,
      previousExpiresAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /** The secrets of so many webhooks of every account at most, by id, from the one after this on; null: the first. */
    readonly secrets: (
      after: WebhookId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhookSecrets>, StorageError>
    /**
     * Puts a text in the place of another that the webhook keeps, be it now its present secret or the one before. False
     * when it keeps no such text any more.
     */
    readonly replaceSecret: (
      id: WebhookId,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/webhook/WebhookStore") {}
