import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { DeliveryResult } from "./Delivery.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import { DeliveryStore } from "./DeliveryStore.ts"

/**
 * Records results together, and cancels what is pending of a webhook that answered 410, in one transaction.
 *
 * It never fails. What a store that is out of reach will not take in some six seconds is given up with a log line: the
 * lease runs out, and the delivery is sent again with the same id.
 */
export const record: (
  results: ReadonlyArray<DeliveryResult>
) => Effect.Effect<void, never, DeliveryStore | Transaction> = Effect.fnUntraced(function* (results) {
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

const write: (
  results: ReadonlyArray<DeliveryResult>
) => Effect.Effect<void, StorageError, DeliveryStore | Transaction> = Effect.fnUntraced(function* (results) {
  const store = yield* DeliveryStore
  const transaction = yield* Transaction
  const now = yield* DateTime.now
  yield* transaction.run(
    Effect.gen(function* () {
      const recorded = new Set(yield* store.record(results, now))
      const gone = results.filter((result) => result.webhookStatus === "disabled" && recorded.has(result.key))
      for (const webhookId of new Set(gone.map((result) => result.webhookId))) yield* store.cancelPending(webhookId)
    })
  )
})

/** Takes results and records them in small batches. */
export interface ResultRecorder {
  /** Hands a result over; it is recorded soon. */
  readonly offer: (result: DeliveryResult) => void
}

/**
 * A recorder that lives as long as the scope; when that closes, everything handed over is recorded first.
 *
 * The first result of a batch waits for others for as long as the settings say, or until the batch is full.
 * `onRecorded` hears how many have been dealt with.
 */
export const make: (
  onRecorded: (count: number) => void
) => Effect.Effect<ResultRecorder, never, Scope.Scope | DeliveryStore | Transaction> = Effect.fnUntraced(
  function* (onRecorded) {
    const { batchDelay, batchSize } = yield* CurrentDeliverySettings
    const waiting: Array<DeliveryResult> = []
    const some = Latch.makeUnsafe(false)
    const full = Latch.makeUnsafe(false)
    let closing = false

    const nextBatch = Effect.gen(function* () {
      yield* some.await
      if (!closing) yield* Effect.raceFirst(full.await, Effect.sleep(batchDelay))
      const batch = waiting.splice(0, batchSize)
      if (!closing && waiting.length < batchSize) full.closeUnsafe()
      if (!closing && waiting.length === 0) some.closeUnsafe()
      if (batch.length === 0) return
      yield* record(batch)
      onRecorded(batch.length)
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
      full.openUnsafe()
      return Fiber.await(fiber)
    })

    return {
      offer: (result) => {
        waiting.push(result)
        some.openUnsafe()
        if (waiting.length >= batchSize) full.openUnsafe()
      }
    }
  }
)
