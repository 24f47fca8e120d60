import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/**
 * Tells who delivers that something new is due.
 *
 * An adapter of a storage that many processes share may `forward` it to them, and `wake` this process when another has
 * signalled.
 */
export class DeliverySignal extends Context.Service<DeliverySignal, Signal.Signal>()(
  "@frontdesk/core/delivery/DeliverySignal"
) {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.sync(DeliverySignal, Signal.make)
}
