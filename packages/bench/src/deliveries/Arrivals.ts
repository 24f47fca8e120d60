import type { Account } from "@frontdesk/core/access/Account"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { DeliveryRetentionWorker } from "@frontdesk/core/worker/DeliveryRetentionWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as Engine from "./Engine.ts"
import { type Inbox, monotonicMillis } from "./Inbox.ts"

/**
 * The number of measured webhook events in a round, the milliseconds between two of them, and the number of rounds.
 */
export interface Size {
  readonly count: number
  readonly pause: number
  readonly rounds: number
}

/**
 * Publishes webhook events of an account one after the other, for calls with the ids from `first` on. Returns the
 * milliseconds of each from its commit to its receiver, which is at `/noted`.
 */
export const times = Effect.fnUntraced(function* (
  inbox: Inbox,
  account: Account,
  first: number,
  { count, pause }: Size
) {
  const { notify } = yield* WebhookEventPublisher
  const committed = new Map<number, number>()
  for (const id of Engine.idsFrom(first, count)) {
    yield* Engine.raise([account], [id])
    committed.set(id, monotonicMillis())
    yield* notify
    yield* Effect.sleep(pause)
  }
  const arrived: Array<number> = []
  while (arrived.length < count) {
    yield* Effect.sleep(pause)
    for (const { at, callId } of yield* Effect.promise(inbox.arrivals)) {
      arrived.push(at - (committed.get(callId) ?? Number.NaN))
    }
  }
  return arrived
})

/** Cancels all deliveries of an account that wait, and answers the requests that hang. */
export const forget = Effect.fnUntraced(function* (inbox: Inbox, account: Account) {
  const webhooks = yield* (yield* WebhookStore).list(account.id)
  for (const { id } of webhooks) yield* (yield* DeliveryStore).cancelOpen(id)
  // The storage cancels some deliveries at once and leaves the others to the purge, which no worker runs here.
  yield* (yield* DeliveryRetentionWorker).purge
  yield* Effect.promise(inbox.release)
})

/**
 * Prints the median and the 99th percentile of times in milliseconds, compared with those of the first name. They are
 * those of all rounds together, because the 99th percentile depends on few webhook events in one round.
 */
export const print = (
  title: string,
  measured: ReadonlyArray<{ readonly name: string; readonly times: ReadonlyArray<number> }>
): void => {
  console.log(Rounds.row(title, ["p50", "p99", "x p50", "x p99"]))
  const quantiles = (times: ReadonlyArray<number>) => [0.5, 0.99].map((part) => Rounds.quantile(times, part))
  const baseline = quantiles(measured[0]?.times ?? [])
  for (const { name, times } of measured) {
    const values = quantiles(times)
    const ratios = values.map((value, index) => value / (baseline[index] ?? Number.NaN))
    console.log(
      Rounds.row(
        name,
        [...values, ...ratios].map((cell) => cell.toFixed(2))
      )
    )
  }
}
