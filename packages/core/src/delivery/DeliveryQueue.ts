import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** What a claim may take. */
export interface ClaimRequest {
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly leaseId: string
  /** Who takes it: one process. */
  readonly owner: string
  readonly limit: number
  /** How many of one endpoint may be in flight. */
  readonly perWebhook: number
  /** What this process has in flight now, by webhook: leaves that much less room. */
  readonly inFlight: ReadonlyMap<WebhookId, number>
}

/** What became of results, by the internal keys of their deliveries; one that is in neither had lost its lease. */
export interface Recorded {
  readonly recorded: ReadonlyArray<number>
  /** Nothing was done of them, because another writer holds their webhook now: they are to be offered again. */
  readonly deferred: ReadonlyArray<number>
}

/**
 * Port: where deliveries wait until they have arrived. It is all that the `DeliveryWorker` asks of a storage; how they get
 * there is the storage's own affair, or that of `DeliveryStore`.
 *
 * Each member is one step: done wholly or not at all.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /**
     * Takes due deliveries: pending ones whose time has come, and leased ones whose lease has ended; the longest due
     * first, of those due together the one added first. A delivery never tried waits for the first try of every earlier
     * delivery of the same subject to the same webhook. Of one webhook no more than has room.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>
    /**
     * Returns whether a claimed delivery may still be sent: no other claim has taken it since, it was not cancelled, and
     * its webhook exists, wants it, and has the URL it was claimed with. Whether the lease has ended is not asked.
     */
    readonly isCurrent: (
      claimed: Pick<ClaimedDelivery, "key" | "leaseId" | "url">
    ) => Effect.Effect<boolean, StorageError>
    /**
     * Records results: the attempt, the delivery's next state, and what the webhook shows of it. One that disables its
     * webhook cancels what else is pending or leased of that; one of a URL that the webhook no longer has leaves its
     * status as it is, and cancels nothing. A result whose lease is no longer held changes nothing.
     *
     * It waits for nobody who changes one of the webhooks: the results of that webhook are left for a later call.
     */
    readonly record: (
      results: ReadonlyArray<DeliveryResult>,
      now: DateTime.Utc
    ) => Effect.Effect<Recorded, StorageError>
    /**
     * Puts deliveries of a lease back unsent: they are due at the time given, and this claim of them does not count. One
     * whose lease is no longer held stays as it is.
     */
    readonly postpone: (
      keys: ReadonlyArray<number>,
      leaseId: string,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /**
     * Makes everything an owner has leased due at once: what its predecessor held when it was killed. Answers how many;
     * one whose lease has ended is due already, and stays as it is.
     */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /** The earliest time after an instant, and not at it, at which a delivery is due, leased ones included. */
    readonly nextDue: (after: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /** The earliest time at which a delivery is or was due, leased ones included: how far behind delivery is. */
    readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  }
>()("@frontdesk/core/delivery/DeliveryQueue") {}
