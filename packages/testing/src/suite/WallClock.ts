import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

/** Sets the wall clock of a test. */
export type SetClock = (now: DateTime.Utc) => void

/** Runs a test with a wall clock that stands until it is set; sleeps take as long as they did. */
export const withWallClock = <A, E, R>(
  start: DateTime.Utc,
  test: (set: SetClock) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    let wall = DateTime.toEpochMillis(start)
    const set: SetClock = (now) => {
      wall = DateTime.toEpochMillis(now)
    }
    return test(set).pipe(
      Effect.provideService(
        Clock.Clock,
        new Proxy(clock, {
          get: (target, key): unknown => {
            if (key === "currentTimeMillisUnsafe") return () => wall
            return key === "currentTimeMillis" ? Effect.sync(() => wall) : Reflect.get(target, key)
          }
        })
      )
    )
  })
