import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Signal from "../background/Signal.ts"

/** Tells who does the tasks of the outbox that there are new ones. */
export class OutboxSignal extends Context.Service<OutboxSignal, Signal.Signal>()(
  "@frontdesk/core/outbox/OutboxSignal"
) {
  /** Signals within the process. One build of layers shares one. */
  static readonly layer: Layer.Layer<OutboxSignal> = Layer.sync(OutboxSignal, Signal.make)
}
