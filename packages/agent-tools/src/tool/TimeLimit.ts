import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** The time in which a tool must answer. A person on the telephone takes a longer silence for a lost connection. */
export const defaultLimit: Duration.Input = "2 seconds"

/**
 * Returns the result of an effect, or of `orElse` when the effect takes longer than the limit.
 *
 * The effect runs in a fiber of its own. At the limit it is interrupted, and its end is not awaited: an effect that cannot
 * be interrupted, such as a query of a slow database, does not delay the answer.
 */
export const within = <A, E, R, B, E1, R1>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Input,
  orElse: () => Effect.Effect<B, E1, R1>
): Effect.Effect<A | B, E | E1, R | R1> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
      restore(Effect.timeoutOrElse(Fiber.join(fiber), { duration: limit, orElse })).pipe(
        Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
      )
    )
  )
