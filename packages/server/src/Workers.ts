import { Reminders } from "@frontdesk/core/calendar/Reminders"
import { CallEventsWorker } from "@frontdesk/core/call/CallEventsWorker"
import { Reconciler } from "@frontdesk/core/call/Reconciler"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxWorker } from "@frontdesk/core/outbox/OutboxWorker"
import * as Outage from "@frontdesk/core/storage/Outage"
import { DeliveryRetention } from "@frontdesk/core/webhook/DeliveryRetention"
import { Dispatcher } from "@frontdesk/core/webhook/Dispatcher"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** How long a worker waits before it starts again, with so many ends in a row before this one. */
const backoff = (ends: number): Duration.Duration =>
  Duration.min(Duration.millis(200 * 2 ** ends), Duration.seconds(30))

/** A worker that ran this long was well; its next end is a first one again. */
const wellAfter = Duration.minutes(1)

/** Runs a worker for ever: one that ends, however it does, is logged and started again after a while. */
export const supervise = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  worker: Effect.Effect<A, E, R>
): Effect.fn.Return<never, never, R> {
  let ends = 0
  while (true) {
    const startedAt = yield* Clock.monotonicTimeNanos
    yield* worker.pipe(
      Effect.andThen(Effect.logWarning(`The worker "${name}" has ended and is started again`)),
      Effect.catchCause((cause) => Outage.log("Error", `The worker "${name}" has failed and is started again`, cause))
    )
    const ran = Duration.nanos((yield* Clock.monotonicTimeNanos) - startedAt)
    if (Duration.isGreaterThanOrEqualTo(ran, wellAfter)) ends = 0
    yield* Effect.sleep(backoff(ends))
    ends += 1
  }
})

/** Forgets old answers to idempotent requests, once an hour. */
const sweep = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const forgotten = yield* store.sweep(yield* DateTime.now)
  if (forgotten > 0) yield* Effect.logDebug(`Forgot ${forgotten} old answers`)
  yield* Effect.sleep("1 hour")
}).pipe(Effect.forever)

/** Everything that acts on its own, until it is interrupted; each worker finishes what it is doing first. */
export const run = Effect.gen(function* () {
  const workers = {
    webhooks: (yield* Dispatcher).run,
    "call events": (yield* CallEventsWorker).run,
    reconciler: (yield* Reconciler).run,
    reminders: (yield* Reminders).run,
    outbox: (yield* OutboxWorker).run,
    "webhook retention": (yield* DeliveryRetention).run,
    "idempotency sweep": sweep
  }
  return yield* Effect.forEach(Object.entries(workers), ([name, worker]) => supervise(name, worker), {
    concurrency: "unbounded",
    discard: true
  })
})
