import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { StorageError } from "../storage/StorageError.ts"
import type { DeliveryResult } from "./Delivery.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { InFlight } from "./InFlight.ts"

/**
 * Records results together.
 *
 * It never fails. What a store that is out of reach will not take in some six seconds is given up with a log line: the
 * lease runs out, and the delivery is sent again with the same id.
 */
export const record: (results: ReadonlyArray<DeliveryResult>) => Effect.Effect<void, never, DeliveryQueue> =
  Effect.fnUntraced(function* (results) {
    yield* write(results).pipe(
      Effect.catchDefect((cause) => Effect.fail(new StorageError({ reason: "unknown", operation: "record", cause }))),
      Effect.retry({ while: (error) => error.isRetryable, schedule: Schedule.exponential("50 millis"), times: 7 }),
      Effect.catch((error) =>
        results.length > 1 && !error.isRetryable
          ? // One result that cannot be kept takes no other down with it.
            Effect.forEach(results, (result) => record([result]), { discard: true })
          : Effect.logError("webhook results were not recorded", error)
      )
    )
  })

const write = Effect.fnUntraced(function* (results: ReadonlyArray<DeliveryResult>) {
  const queue = yield* DeliveryQueue
  const recorded = yield* queue.record(results, yield* DateTime.now)
  if (recorded.length < results.length)
    yield* Metric.update(DeliveryMetrics.lostLeases, results.length - recorded.length)
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
 */
export const make: (
  inFlight: Pick<InFlight, "count">,
  onRecorded: (results: ReadonlyArray<DeliveryResult>) => void
) => Effect.Effect<ResultRecorder, never, Scope.Scope | DeliveryQueue> = Effect.fnUntraced(
  function* (inFlight, onRecorded) {
    const { batchDelay, batchSize } = yield* CurrentDeliverySettings
    let waiting: Array<DeliveryResult> = []
    const some = Latch.makeUnsafe(false)
    const enough = Latch.makeUnsafe(false)
    let closing = false

    const nextBatch = Effect.gen(function* () {
      yield* some.await
      if (!closing) yield* Effect.raceFirst(enough.await, Effect.sleep(batchDelay))
      // What has arrived by now and was not looked at goes with them.
      yield* Effect.yieldNow
      const batch = waiting
      waiting = []
      if (!closing) {
        some.closeUnsafe()
        enough.closeUnsafe()
      }
      if (batch.length === 0) return
      yield* record(batch)
      onRecorded(batch)
    })

    const fiber = yield* Effect.forkScoped(
      Effect.whileLoop({
        while: () => !closing || waiting.length > 0,
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
        if (waiting.length >= Math.max(batchSize, inFlight.count() / 2)) enough.openUnsafe()
      }
    }
  }
)
