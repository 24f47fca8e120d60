import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { DomainEvent } from "./DomainEvent.ts"

/**
 * Writes what happened to the outbox, for every webhook that is subscribed at that moment.
 *
 * `publish` is called in the transaction of the change, `nudge` after it: a nudge that is lost costs time, nothing else.
 */
export class EventPublisher extends Context.Service<
  EventPublisher,
  {
    /** Keeps the event and one delivery for each subscribed webhook of the account that owns the row. */
    readonly publish: (event: DomainEvent) => Effect.Effect<void, StorageError>
    /** Wakes the deliverer of this process. */
    readonly nudge: Effect.Effect<void>
  }
>()("@frontdesk/core/webhook/EventPublisher") {}
