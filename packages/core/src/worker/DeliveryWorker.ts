import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { Crypto } from "../crypto/Crypto.ts"
import * as DeliveryCommands from "../delivery/DeliveryCommands.ts"
import * as DeliveryEngineState from "../delivery/DeliveryEngineState.ts"
import * as RunningEngine from "../delivery/RunningEngine.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as LeaseRecovery from "../background/LeaseRecovery.ts"
import * as DeliveryMetrics from "../delivery/DeliveryMetrics.ts"
import { DeliveryQueue } from "../delivery/DeliveryQueue.ts"
import { CurrentDeliverySettings } from "../delivery/DeliverySettings.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { WebhookSender } from "../delivery/WebhookSender.ts"
import * as Tracing from "../values/Tracing.ts"

/** The interval at which the metric of the oldest due delivery is measured. */
const measureEvery = Duration.seconds(5)

/**
 * Claims due deliveries, makes one attempt for each, and records the results (C-6-1, D-DEL-3).
 *
 * The `DeliveryEngine` decides what to do next. It is a pure function of a state and an input.
 */
export class DeliveryWorker extends Context.Service<
  DeliveryWorker,
  {
    /**
     * Claims the due deliveries that can start now, sends all of them at once, and records the results. Returns how
     * many attempts it made. A second call waits for the first. For tests, and for programs with a timer of their own.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Repeats `runOnce` until it makes no attempt. Returns how many attempts it made in all. */
    readonly drain: Effect.Effect<number, StorageError>
    /**
     * Sends deliveries until it is interrupted. Then it finishes and records the attempts in flight before it ends.
     *
     * It looks for due deliveries at a signal, when the next delivery is due, when a result is recorded, and at each
     * poll interval. The poll alone is enough. When the store fails, it tries again at the next poll. After an outage
     * it makes no claim for as long as the outage lasted, at most 5 seconds. It claims no delivery of a webhook with
     * unrecorded results that the store has refused or deferred.
     */
    readonly run: Effect.Effect<never>
    /** The number of deliveries that this process is sending, by webhook. A webhook without any is absent. */
    readonly sending: Effect.Effect<ReadonlyMap<WebhookId, number>>
  }
>()("@frontdesk/core/worker/DeliveryWorker") {
  /** The worker, which sends nothing until one of its members runs. Reads `CurrentDeliverySettings` once. */
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
      const running = new Set<RunningEngine.RunningEngine>()
      let slow: ReadonlySet<WebhookId> = new Set()

      const start = Effect.fnUntraced(function* (mode: DeliveryEngineState.Mode) {
        const initial = DeliveryEngineState.make(DeliveryEngineState.settingsOf(settings), mode, slow)
        const engine = yield* RunningEngine.start(initial, carryOut)
        running.add(engine)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            running.delete(engine)
            slow = engine.state().concurrency.slow
          })
        )
        return engine
      })

      const runOnce = Effect.gen(function* () {
        const engine = yield* start("once")
        yield* engine.ended
        const { attemptCount, failure } = engine.state()
        return failure === null ? attemptCount : yield* failure
      }).pipe(Effect.scoped, oneAtATime.withPermits(1), Tracing.span("DeliveryWorker.runOnce"), Effect.provide(context))

      const drain = Effect.gen(function* () {
        let total = 0
        for (let sent = yield* runOnce; sent > 0; sent = yield* runOnce) total += sent
        return total
      })

      const measure = queue.oldestDue.pipe(
        Effect.flatMap((oldest) => Effect.flatMap(DateTime.now, (now) => DeliveryMetrics.updateOldestDue(oldest, now))),
        // A failure is ignored here. The engine logs it when it claims.
        Effect.ignoreCause,
        Effect.andThen(Effect.sleep(measureEvery)),
        Effect.forever
      )

      const run = Effect.gen(function* () {
        yield* LeaseRecovery.release("deliveries", settings.owner, queue.release)
        yield* Effect.forkScoped(measure)
        // Uninterruptible until the finalizer is set: an engine without it could claim deliveries and never be stopped.
        const { ended, handle } = yield* Effect.uninterruptible(
          Effect.tap(start("forever"), ({ ended, handle }) =>
            Effect.addFinalizer(() => {
              handle({ _tag: "Stop" })
              return Effect.ignoreCause(ended)
            })
          )
        )
        const listen = Effect.gen(function* () {
          yield* latch.await
          latch.closeUnsafe()
          handle({ _tag: "Notified" })
        })
        yield* Effect.forkScoped(Effect.forever(listen))
        return yield* Effect.andThen(ended, Effect.never)
      }).pipe(Effect.scoped, Effect.provide(context))

      const sending = Effect.sync(() => {
        const counts = new Map<WebhookId, number>()
        for (const engine of running)
          for (const [webhookId, count] of engine.state().concurrency.sending)
            counts.set(webhookId, (counts.get(webhookId) ?? 0) + count)
        return counts
      })

      return DeliveryWorker.of({ runOnce, drain, run, sending })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}
