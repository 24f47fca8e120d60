import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/**
 * The signal that a delivery may be due. It notifies the `DeliveryWorker`.
 *
 * A storage that several processes share may `forward` it to the others, and call `notifyLocally` for a signal from
 * another process.
 */
export class DeliverySignal extends Context.Service<DeliverySignal, Signal.Signal>()(
  "@frontdesk/core/delivery/DeliverySignal"
) {
  /** A signal within the process. All services of one build of layers share it. */
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.sync(DeliverySignal, Signal.make)
}
