import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

/** Sets the wall clock of a test. */
export type SetClock = (now: DateTime.Utc) => void

/** Runs a test with a wall clock that stands until it is set; sleeps take as long as they did. */
export const withWallClock = <A, E, R>(
  start: DateTime.Utc,
  test: (set: SetClock) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  let wall = DateTime.toEpochMillis(start)
  const set: SetClock = (now) => {
    wall = DateTime.toEpochMillis(now)
  }
  return showing(() => wall, test(set))
}

/**
 * Runs a test with a wall clock that can be set so many milliseconds apart from the time that sleeps take, as that of a
 * machine can.
 */
export const withClockApart = <A, E, R>(
  test: (set: (millis: number) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  let apart = 0
  const set = (millis: number) => {
    apart = millis
  }
  return showing((now) => now + apart, test(set))
}

/** Gives an effect a wall clock that is told the time of its own. */
const showing = <A, E, R>(wall: (now: number) => number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
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
