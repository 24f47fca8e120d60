import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { DeliveryRetentionWorker } from "@frontdesk/core/worker/DeliveryRetentionWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as Engine from "./Engine.ts"
import { type Inbox, monotonicMillis } from "./Inbox.ts"

/** How many deliveries wait for the receiver that hangs while the receiver that answers is measured. */
const pending = 1_000

/**
 * The number of measured webhook events in a round, the milliseconds between two of them, and the number of rounds.
 */
export interface Size {
  readonly count: number
  readonly pause: number
  readonly rounds: number
}

/** Returns the median and the 99th percentile. */
const quantiles = (times: ReadonlyArray<number>): ReadonlyArray<number> =>
  [0.5, 0.99].map((part) => Rounds.quantile(times, part))

/**
 * Prints the time of a webhook event from its commit to its receiver: alone, and while a thousand deliveries wait for a
 * receiver that hangs. The 99th percentile is that of all rounds together, because it depends on few webhook events in
 * one round. The rounds are short and alternate between the two cases, so that other load affects them alike.
 */
export const run = async (services: Engine.Context, inbox: Inbox, { count, pause, rounds }: Size): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const good = await runPromise(Engine.subscribe([inbox.url("/noted")], "call.ended"))
  const bad = await runPromise(Engine.subscribe([inbox.url("/hanging")], "call.ended"))
  let first = 1

  /** Publishes webhook events one after the other, and returns the time of each in milliseconds. */
  const times = Effect.gen(function* () {
    const { notify } = yield* WebhookEventPublisher
    const committed = new Map<number, number>()
    for (const id of Engine.idsFrom(first, count)) {
      yield* Engine.raise([good], [id])
      committed.set(id, monotonicMillis())
      yield* notify
      yield* Effect.sleep(pause)
    }
    first += count
    const arrived: Array<number> = []
    while (arrived.length < count) {
      yield* Effect.sleep(pause)
      for (const { at, callId } of yield* Effect.promise(inbox.arrivals)) {
        arrived.push(at - (committed.get(callId) ?? Number.NaN))
      }
    }
    return arrived
  })

  /** Cancels the deliveries that wait for the receiver that hangs, and answers the requests that hang there. */
  const forget = Effect.gen(function* () {
    const webhooks = yield* (yield* WebhookStore).list(bad.id)
    for (const { id } of webhooks) yield* (yield* DeliveryStore).cancelOpen(id)
    // The storage cancels some deliveries at once and leaves the others to the purge, which no worker runs here.
    yield* (yield* DeliveryRetentionWorker).purge
    yield* Effect.promise(inbox.release)
  })

  const contestants = [
    { name: "alone", waiting: 0 },
    { name: `beside ${pending.toLocaleString("en")} that hang`, waiting: pending }
  ]
  const measured = await Rounds.interleave(contestants, rounds, async ({ waiting }) => {
    await inbox.hang()
    await runPromise(Engine.fillQueue([bad], first, waiting))
    first += waiting
    return runPromise(Engine.deliveringWhile(Effect.tap(times, forget)))
  })

  console.log(Rounds.row("commit to arrival, ms", ["p50", "p99", "x p50", "x p99"]))
  const pools = measured.map(({ contestant, results }) => ({
    name: contestant.name,
    values: quantiles(results.flat())
  }))
  for (const { name, values } of pools) {
    const ratios = values.map((value, index) => value / (pools[0]?.values[index] ?? Number.NaN))
    const cells = [...values, ...ratios].map((cell) => cell.toFixed(2))
    console.log(Rounds.row(name, cells))
  }
}
