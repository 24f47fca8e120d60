import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { millisBetween } from "../values/Timestamp.ts"

/**
 * Wakes those who wait for work.
 *
 * A signal that nobody waits for costs nothing, and one that is lost costs time alone: who waits looks for work once in
 * a while without it.
 */
export interface Signal {
  /** Opens the latch of everyone who listens. */
  readonly notify: Effect.Effect<void>
  /** A latch that opens at each signal, until the scope ends. Who listens closes it before looking for work. */
  readonly listen: Effect.Effect<Latch.Latch, never, Scope.Scope>
}

/** A signal within the process. */
export const make = (): Signal => {
  const latches = new Set<Latch.Latch>()
  return {
    notify: Effect.sync(() => {
      for (const latch of latches) latch.openUnsafe()
    }),
    listen: Effect.acquireRelease(
      Effect.sync(() => {
        const latch = Latch.makeUnsafe(false)
        latches.add(latch)
        return latch
      }),
      (latch) => Effect.sync(() => latches.delete(latch))
    )
  }
}

/** Waits for the latch, until the next work is due, or for as long as `poll`, whichever is over first. */
export const wait = Effect.fnUntraced(function* (
  latch: Latch.Latch,
  nextDue: Option.Option<DateTime.Utc>,
  poll: Duration.Duration
) {
  const now = yield* DateTime.now
  const ahead = Option.match(nextDue, {
    onNone: () => poll,
    onSome: (due) => Duration.millis(millisBetween(now, due))
  })
  yield* Effect.raceFirst(latch.await, Effect.sleep(Duration.min(ahead, poll)))
})
