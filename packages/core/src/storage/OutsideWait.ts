import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"

/**
 * What is done around a wait for somebody outside, such as a call provider or an external calendar: nothing, unless
 * something is provided. The HTTP API gives the place of the request to another one meanwhile.
 */
export const CurrentOutsideWait = Context.Reference<<A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>>(
  "@frontdesk/core/storage/OutsideWait/CurrentOutsideWait",
  { defaultValue: () => identity }
)

/** Runs an effect that mostly waits for somebody outside, so that meanwhile others can work. */
export const around = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentOutsideWait, (aside) => aside(wait))
