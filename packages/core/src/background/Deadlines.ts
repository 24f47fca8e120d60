import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { LinkedList } from "../values/LinkedList.ts"

/** Timeouts that share one timer. Most work ends in time, and a timer for each would cost more than the work. */
export interface Deadlines {
  /** Calls a function after so many milliseconds. Returns the function that cancels the call. */
  readonly after: (millis: number, call: () => void) => () => void
  /**
   * Returns the result of an effect, or none when the effect has not ended after so many milliseconds. The effect is then
   * interrupted. It ends in the background, because an effect that cannot be interrupted may take long.
   */
  readonly timeoutOption: <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    millis: number
  ) => Effect.Effect<Option.Option<A>, E, R>
}

/** A call that is still to be made, with its time by the monotonic clock. */
interface Deadline {
  readonly at: number
  readonly call: () => void
}

/** Makes deadlines that follow the clock of the calling fiber. When the scope closes, all calls are cancelled. */
export const make: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const open = new LinkedList<Deadline>()
  let timer: Fiber.Fiber<void> | undefined
  let timerAt = Number.POSITIVE_INFINITY

  const now = (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

  const stopTimer = (): void => {
    timer?.interruptUnsafe()
    timer = undefined
    timerAt = Number.POSITIVE_INFINITY
  }

  const setTimer = (at: number): void => {
    stopTimer()
    timerAt = at
    timer = fork(Effect.andThen(Effect.sleep(Duration.millis(Math.ceil(at - now()))), Effect.sync(timerEnded)))
  }

  const timerEnded = (): void => {
    timer = undefined
    timerAt = Number.POSITIVE_INFINITY
    const time = now()
    let next = Number.POSITIVE_INFINITY
    for (const entry of open.entries()) {
      const { at, call } = entry.value
      if (at > time) next = Math.min(next, at)
      // An earlier call may have cancelled it.
      else if (open.remove(entry)) call()
    }
    if (next < timerAt) setTimer(next)
  }

  const after: Deadlines["after"] = (millis, call) => {
    const at = now() + millis
    const entry = open.add({ at, call })
    // The timer is not set to a later time when a deadline is cancelled. A timer that ends too early is set again.
    if (at < timerAt) setTimer(at)
    return () => {
      open.remove(entry)
      if (open.first === undefined) stopTimer()
    }
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const entry of open.entries()) open.remove(entry)
      stopTimer()
    })
  )

  return {
    after,
    timeoutOption: <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number) =>
      Effect.flatMap(Effect.context<R>(), (context) =>
        Effect.callback<Option.Option<A>, E>((resume) => {
          const fiber = Effect.runForkWith(context)(Effect.asSome(effect))
          const cancel = after(millis, () => {
            resume(Effect.succeedNone)
            fiber.interruptUnsafe()
          })
          fiber.addObserver((exit) => {
            cancel()
            resume(exit)
          })
          return Effect.suspend(() => {
            cancel()
            return Fiber.interrupt(fiber)
          })
        })
      )
  }
})
