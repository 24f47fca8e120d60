import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Signal from "../background/Signal.ts"
import { OutboxStore } from "./OutboxStore.ts"
import type { OutboxWork } from "./OutboxTask.ts"

/** Notifies the outbox worker of new tasks. */
export class OutboxSignal extends Context.Service<OutboxSignal, Signal.Signal>()(
  "@frontdesk/core/outbox/Outbox/OutboxSignal"
) {
  /** The signal within the process. All services of one build of layers share it. */
  static readonly layer: Layer.Layer<OutboxSignal> = Layer.sync(OutboxSignal, Signal.make)
}

/**
 * Stores what must happen outside Frontdesk because of a change: mails and writes to external calendars.
 *
 * Code calls `add` in the transaction of the change and `notify` after it. A lost notification delays a task until the next
 * poll.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Stores tasks of an account that are due at once. An empty list stores nothing. */
    readonly add: (accountId: AccountId, work: ReadonlyArray<OutboxWork>) => Effect.Effect<void, StorageError>
    /** Notifies the outbox worker. */
    readonly notify: Effect.Effect<void>
    /**
     * Returns a latch that opens at each notification until the scope ends. The listener closes it before it claims tasks.
     */
    readonly listen: Signal.Signal["listen"]
  }
>()("@frontdesk/core/outbox/Outbox") {
  /** The service over an `OutboxStore`. */
  static readonly layer: Layer.Layer<Outbox, never, OutboxStore> = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const store = yield* OutboxStore
      const { listen, notify } = yield* OutboxSignal
      return Outbox.of({
        add: (accountId, work) =>
          work.length === 0 ? Effect.void : Effect.flatMap(DateTime.now, (now) => store.add(accountId, work, now)),
        notify,
        listen
      })
    })
  ).pipe(Layer.provide(OutboxSignal.layer))
}
