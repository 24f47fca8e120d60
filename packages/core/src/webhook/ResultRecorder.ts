import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Outage from "../storage/Outage.ts"
import { StorageError } from "../storage/StorageError.ts"
import type { DeliveryResult } from "./Delivery.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { InFlight } from "./InFlight.ts"

/** The longest pause before a process offers results again that a store could not take. */
const longestPause: Duration.Duration = Duration.millis(400)

/** How often results are offered again when nobody is there to keep them any longer: for some six seconds. */
const lastTries = 7

const pause = (tries: number): Duration.Duration => Duration.millis(50 * 2 ** tries)

/** What a store made of results that it was offered. */
interface Offered {
  /** Those to be offered again. */
  readonly left: ReadonlyArray<DeliveryResult>
  /** Why it took nothing of them, if it may later; null when it did not fail. */
  readonly refusal: StorageError | null
}

/** Offers results to the store, each alone if it fails on them together. What it can never take is given up. */
const offer: (results: ReadonlyArray<DeliveryResult>) => Effect.Effect<Offered, never, DeliveryQueue> =
  Effect.fnUntraced(function* (results) {
    const queue = yield* DeliveryQueue
    const answer = yield* queue.record(results, yield* DateTime.now).pipe(
      Effect.catchDefect((cause) => Effect.fail(new StorageError({ reason: "unknown", operation: "record", cause }))),
      Effect.result
    )
    if (Result.isSuccess(answer)) {
      const { busy, recorded } = answer.success
      const lost = results.length - recorded.length - busy.length
      if (lost > 0) yield* Metric.update(DeliveryMetrics.lostLeases, lost)
      return { left: results.filter(({ key }) => busy.includes(key)), refusal: null }
    }
    if (answer.failure.isRetryable) return { left: results, refusal: answer.failure }
    if (results.length > 1) return yield* offerEach(results)
    yield* giveUp(answer.failure)
    return { left: [], refusal: null }
  })

/** One result that cannot be kept takes no other down with it. */
const offerEach = Effect.fnUntraced(function* (results: ReadonlyArray<DeliveryResult>) {
  const left: Array<DeliveryResult> = []
  for (const [index, result] of results.entries()) {
    const one = yield* offer([result])
    if (one.refusal !== null) return { left: [...left, ...results.slice(index)], refusal: one.refusal }
    left.push(...one.left)
  }
  return { left, refusal: null }
})

const giveUp = (error: unknown): Effect.Effect<void> => Outage.log("Error", "webhook results were not recorded", error)

/**
 * Records results together, for who cannot keep them.
 *
 * It never fails. What a store will not take in some six seconds is given up with a log line: the lease runs out, and
 * the delivery is sent again with the same id.
 */
export const record: (results: ReadonlyArray<DeliveryResult>) => Effect.Effect<void, never, DeliveryQueue> =
  Effect.fnUntraced(function* (results) {
    let offered = yield* offer(results)
    for (let tries = 0; offered.left.length > 0; tries += 1) {
      if (tries === lastTries) return yield* giveUp(offered.refusal ?? "others hold their webhooks")
      yield* Effect.sleep(pause(tries))
      offered = yield* offer(offered.left)
    }
  })

/** Takes results and records them in small batches. */
export interface ResultRecorder {
  /** Hands a result over; it is recorded soon. */
  readonly offer: (result: DeliveryResult) => void
}

/**
 * A recorder that lives as long as the scope; when that closes, everything handed over is recorded first.
 *
 * The first result of a batch waits for others for as long as the settings say, or until there are enough of them: as
 * many as the settings say, and under load half of what is in flight. Then all that have come are recorded together, and
 * `onRecorded` hears of them: their places are free.
 *
 * What a result says stays true however long the store is out of reach, so it is kept, in its place, and offered until
 * the store is back; if somebody else has taken the delivery by then, it changes nothing. Results of a webhook that
 * others hold go with the next batch. Either hold up nobody but their webhook, of which nothing is claimed meanwhile: a
 * lease that has ended would be taken anew, and what has its result sent again.
 */
export const make: (
  inFlight: Pick<InFlight, "count" | "hold">,
  onRecorded: (results: ReadonlyArray<DeliveryResult>) => void
) => Effect.Effect<ResultRecorder, never, Scope.Scope | DeliveryQueue> = Effect.fnUntraced(
  function* (inFlight, onRecorded) {
    const { batchDelay, batchSize } = yield* CurrentDeliverySettings
    let waiting: Array<DeliveryResult> = []
    let left: ReadonlyArray<DeliveryResult> = []
    let refusals = 0
    const some = Latch.makeUnsafe(false)
    const enough = Latch.makeUnsafe(false)
    let closing = false

    const offerBatch = Effect.fnUntraced(function* (batch: ReadonlyArray<DeliveryResult>) {
      const { left: again, refusal } = yield* offer(batch)
      refusals = refusal === null ? 0 : refusals + 1
      left = again
      inFlight.hold(new Set(left.map(({ webhookId }) => webhookId)))
      const unsettled = new Set(left)
      const settled = batch.filter((result) => !unsettled.has(result))
      if (settled.length > 0) onRecorded(settled)
      if (refusal === null) return
      if (refusals === 1) yield* Outage.log("Warn", "webhook results wait until the store can take them", refusal)
      yield* Effect.sleep(Duration.min(pause(refusals - 1), longestPause))
    })

    const recordLast = Effect.fnUntraced(function* (batch: ReadonlyArray<DeliveryResult>) {
      yield* record(batch)
      left = []
      onRecorded(batch)
    })

    const nextBatch = Effect.gen(function* () {
      if (left.length === 0) yield* some.await
      if (!closing) yield* Effect.raceFirst(enough.await, Effect.sleep(batchDelay))
      // What has arrived by now and was not looked at goes with them.
      yield* Effect.yieldNow
      const batch = left.length === 0 ? waiting : [...left, ...waiting]
      waiting = []
      if (!closing) {
        some.closeUnsafe()
        enough.closeUnsafe()
      }
      if (batch.length > 0) yield* closing ? recordLast(batch) : offerBatch(batch)
    })

    const fiber = yield* Effect.forkScoped(
      Effect.whileLoop({
        while: () => !closing || waiting.length > 0 || left.length > 0,
        body: () => nextBatch,
        step: () => {}
      })
    )
    yield* Effect.addFinalizer(() => {
      closing = true
      some.openUnsafe()
      enough.openUnsafe()
      return Fiber.await(fiber)
    })

    return {
      offer: (result) => {
        waiting.push(result)
        some.openUnsafe()
        const fresh = inFlight.count() - left.length
        if (waiting.length >= Math.max(batchSize, fresh / 2)) enough.openUnsafe()
      }
    }
  }
)
