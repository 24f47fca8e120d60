import * as Context from "effect/Context"
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
  /** Opens the latch of everyone who listens, and tells everyone who forwards; within `afterTransaction`, when that ends. */
  readonly notify: Effect.Effect<void>
  /** Opens the latch of everyone who listens, and tells nobody: for who has heard of it from another process. */
  readonly notifyLocally: Effect.Effect<void>
  /** Calls a function at each `notify`, until the scope ends: for who tells other processes. It must not throw. */
  readonly forward: (to: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** A latch that opens at each signal, until the scope ends. Who listens closes it before looking for work. */
  readonly listen: Effect.Effect<Latch.Latch, never, Scope.Scope>
}

/** The signals that are held back, each once, and whether that is over. */
interface Held {
  readonly signals: Set<Effect.Effect<void>>
  readonly isOver: boolean
}

const Held = Context.Reference<Held | null>("@frontdesk/core/background/Signal/Held", { defaultValue: () => null })

/** A signal within the process. */
export const make = (): Signal => {
  const latches = new Set<Latch.Latch>()
  const forwarders = new Set<() => void>()
  const notifyLocally = Effect.sync(() => {
    // A copy, because who is woken runs at once, and may listen again.
    const present = [...latches]
    for (const latch of present) latch.openUnsafe()
  })
  const give = Effect.andThen(
    notifyLocally,
    Effect.sync(() => {
      for (const to of forwarders) to()
    })
  )
  return {
    notify: Effect.flatMap(Held, (held) =>
      held === null || held.isOver ? give : Effect.sync(() => void held.signals.add(give))
    ),
    notifyLocally,
    forward: (to) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => forwarders.add(to)),
          () => Effect.sync(() => forwarders.delete(to))
        )
      ),
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

/**
 * Holds back what is signalled within an effect until that ends, or the outermost such effect around it: who is woken
 * before its commit finds nothing. For storages, which run their transactions so.
 */
export const afterTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Held, (outer) => {
    if (outer !== null && !outer.isOver) return effect
    const held = { signals: new Set<Effect.Effect<void>>(), isOver: false }
    const giveAll = Effect.suspend(() => {
      held.isOver = true
      return Effect.forEach(held.signals, (give) => give, { discard: true })
    })
    // Also when it fails: a commit whose answer was lost may have happened.
    return Effect.ensuring(Effect.provideService(effect, Held, held), giveAll)
  })

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
