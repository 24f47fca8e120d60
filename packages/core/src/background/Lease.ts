import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The time that a claim gives its process to do what it took. */
export interface Lease {
  /** Returns whether what begins now has its whole timeout before the lease ends. */
  readonly hasTime: () => boolean
  /** Returns whether the claim was made so long ago that much may have changed since. */
  readonly isOld: () => boolean
}

const oldAfter = Duration.toMillis("1 second")

/**
 * Begins the lease of a claim that is made with this reading of the clock; called before the claim.
 *
 * Its age is the longer one of what the clock of the leases and the monotonic clock of the machine show. The first may be
 * set back; the second stands still on some machines while they are suspended.
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
