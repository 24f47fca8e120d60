import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The time for which a claim is valid (D-DEL-14). */
export interface Lease {
  /** Returns whether work that starts now can use its whole timeout before the lease ends. */
  readonly hasTime: () => boolean
  /** Returns whether the claim is older than a second, so that what was read with it may be outdated. */
  readonly isOld: () => boolean
}

const oldAfter = Duration.toMillis("1 second")

/**
 * Begins the lease of a claim. Call it before the claim, with the time that the claim uses.
 *
 * The age of the lease is the larger one of two measures: by the clock and by the monotonic clock of the machine. The clock
 * may be set back, and on some machines the monotonic clock stops while the machine is suspended. Either alone could make
 * an ended lease seem valid.
 *
 * @param options.length how long the lease is
 * @param options.timeout the timeout of the work that is done under it
 */
export const begin: (
  now: DateTime.Utc,
  options: { readonly length: Duration.Duration; readonly timeout: Duration.Duration }
) => Effect.Effect<Lease> = Effect.fnUntraced(function* (now, { length, timeout }) {
  const clock = yield* Clock.Clock
  const monotonicMillis = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const [wallStart, monotonicStart] = [DateTime.toEpochMillis(now), monotonicMillis()]
  const lastStart = Duration.toMillis(Duration.subtract(length, timeout))
  const age = () => Math.max(clock.currentTimeMillisUnsafe() - wallStart, monotonicMillis() - monotonicStart)
  return { hasTime: () => age() <= lastStart, isOld: () => age() > oldAfter }
})
