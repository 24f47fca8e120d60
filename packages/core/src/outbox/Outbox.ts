import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../storage/StorageError.ts"
import type * as Signal from "../background/Signal.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxWork } from "./OutboxTask.ts"

/**
 * Takes down what must happen outside because of a change.
 *
 * `add` is called in the transaction of the change, `notify` after it: a notify that is lost costs time, nothing else.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Keeps tasks, due at once; none is fine. */
    readonly add: (work: ReadonlyArray<OutboxWork>) => Effect.Effect<void, StorageError>
    /** Wakes the worker. */
    readonly notify: Effect.Effect<void>
    /** A latch that opens at each notify, until the scope ends. Who listens closes it before looking for work. */
    readonly listen: Signal.Signal["listen"]
  }
>()("@frontdesk/core/outbox/Outbox") {
  /** The service on an `OutboxStore`. */
  static readonly layer: Layer.Layer<Outbox, never, OutboxStore> = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { listen, notify } = yield* OutboxSignal
      return Outbox.of({
        add: (work) => (work.length === 0 ? Effect.void : Effect.flatMap(DateTime.now, (now) => store.add(work, now))),
        notify,
        listen
      })
    })
  ).pipe(Layer.provide(OutboxSignal.layer))
}
