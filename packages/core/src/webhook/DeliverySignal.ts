import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/**
 * Tells who delivers that something new is due.
 *
 * A signal that nobody waits for costs nothing, and one that is lost costs time alone. Beside the dispatcher of the
 * process an adapter may listen, to wake other processes, or notify when another process has woken this one.
 */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /** Opens the latch of everyone who listens. */
    readonly notify: Effect.Effect<void>
    /** A latch that opens at each signal, until the scope ends. Who listens closes it before looking for work. */
    readonly listen: Effect.Effect<Latch.Latch, never, Scope.Scope>
  }
>()("@frontdesk/core/webhook/DeliverySignal") {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.sync(DeliverySignal, () => {
    const latches = new Set<Latch.Latch>()
    return DeliverySignal.of({
      notify: Effect.sync(() => {
        for (const latch of latches) latch.openUnsafe()
      }),
      listen: Effect.acquireRelease(
        Effect.sync(() => {
          const latch = Latch.makeUnsafe(false)
          latches.add(latch)
          return latch
        }),
        (latch) => Effect.sync(() => latches.delete(latch))
      )
    })
  })
}
