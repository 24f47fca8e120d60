import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Outage from "../storage/Outage.ts"
import { StorageError } from "../storage/StorageError.ts"
import * as BusyResults from "./BusyResults.ts"
import type { DeliveryResult } from "./Delivery.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { InFlight } from "./InFlight.ts"

/** The longest pause before results are offered again. */
const longestPause = Duration.millis(400)

/** For how long results are offered when nobody is there to keep them any longer. */
const lastOffers = Duration.seconds(6)

/** How many results that wait for others are kept in all, as a multiple of the places. */
const keptPerPlace = 4

/** Takes results and records them in small batches. */
export interface ResultRecorder {
  /** Hands a result over; it is recorded soon. */
  readonly offer: (result: DeliveryResult) => void
  /** Ends when the recorder has a defect, with that. */
  readonly failure: Effect.Effect<never>
}

const giveUp = (count: number, reason: unknown): Effect.Effect<void> =>
  Outage.log("Error", `${count === 1 ? "1 webhook result was" : `${count} webhook results were`} not recorded`, reason)

/**
 * A recorder that lives as long as the scope; when that closes, everything handed over is recorded first. What the store
 * does not take within 6 seconds is given up then, with a log line: the lease runs out, and the delivery is sent again
 * with the same id.
 *
 * The first result of a batch waits for others for as long as the settings say, or until there are enough of them: as
 * many as the settings say, and under load half of what is in flight. Then all that have come are recorded together, and
 * `onSettled` hears of them: their places are free.
 *
 * What a result says stays true however long the store is out of reach, so it is kept, in its place, and offered until
 * the store is back; if somebody else has taken the delivery by then, it changes nothing. What was refused together is
 * offered in smaller and smaller parts, in turn with what is new, so that one result which cannot be taken holds up no
 * other for long. Results of a webhook that others hold go with the next batch (`BusyResults`). Of the webhooks of either
 * this process claims nothing meanwhile: a lease that has ended would be taken anew, and what has its result sent again.
 */
export const make: (
  inFlight: Pick<InFlight, "count" | "hold">,
  onSettled: (results: ReadonlyArray<DeliveryResult>) => void
) => Effect.Effect<ResultRecorder, never, Scope.Scope | DeliveryQueue> = Effect.fnUntraced(
  function* (inFlight, onSettled) {
    const queue = yield* DeliveryQueue
    const { batchDelay, batchSize, maxInFlight } = yield* CurrentDeliverySettings
    const some = Latch.makeUnsafe(false)
    const enough = Latch.makeUnsafe(false)
    /** All that was handed over and is not settled. */
    const kept = new Set<DeliveryResult>()
    let fresh: Array<DeliveryResult> = []
    const busy = BusyResults.make(keptPerPlace * maxInFlight)
    let refused: ReadonlyArray<DeliveryResult> = []
    let refusal: StorageError | null = null
    /** How many of those refused are offered together. */
    let part = Number.POSITIVE_INFINITY
    let isTurnOfRefused = false
    /** How many offers in a row settled nothing. */
    let tries = 0
    let closing = false

    const settle = (results: ReadonlyArray<DeliveryResult>): void => {
      for (const result of results) kept.delete(result)
      if (results.length > 0) onSettled(results)
    }

    const offer = Effect.fnUntraced(function* (batch: ReadonlyArray<DeliveryResult>) {
      const now = yield* DateTime.now
      const answer = yield* queue.record(batch, now).pipe(
        Effect.catchDefect((cause) => Effect.fail(new StorageError({ reason: "unknown", operation: "record", cause }))),
        Effect.result
      )
      if (Result.isSuccess(answer)) {
        const keys = new Set(answer.success.busy)
        const settled = yield* busy.sort(batch, ({ key }) => keys.has(key), now)
        const lost = batch.length - answer.success.recorded.length - answer.success.busy.length
        if (lost > 0) yield* Metric.update(DeliveryMetrics.lostLeases, lost)
        if (refused.length === 0) {
          refusal = null
          part = Number.POSITIVE_INFINITY
        }
        return settled
      }
      yield* busy.sort(batch, () => false, now)
      if (batch.length === 1 && !answer.failure.isRetryable) {
        yield* giveUp(1, answer.failure)
        return batch
      }
      if (refusal === null)
        yield* Outage.log("Warn", "webhook results wait until the store can take them", answer.failure)
      refusal = answer.failure
      part = Math.min(part, Math.ceil(batch.length / 2))
      refused = [...refused, ...batch]
      return []
    })

    const nextBatch = Effect.gen(function* () {
      if (kept.size === 0) yield* some.await
      else if (tries > 0 || fresh.length + refused.length === 0) {
        const pause = Effect.sleep(Duration.min(Duration.millis(5 * 2 ** tries), longestPause))
        yield* closing || refused.length > 0 ? pause : Effect.raceFirst(some.await, pause)
      }
      if (!closing && fresh.length > 0) {
        yield* Effect.raceFirst(enough.await, Effect.sleep(batchDelay))
        // What has arrived by now and was not looked at goes with them.
        yield* Effect.yieldNow
      }
      isTurnOfRefused = refused.length > 0 && !(isTurnOfRefused && fresh.length + busy.size() > 0)
      const batch = isTurnOfRefused ? refused.slice(0, part) : [...busy.all(), ...fresh]
      if (isTurnOfRefused) refused = refused.slice(part)
      else {
        fresh = []
        if (!closing) {
          some.closeUnsafe()
          enough.closeUnsafe()
        }
      }
      if (batch.length === 0) return
      const settled = yield* offer(batch)
      tries = settled.length > 0 ? 0 : tries + 1
      inFlight.hold(new Set([...busy.all(), ...refused].map(({ webhookId }) => webhookId)), busy.size())
      settle(settled)
    })

    const fiber = yield* Effect.forkScoped(
      Effect.whileLoop({
        while: () => !closing || kept.size > 0,
        body: () => nextBatch,
        step: () => {}
      })
    )
    yield* Effect.addFinalizer(
      Effect.fnUntraced(function* () {
        closing = true
        some.openUnsafe()
        enough.openUnsafe()
        const exit = yield* Effect.timeoutOption(Fiber.await(fiber), lastOffers)
        yield* Fiber.interrupt(fiber)
        const late = refusal ?? (busy.size() > 0 ? "others hold their webhooks" : "the store does not answer")
        const reason = Option.isSome(exit) && exit.value._tag === "Failure" ? exit.value.cause : late
        if (kept.size > 0) yield* giveUp(kept.size, reason)
        inFlight.hold(new Set(), 0)
        settle([...kept])
      })
    )

    return {
      offer: (result) => {
        kept.add(result)
        fresh.push(result)
        some.openUnsafe()
        const others = inFlight.count() - busy.size() - refused.length
        if (fresh.length >= Math.max(batchSize, others / 2)) enough.openUnsafe()
      },
      failure: Effect.andThen(Fiber.join(fiber), Effect.never)
    }
  }
)

/** Records results together, as a recorder does that takes no more. It never fails. */
export const record: (results: ReadonlyArray<DeliveryResult>) => Effect.Effect<void, never, DeliveryQueue> =
  Effect.fnUntraced(function* (results) {
    const inFlight = { count: () => results.length, hold: () => {} }
    const recorder = yield* make(inFlight, () => {})
    for (const result of results) recorder.offer(result)
  }, Effect.scoped)
