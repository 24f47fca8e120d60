import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { Delivery, DeliveryId, DeliveryStatus, NewWebhookEvent } from "./Delivery.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** Which failed deliveries are sent once more. */
export interface FailedDeliveries {
  readonly accountId: AccountId
  readonly webhookId: WebhookId
  /** Of events that happened from this time, itself included … */
  readonly since: DateTime.Utc
  /** … to this one, itself included. */
  readonly until: DateTime.Utc
  /** Behind which delivery to begin, as the step before answered; null: at the first. */
  readonly after: number | null
  /** How many at most. */
  readonly limit: number
}

/** Which events are forgotten. */
export interface OldEvents {
  /** Those that happened before this time. */
  readonly before: DateTime.Utc
  /** Behind which event to begin, as the step before answered; null: at the oldest. */
  readonly after: number | null
  /**
   * How many events a step looks at, and how many deliveries it deletes; how many bytes the bodies of these events have
   * together, and the stored answers of these deliveries.
   */
  readonly limit: StepLimit
}

/** Whose a delivery is. */
export interface DeliveryOwner {
  readonly accountId: AccountId
  readonly webhookId: WebhookId
}

/** One step through many rows: what it changed, and where the next one begins; null when there is no more to do. */
export interface Step {
  readonly count: number
  readonly after: number | null
}

/** A step that looked at these rows; one that met fewer than it might have is the last. */
export const stepOver = (rows: ReadonlyArray<number>, limit: number, count: number): Step => ({
  count,
  after: rows.length < limit ? null : (rows.at(-1) ?? null)
})

/** Port: where events and their deliveries are kept, and what can be seen and asked of them. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Keeps an event and its deliveries, due at once. Called in the transaction of the change. */
    readonly add: (event: NewWebhookEvent) => Effect.Effect<void, StorageError>
    /** Deliveries of a webhook, newest first, each with the newest `maxAttempts` of its attempts. */
    readonly list: (
      accountId: AccountId,
      webhookId: WebhookId,
      status: Option.Option<DeliveryStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<Delivery>, StorageError>
    /** A delivery of a webhook of the account, with the newest `maxAttempts` of its attempts. */
    readonly find: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<Delivery>, StorageError>
    /**
     * Makes a delivery due at once for one manual try, whatever its state; a pending or leased one stays as it is. How
     * many attempts it has had is judged by the caller.
     */
    readonly redeliver: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Makes failed deliveries of a webhook due at once for one manual try each, in the order they were added; those that
     * have had `maxAttempts` stay failed. Returns how many became due. Steps that follow one another name each delivery once, also one that has failed again meanwhile.
     */
    readonly redeliverFailed: (which: FailedDeliveries, now: DateTime.Utc) => Effect.Effect<Step, StorageError>
    /**
     * Cancels what is pending or leased of a webhook. Of very much a storage may leave some to `purge`: nothing of it is
     * claimed any more, nor is anything else of the webhook until it is cancelled.
     */
    readonly cancelPending: (webhookId: WebhookId) => Effect.Effect<void, StorageError>
    /** How many deliveries of a webhook are pending or leased. */
    readonly backlog: (webhookId: WebhookId) => Effect.Effect<number, StorageError>
    /** Whose a delivery is, for operators, who see every account. */
    readonly locate: (id: DeliveryId) => Effect.Effect<Option.Option<DeliveryOwner>, StorageError>
    /**
     * The first part of the body with which each of these deliveries of a webhook was answered last; "" when the last
     * try had no answer, or one without a body. What was never tried is not in it. For operators: it is the receiver's
     * text, and may hold anything.
     */
    readonly lastAnswers: (
      accountId: AccountId,
      webhookId: WebhookId,
      ids: ReadonlyArray<DeliveryId>
    ) => Effect.Effect<ReadonlyMap<DeliveryId, string>, StorageError>
    /**
     * Deletes old events of all accounts, the oldest first, with their deliveries and attempts, and returns how many
     * events it deleted. An event that has a delivery pending or leased stays, and so does one that is too young. An event
     * with more deliveries than the limit takes several steps. A step that finds no event old enough is the last: events
     * lie in the order they were added, and only a clock that was set puts an old one behind many young ones.
     */
    readonly sweep: (which: OldEvents) => Effect.Effect<Step, StorageError>
    /**
     * Deletes some of the deliveries that deleted webhooks have left, with their attempts and the events that nobody else
     * was sent; the bytes of the limit are those of the bodies and of the stored answers. Or cancels what `cancelPending` has left. Returns whether
     * there was anything left: there may be more.
     */
    readonly purge: (limit: StepLimit) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/delivery/DeliveryStore") {}
