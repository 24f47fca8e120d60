import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Signal from "../worker/Signal.ts"

/**
 * Tells who delivers that something new is due.
 *
 * Beside the dispatcher of the process an adapter may listen, to wake other processes, or notify when another process
 * has woken this one.
 */
export class DeliverySignal extends Context.Service<DeliverySignal, Signal.Signal>()(
  "@frontdesk/core/webhook/DeliverySignal"
) {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.sync(DeliverySignal, Signal.make)
}
