import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { SqlError } from "effect/sql/SqlError"

/** The deadline of an effect, and its failure when it passes. */
export interface Deadline {
  /** Sets the deadline to this many milliseconds from now, instead of the previous one. Infinite: no deadline. */
  readonly set: (millis: number, late: () => SqlError) => void
}

/** The maximum duration of a timer of Node, in milliseconds. A longer deadline is ignored. */
const maxMillis = 2 ** 31 - 1

/**
 * Runs an effect that sets its own deadline. When the deadline passes, it fails at once, even where the effect cannot
 * be interrupted. The effect is interrupted and ends in the background, because ending it may take long with a server
 * that does not respond. An interruption from outside waits for that end.
 *
 * The timers are real, because the server does not follow a test clock.
 */
export const run = <A, E, R>(
  effect: (deadline: Deadline) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<A, E | SqlError>((resume) => {
      let timer: NodeJS.Timeout | undefined
      const set: Deadline["set"] = (millis, late) => {
        clearTimeout(timer)
        if (millis > maxMillis) return
        timer = setTimeout(() => {
          resume(Effect.fail(late()))
          fiber.interruptUnsafe()
        }, millis)
      }
      const fiber = Effect.runForkWith(context)(effect({ set }))
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
      return Effect.suspend(() => {
        clearTimeout(timer)
        return Fiber.interrupt(fiber)
      })
    })
  )
