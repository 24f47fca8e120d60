import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

/** Sets the wall clock of a test. */
export type SetClock = (now: DateTime.Utc) => void

/**
 * Runs a test with a wall clock that shows `start` until the test sets it. The duration of sleeps does not change.
 */
export const withWallClock = <A, E, R>(
  start: DateTime.Utc,
  test: (set: SetClock) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  let wall = DateTime.toEpochMillis(start)
  const set: SetClock = (now) => {
    wall = DateTime.toEpochMillis(now)
  }
  return withTimes(() => wall, test(set))
}

/**
 * Runs a test with a wall clock that the test can set ahead or back, as an operator can set the clock of a machine. The
 * argument is the difference in milliseconds from the clock that sleeps use.
 */
export const withClockOffset = <A, E, R>(
  test: (set: (millis: number) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  let offset = 0
  const set = (millis: number) => {
    offset = millis
  }
  return withTimes((now) => now + offset, test(set))
}

/** Runs an effect with a wall clock that shows `wall(now)`, where `now` is the time of the present clock. */
const withTimes = <A, E, R>(wall: (now: number) => number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const now = () => wall(clock.currentTimeMillisUnsafe())
    const shown = new Proxy(clock, {
      get: (target, key): unknown => {
        if (key === "currentTimeMillisUnsafe") return now
        return key === "currentTimeMillis" ? Effect.sync(now) : Reflect.get(target, key)
      }
    })
    return Effect.provideService(effect, Clock.Clock, shown)
  })
