import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { Delivery, DeliveryId, DeliveryStatus, NewWebhookEvent } from "./Delivery.ts"
import type { WebhookId, WebhookSecrets } from "../webhook-event/WebhookEndpoint.ts"

/** The failed deliveries that one step of `redeliverFailed` makes due. */
export interface FailedDeliveries {
  readonly accountId: AccountId
  readonly webhookId: WebhookId
  /** The earliest time at which the webhook event of a delivery happened. */
  readonly since: DateTime.Utc
  /** The latest time at which the webhook event of a delivery happened. */
  readonly until: DateTime.Utc
  /** `after` of the step before; null for the first step. */
  readonly after: number | null
  /** The maximum number of failed deliveries that the step examines, whenever their webhook events happened. */
  readonly limit: number
}

/** The old webhook events that one step of `sweep` deletes. */
export interface OldWebhookEvents {
  /** Webhook events that happened before this time are old. */
  readonly before: DateTime.Utc
  /** `after` of the step before; null for the first step. */
  readonly after: number | null
  /**
   * The maximum number of webhook events that a step checks, and of deliveries that it deletes. The bytes count the
   * bodies of the webhook events and the stored answers of the deliveries.
   */
  readonly limit: StepLimit
}

/** The account and the webhook of a delivery. */
export interface DeliveryOwner {
  readonly accountId: AccountId
  readonly webhookId: WebhookId
}

/** What is stored of the request of a delivery. */
export interface StoredRequest {
  readonly body: Uint8Array
  /** The present secrets of the webhook, as they are stored. */
  readonly secrets: WebhookSecrets
}

/** The result of one step through many rows. */
export interface Step {
  /** How many rows the step changed. */
  readonly count: number
  /** The id of the last row of this step, where the next one continues; null when this step was the last. */
  readonly after: number | null
}

/**
 * Returns the result of a step that checked `rows` and changed `count` of them. With fewer rows than `limit` it is the
 * last.
 */
export const stepOver = (rows: ReadonlyArray<number>, limit: number, count: number): Step => ({
  count,
  after: rows.length < limit ? null : (rows.at(-1) ?? null)
})

/** Port: stores webhook events with their deliveries, lists and redelivers them, and deletes old ones. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Stores a webhook event and its deliveries, which are due at once. Called in the transaction of the change. */
    readonly add: (event: NewWebhookEvent) => Effect.Effect<void, StorageError>
    /**
     * Returns the newest `maxListed` deliveries of a webhook, newest first, each with its newest `maxAttempts` attempts.
     * `isCapped` says whether the webhook has more (D-DEL-28).
     */
    readonly list: (
      accountId: AccountId,
      webhookId: WebhookId,
      status: Option.Option<DeliveryStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<Delivery>, StorageError>
    /**
     * Returns the newest `maxListed` deliveries to all webhooks of the account of webhook events with this subject, newest
     * first, each with its newest `maxAttempts` attempts (D-DEL-34). `isCapped` says whether there are more.
     */
    readonly listAbout: (
      accountId: AccountId,
      subject: string,
      page: PageRequest
    ) => Effect.Effect<Page<Delivery>, StorageError>
    /** Returns a delivery of a webhook of the account, with its newest `maxAttempts` attempts. */
    readonly find: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<Delivery>, StorageError>
    /**
     * Makes a delivery due at once for one manual attempt. A pending or leased delivery stays as it is. The caller
     * checks the number of attempts.
     */
    readonly redeliver: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Makes failed deliveries of a webhook due at once for one manual attempt each, in the order in which they were
     * added (D-DEL-23). Deliveries with `maxAttempts` attempts stay failed. The step counts the deliveries that became
     * due. A sequence of steps changes each delivery once, even one that fails again meanwhile.
     */
    readonly redeliverFailed: (which: FailedDeliveries, now: DateTime.Utc) => Effect.Effect<Step, StorageError>
    /**
     * Cancels the pending and leased deliveries of a webhook. When there are very many, a storage may leave some to
     * `purge`. Until then it claims no delivery of the webhook.
     */
    readonly cancelOpen: (webhookId: WebhookId) => Effect.Effect<void, StorageError>
    /** Returns how many deliveries of a webhook are pending or leased. */
    readonly backlog: (webhookId: WebhookId) => Effect.Effect<number, StorageError>
    /** Counts the deliveries of all accounts that are pending or leased, up to `max`. For operators. */
    readonly countOpen: (max: number) => Effect.Effect<number, StorageError>
    /** Returns the body of a delivery of a webhook of the account, with the secrets that sign it. */
    readonly request: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<StoredRequest>, StorageError>
    /** Returns the account and the webhook of a delivery of any account. For operators. */
    readonly locate: (id: DeliveryId) => Effect.Effect<Option.Option<DeliveryOwner>, StorageError>
    /**
     * Returns the first part of the body of the last answer, by delivery. It is "" when the last attempt had no answer,
     * or an answer without a body. A delivery without an attempt is absent. The text is the receiver's and may contain
     * anything.
     */
    readonly lastAnswers: (
      accountId: AccountId,
      webhookId: WebhookId,
      ids: ReadonlyArray<DeliveryId>
    ) => Effect.Effect<ReadonlyMap<DeliveryId, string>, StorageError>
    /**
     * Deletes old webhook events of all accounts, the oldest first, with their deliveries and attempts. The step counts
     * the deleted webhook events. A webhook event with a pending or leased delivery stays. One with more deliveries
     * than the limit takes several steps.
     *
     * A step that finds no old webhook event is the last. That is enough because webhook events are read in the order
     * in which they were added. Only a clock that was set could put an old one behind many young ones.
     */
    readonly sweep: (which: OldWebhookEvents) => Effect.Effect<Step, StorageError>
    /**
     * Deletes deliveries of deleted webhooks with their attempts, and webhook events that were only for deleted webhooks.
     * Also cancels deliveries that `cancelOpen` has left. The bytes of the limit count the bodies and the stored
     * answers. Returns whether the step found anything, so that another step may find more.
     */
    readonly purge: (limit: StepLimit) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/delivery/DeliveryStore") {}
