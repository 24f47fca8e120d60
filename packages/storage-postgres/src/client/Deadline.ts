import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { SqlError } from "effect/sql/SqlError"

/** Until when an effect must be done, and the failure when it is not. */
export interface Deadline {
  /** Begins anew with this many milliseconds; infinite for no end. */
  readonly set: (millis: number, late: () => SqlError) => void
}

/** The longest time a timer of Node can run, in milliseconds; longer is as good as for ever. */
const longest = 2 ** 31 - 1

/**
 * Runs an effect that sets its own deadline. When that passes it fails at once, also where it cannot be interrupted;
 * what was begun is interrupted and ends behind its back, because against a server that does not answer that takes its
 * time too. Whoever interrupts it from outside waits for that end.
 *
 * The timers are real: the server knows nothing of a test clock.
 */
export const run = <A, E, R>(
  effect: (deadline: Deadline) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<A, E | SqlError>((resume) => {
      let timer: NodeJS.Timeout | undefined
      const set: Deadline["set"] = (millis, late) => {
        clearTimeout(timer)
        if (millis > longest) return
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
