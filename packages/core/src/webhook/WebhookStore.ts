import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Webhook, WebhookId } from "./Webhook.ts"
import type { WebhookEventName } from "./WebhookEvent.ts"

/** Port: where webhook subscriptions and their secrets are kept. A webhook is its account's alone. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Keeps a new webhook with its secret. */
    readonly insert: (
      webhook: Omit<Webhook, "id">,
      secret: Redacted.Redacted<string>
    ) => Effect.Effect<Webhook, StorageError>
    /** A webhook of the account. */
    readonly find: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** A webhook of the account, held until the transaction ends. Used inside `Transaction.run`. */
    readonly findForUpdate: (accountId: AccountId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
    /** All webhooks of the account by id. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Webhook>, StorageError>
    /** The webhooks of the account that are sent this event now: subscribed and not disabled. */
    readonly subscribers: (
      accountId: AccountId,
      event: WebhookEventName
    ) => Effect.Effect<ReadonlyArray<WebhookId>, StorageError>
    /** Replaces name, URL, subscribed events, status and update time; the record of deliveries stays. */
    readonly update: (webhook: Webhook) => Effect.Effect<void, StorageError>
    /**
     * Deletes a webhook, its secrets and its deliveries: none is claimed, listed or recorded any more. False when the
     * account has none such.
     */
    readonly delete: (accountId: AccountId, id: WebhookId) => Effect.Effect<boolean, StorageError>
    /** Replaces the secret; the one before signs too until the time given. */
    readonly rotateSecret: (
      id: WebhookId,
      secret: Redacted.Redacted<string>,
      previousExpiresAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/webhook/WebhookStore") {}
