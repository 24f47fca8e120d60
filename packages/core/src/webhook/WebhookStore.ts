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

/** The secrets of a webhook as they are stored: sealed or plain. */
export interface StoredWebhookSecrets {
  readonly webhookId: WebhookId
  readonly accountId: AccountId
  readonly current: Redacted.Redacted<string>
  /** The secret before the last rotation, even after its grace time. */
  readonly previous: Redacted.Redacted<string> | null
}

/**
 * Port: stores webhooks and their secrets. Every lookup for a caller takes the account, because teams do not share
 * webhooks.
 *
 * The store writes and returns the text of a secret unchanged. The caller seals and opens it.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Stores a new webhook with its secret, and returns it with its id. */
    readonly insert: (
      webhook: Omit<Webhook, "id">,
      secret: Redacted.Redacted<StoredText>
    ) => Effect.Effect<Webhook, StorageError>
    /** Returns a webhook of the account. */
    readonly find: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** Returns a webhook of any account. For operators. */
    readonly findAnywhere: (id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** Returns a webhook of the account and locks it until the transaction ends. Used inside `Transaction.run`. */
    readonly findForUpdate: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** Returns all webhooks of the account, ordered by id. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Webhook>, StorageError>
    /**
     * Returns the webhooks of the account that are subscribed to a webhook event and not disabled. Until the
     * transaction ends, deliveries can be added for them, even when another transaction deletes and purges them.
     */
    readonly subscribers: (
      accountId: AccountId,
      event: WebhookEventName
    ) => Effect.Effect<ReadonlyArray<WebhookId>, StorageError>
    /** Replaces name, URL, subscribed webhook events, status and update time. The results of deliveries stay. */
    readonly update: (webhook: Webhook) => Effect.Effect<void, StorageError>
    /**
     * Deletes a webhook and its secrets. Its deliveries are no longer found, claimed, listed or recorded, and
     * `DeliveryStore.purge` deletes them. Returns false when the account has no such webhook.
     */
    readonly delete: (accountId: AccountId, id: WebhookId) => Effect.Effect<boolean, StorageError>
    /** Replaces the secret. The replaced secret also signs until `previousExpiresAt`. */
    readonly rotateSecret: (
      id: WebhookId,
      secret: Redacted.Redacted<StoredText>,
      previousExpiresAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Returns the secrets of up to `limit` webhooks of all accounts, ordered by id. Begins after the webhook `after`;
     * null begins with the first one.
     */
    readonly secrets: (
      after: WebhookId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhookSecrets>, StorageError>
    /**
     * Replaces the text of a secret of a webhook, current or previous, with another text for the same secret. Returns
     * false when the webhook no longer has the text `before`.
     */
    readonly replaceSecret: (
      id: WebhookId,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/webhook/WebhookStore") {}
