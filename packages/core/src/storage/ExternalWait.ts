import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"

/** What is done around a wait for somebody outside. */
export interface ExternalWait {
  /** Runs the wait, and lets others work meanwhile. */
  readonly around: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether so many wait already that a wait should fail instead, where it can. */
  readonly isFull: () => boolean
}

/**
 * What is done around a wait for somebody outside, such as a call provider, an external calendar, or another process that
 * holds a lock: nothing, unless something is provided. The HTTP API gives the place of the request to another one
 * meanwhile.
 */
export const CurrentExternalWait = Context.Reference<ExternalWait>(
  "@frontdesk/core/storage/ExternalWait/CurrentExternalWait",
  { defaultValue: () => ({ around: identity, isFull: () => false }) }
)

/** Runs an effect that mostly waits for somebody outside, so that meanwhile others can work. */
export const around = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentExternalWait, (outside) => outside.around(wait))
