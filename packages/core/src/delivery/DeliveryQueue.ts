import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type * as FairShare from "../background/FairShare.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** Which deliveries a claim may have, and for how long. */
export interface ClaimRequest {
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly leaseId: string
  /** The name of the process that claims. */
  readonly owner: string
  /** The number of free places in this process, and the maximum number of deliveries of this claim. */
  readonly limit: number
  /** The number of places that each webhook has in this process. A delivery that is being sent takes one. */
  readonly perWebhook: number
  /** How many places of each webhook are taken, or kept free for others. A webhook without any is absent. */
  readonly takenPlaces: ReadonlyMap<WebhookId, number>
  /** How many places each account has in this process. An account without any is absent. */
  readonly takenByAccount: ReadonlyMap<AccountId, number>
}

/** Returns the places that a claim shares by account and webhook. */
export const placesOf = ({
  limit,
  perWebhook,
  takenByAccount,
  takenPlaces
}: ClaimRequest): FairShare.Places<AccountId, WebhookId> => ({
  free: limit,
  takenByAccount,
  perLine: perWebhook,
  takenByLine: takenPlaces
})

/** The outcome of `record`, by the keys of the deliveries. A key that is in neither list had lost its lease. */
export interface Recorded {
  readonly recorded: ReadonlyArray<number>
  /** Not recorded, because another transaction locks the webhook. The caller records them again later. */
  readonly deferred: ReadonlyArray<number>
}

/**
 * Port: the queue of deliveries that are not delivered yet. The `DeliveryWorker` uses only this port of a storage.
 * `DeliveryStore` is the port that adds deliveries.
 *
 * Each member is atomic: it takes effect completely or not at all. `record` appends to the statistics (`StatisticStore`), and
 * so does a redelivery of a `DeliveryStore`.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /**
     * Claims due deliveries: pending ones whose time has come, and leased ones whose lease has ended. The order is by
     * due time, and by age where the due time is the same (D-DEL-26).
     *
     * A delivery without an attempt waits for the first attempt of each earlier delivery of its subject to its webhook
     * (D-EVT-3).
     * A claim has no more deliveries of a webhook than `perWebhook` and `takenPlaces` allow. The free places are shared
     * by account first, then by webhook (`FairShare`). So a claim may leave places free for accounts that have none.
     *
     * While many deliveries are due, a claim may examine a part of the webhooks. The next claim continues with the next
     * ones. For each webhook, a claim examines a limited number of the longest due deliveries.
     *
     * A due delivery of a disabled webhook is cancelled and not returned, unless it is a `webhook.test` or a manual
     * attempt (D-HOOK-9).
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>
    /**
     * Returns whether a claimed delivery may still be sent. It may when it was not claimed again and not cancelled, and
     * its webhook exists and has the same URL. To a disabled webhook only a `webhook.test` or a manual attempt may be
     * sent. The end of the lease is not checked.
     */
    readonly isCurrent: (
      claimed: Pick<ClaimedDelivery, "key" | "leaseId" | "url">
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Records results: the attempt, the next state of the delivery, and the status and last results of the webhook. A
     * result that disables its webhook also cancels the other pending and leased deliveries of the webhook, and appends
     * `DisabledWebhook.auditEntry` to the audit log. When the webhook has another URL than the result, its status stays and
     * nothing is cancelled (D-DEL-13). A result whose lease
     * was lost has no effect.
     *
     * It never waits for a locked webhook: the results of that webhook are returned in `deferred`.
     */
    readonly record: (
      results: ReadonlyArray<DeliveryResult>,
      now: DateTime.Utc
    ) => Effect.Effect<Recorded, StorageError>
    /**
     * Postpones deliveries of one lease, unsent: they are due at this time, and the claim does not count. A delivery
     * whose lease was lost is not changed.
     */
    readonly postpone: (
      keys: ReadonlyArray<number>,
      leaseId: string,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Makes every delivery that an owner has leased due at once, and returns how many. A process that starts calls it
     * to recover the leases of the killed process with its name (D-DEL-17). Deliveries whose lease has ended are due
     * already and do not count.
     */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /** Returns the earliest due time later than an instant. For a leased delivery that is the end of its lease. */
    readonly nextDue: (after: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /** The earliest due time of all deliveries, past or future. For a leased delivery that is the end of its lease. */
    readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  }
>()("@frontdesk/core/delivery/DeliveryQueue") {}
