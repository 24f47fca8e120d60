import * as Arr from "effect/Array"
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
 * offered in halves, in turn with what is new, so that one result which cannot be taken holds up no other for long.
 * Results of a webhook that others hold go with the next batch (`BusyResults`). Of the webhooks of either this process
 * claims nothing meanwhile: a lease that has ended would be taken anew, and what has its result sent again.
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
    /** In the parts in which it is offered again. */
    let refused: ReadonlyArray<ReadonlyArray<DeliveryResult>> = []
    /** Why the last was refused; null when none of it waits. */
    let refusal: StorageError | null = null
    /** How many offers in a row settled nothing. */
    let tries = 0
    let closing = false

    const settle = (results: ReadonlyArray<DeliveryResult>): void => {
      for (const result of results) kept.delete(result)
      if (results.length > 0) onSettled(results)
    }

    /**
     * Ever longer while nothing is settled; for what others hold, and nothing else, no longer than until there is more.
     */
    const rest = Effect.suspend(() => {
      if (kept.size === 0 || (tries === 0 && fresh.length + refused.length > 0)) return Effect.void
      const pause = Effect.sleep(Duration.min(Duration.millis(5 * 2 ** tries), longestPause))
      return closing || refused.length > 0 ? pause : Effect.raceFirst(some.await, pause)
    })

    /** Offers results, and rests if nothing is to be offered at once. */
    const offer = Effect.fnUntraced(function* (batch: ReadonlyArray<DeliveryResult>) {
      const now = yield* DateTime.now
      const answer = yield* queue.record(batch, now).pipe(
        Effect.catchDefect((cause) => Effect.fail(new StorageError({ reason: "unknown", operation: "record", cause }))),
        Effect.result
      )
      const keys = new Set(Result.isSuccess(answer) ? answer.success.busy : [])
      let settled = yield* busy.sort(batch, ({ key }) => keys.has(key), now)
      if (Result.isSuccess(answer)) {
        const lost = batch.length - answer.success.recorded.length - answer.success.busy.length
        if (lost > 0) yield* Metric.update(DeliveryMetrics.lostLeases, lost)
      } else if (batch.length === 1 && !answer.failure.isRetryable) yield* giveUp(1, answer.failure)
      else {
        if (refusal === null)
          yield* Outage.log("Warn", "webhook results wait until the store can take them", answer.failure)
        refusal = answer.failure
        refused = [...refused, ...Arr.chunksOf(batch, Math.ceil(batch.length / 2))]
        settled = []
      }
      if (refused.length === 0) refusal = null
      tries = settled.length > 0 ? 0 : tries + 1
      inFlight.hold(new Set([...busy.all(), ...refused.flat()].map(({ webhookId }) => webhookId)), busy.size())
      settle(settled)
      yield* rest
    })

    /** Offers what is new, with what others held; then one part of what was refused. */
    const round = Effect.gen(function* () {
      if (kept.size === 0) yield* some.await
      if (!closing && fresh.length > 0) {
        yield* Effect.raceFirst(enough.await, Effect.sleep(batchDelay))
        // What has arrived by now and was not looked at goes with them.
        yield* Effect.yieldNow
      }
      const batch = [...busy.all(), ...fresh]
      fresh = []
      some.closeUnsafe()
      enough.closeUnsafe()
      if (batch.length > 0) yield* offer(batch)
      const [part, ...others] = refused
      refused = others
      if (part !== undefined) yield* offer(part)
    })

    const fiber = yield* Effect.forkScoped(
      Effect.whileLoop({
        while: () => !closing || kept.size > 0,
        body: () => round,
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
        const others = inFlight.count() - busy.size() - refused.flat().length
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
