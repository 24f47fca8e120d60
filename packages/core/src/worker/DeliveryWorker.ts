import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Crypto } from "../crypto/Crypto.ts"
import * as DeliveryCommands from "../delivery/DeliveryCommands.ts"
import * as DeliveryEngineState from "../delivery/DeliveryEngineState.ts"
import * as DeliveryProcess from "../delivery/DeliveryProcess.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as LeaseRecovery from "../background/LeaseRecovery.ts"
import * as DeliveryMetrics from "../delivery/DeliveryMetrics.ts"
import { DeliveryQueue } from "../delivery/DeliveryQueue.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { WebhookSender } from "../delivery/WebhookSender.ts"

/** How often the metrics show how long deliveries have been waiting. */
const measureEvery = Duration.seconds(5)

/**
 * Sends what is due: claims deliveries, makes one attempt each, and records the results (C-6-1, D-DEL-3).
 *
 * What happens next is decided by the `DeliveryEngine`, a pure function of a state and an input.
 */
export class DeliveryWorker extends Context.Service<
  DeliveryWorker,
  {
    /**
     * Claims what is due and can start now, sends it all at once, and records the results. Returns how many were sent. One
     * call waits for another. For tests, and for programs that deliver from a timer of their own.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Does `runOnce` until nothing that is due can be sent. Returns how many were sent. */
    readonly drain: Effect.Effect<number, StorageError>
    /**
     * Delivers until it is interrupted; what is in flight then is finished and recorded first. Wakes at a signal, when
     * the next delivery is due, when a result is recorded, and each poll interval; it works with the last alone. A
     * store that fails is asked again at the next poll. After one that was out of reach nothing is claimed for as long
     * again, up to 5 seconds, and nothing of a webhook while results of it wait to be recorded.
     */
    readonly run: Effect.Effect<never>
    /** How many deliveries this process is sending now, by webhook; those with none are not in it. */
    readonly inFlight: Effect.Effect<ReadonlyMap<WebhookId, number>>
  }
>()("@frontdesk/core/worker/DeliveryWorker") {
  /** The service alone: nothing is sent until it is told to run. Reads `CurrentDeliverySettings` once. */
  static readonly layer: Layer.Layer<DeliveryWorker, never, DeliveryQueue | WebhookSender | Crypto> = Layer.effect(
    DeliveryWorker,
    Effect.gen(function* () {
      const settings = yield* CurrentDeliverySettings
      const queue = yield* DeliveryQueue
      const latch = yield* (yield* DeliverySignal).listen
      const context = yield* Effect.context<DeliveryQueue | WebhookSender | Crypto>()
      const owner = settings.owner ?? (yield* (yield* Crypto).uuid)
      const carryOut = yield* DeliveryCommands.make(settings, owner)
      const oneAtATime = yield* Semaphore.make(1)
      const processes = new Set<DeliveryProcess.DeliveryProcess>()
      let slow: ReadonlySet<WebhookId> = new Set()

      const start = Effect.fnUntraced(function* (mode: DeliveryEngineState.Mode) {
        const initial = DeliveryEngineState.make(DeliveryEngineState.settingsOf(settings), mode, slow)
        const process = yield* DeliveryProcess.start(initial, carryOut)
        processes.add(process)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            processes.delete(process)
            slow = process.state().concurrency.slow
          })
        )
        return process
      })

      const runOnce = Effect.gen(function* () {
        const process = yield* start("once")
        yield* process.over
        const { attemptCount, failure } = process.state()
        return failure === null ? attemptCount : yield* failure
      }).pipe(
        Effect.scoped,
        oneAtATime.withPermits(1),
        Effect.withSpan("DeliveryWorker.runOnce"),
        Effect.provide(context)
      )

      const drain = Effect.gen(function* () {
        let total = 0
        for (let sent = yield* runOnce; sent > 0; sent = yield* runOnce) total += sent
        return total
      })

      const measure = queue.oldestDue.pipe(
        Effect.flatMap((oldest) => Effect.flatMap(DateTime.now, (now) => DeliveryMetrics.waited(oldest, now))),
        // A store that fails is spoken of by whoever claims.
        Effect.ignoreCause,
        Effect.andThen(Effect.sleep(measureEvery)),
        Effect.forever
      )

      const run = Effect.gen(function* () {
        yield* LeaseRecovery.release("deliveries", settings.owner, queue.release)
        yield* Effect.forkScoped(measure)
        // Nothing may be claimed before it is certain that a stop is heard of.
        const { give, over } = yield* Effect.uninterruptible(
          Effect.tap(start("forever"), ({ give, over }) =>
            Effect.addFinalizer(() => {
              give({ _tag: "Stop" })
              return Effect.ignoreCause(over)
            })
          )
        )
        const listen = Effect.gen(function* () {
          yield* latch.await
          latch.closeUnsafe()
          give({ _tag: "Notified" })
        })
        yield* Effect.forkScoped(Effect.forever(listen))
        return yield* Effect.andThen(over, Effect.never)
      }).pipe(Effect.scoped, Effect.provide(context))

      const inFlight = Effect.sync(() => {
        const counts = new Map<WebhookId, number>()
        for (const process of processes)
          for (const [webhookId, count] of process.state().concurrency.sending)
            counts.set(webhookId, (counts.get(webhookId) ?? 0) + count)
        return counts
      })

      return DeliveryWorker.of({ runOnce, drain, run, inFlight })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}
