import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"

/** Handles the time in which a request waits for another system or process. */
export interface ExternalWait {
  /** Runs an effect that waits, and lets other requests run meanwhile. */
  readonly around: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Returns whether so many requests wait that a further one should fail instead of waiting, where it can. */
  readonly isFull: () => boolean
}

/**
 * The handling of waits for another system or process, such as a call provider, an external calendar, a process that has
 * a lock, or a disk. The default does nothing. The HTTP API provides one that gives the place of a waiting request to
 * another request.
 */
export const CurrentExternalWait = Context.Reference<ExternalWait>(
  "@frontdesk/core/storage/ExternalWait/CurrentExternalWait",
  { defaultValue: () => ({ around: identity, isFull: () => false }) }
)

/** Runs an effect that mostly waits for another system, and lets other requests run meanwhile. */
export const around = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentExternalWait, (external) => external.around(wait))
