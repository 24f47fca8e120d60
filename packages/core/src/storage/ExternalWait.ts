import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"

/** What runs around a wait for another system or process. */
export interface ExternalWait {
  /** Runs the wait, and lets other requests run in the meantime. */
  readonly around: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether so many requests wait already that another wait should fail, where it can. */
  readonly isFull: () => boolean
}

/**
 * What runs around a wait for another system or process, such as a call provider, an external calendar, or a process that
 * holds a lock. Without a provided value nothing does. The HTTP API gives the place of the request to another request.
 */
export const CurrentExternalWait = Context.Reference<ExternalWait>(
  "@frontdesk/core/storage/ExternalWait/CurrentExternalWait",
  { defaultValue: () => ({ around: identity, isFull: () => false }) }
)

/** Runs an effect that mostly waits for another system, so that other requests can run in the meantime. */
export const around = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentExternalWait, (external) => external.around(wait))
