import { realClock } from "@frontdesk/storage-sql/storage/RealClock"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { SqlError } from "effect/sql/SqlError"
import { isReal } from "../clock/RealClock.ts"

/** The deadline of a running effect. */
export interface Deadline {
  /**
   * Sets the deadline to this many milliseconds from now, in place of the previous one. Infinity removes it. When the
   * deadline passes, `run` fails with the error that `timedOut` returns.
   */
  readonly set: (millis: number, timedOut: () => SqlError) => void
}

/** The maximum duration of a timer of Node, in milliseconds: about 24 days. A later deadline has no effect. */
const maxMillis = 2 ** 31 - 1

/**
 * Runs an effect that sets its own deadline. When the deadline passes, `run` fails at once, even where the effect
 * cannot be interrupted. The effect is interrupted and ends in the background, because its end may take long when the
 * server does not respond. When `run` itself is interrupted, it waits until the effect has ended.
 *
 * The timers are real, because the server does not follow a test clock. So is the clock of the effect: a connection that
 * opens while a test moves its clock would otherwise time out.
 */
export const run = <A, E, R>(
  effect: (deadline: Deadline) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<A, E | SqlError>((resume) => {
      let timer: NodeJS.Timeout | undefined
      const set: Deadline["set"] = (millis, timedOut) => {
        clearTimeout(timer)
        if (millis > maxMillis) return
        timer = setTimeout(() => {
          resume(Effect.fail(timedOut()))
          fiber.interruptUnsafe()
        }, millis)
      }
      const fiber = Effect.runForkWith(inRealTime(context))(effect({ set }))
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

/** Replaces a test clock only, because a context with another clock is slow at first. */
const inRealTime = <R>(context: Context.Context<R>): Context.Context<R> =>
  isReal(Context.get(context, Clock.Clock)) ? context : Context.add(context, Clock.Clock, realClock)
