import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { millisBetween } from "../values/Timestamp.ts"

/**
 * Notifies workers of new work.
 *
 * A signal without listeners costs nothing. A lost signal only delays work, because each worker also polls.
 */
export interface Signal {
  /**
   * Opens the latch of every listener and calls every forwarder. Within {@link afterTransaction} it does so when the
   * transaction ends.
   */
  readonly notify: Effect.Effect<void>
  /** Opens the latch of every listener and calls no forwarder: for a signal that came from another process. */
  readonly notifyLocally: Effect.Effect<void>
  /** Calls a function at each `notify` until the scope ends, to notify other processes. The function must not throw. */
  readonly forward: (to: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** A latch that opens at each signal, until the scope ends. The listener closes it before it claims work. */
  readonly listen: Effect.Effect<Latch.Latch, never, Scope.Scope>
  /** Returns how many times the signal was sent in this process, also for another process. */
  readonly count: () => number
}

/** The signals that wait until a transaction ends, each once, and whether the transaction has ended. */
interface Deferred {
  readonly signals: Set<Effect.Effect<void>>
  readonly isOver: boolean
}

const Deferred = Context.Reference<Deferred | null>("@frontdesk/core/background/Signal/Deferred", {
  defaultValue: () => null
})

/** Makes a signal within the process. */
export const make = (): Signal => {
  const latches = new Set<Latch.Latch>()
  const forwarders = new Set<() => void>()
  let count = 0
  const notifyLocally = Effect.sync(() => {
    count += 1
    // A copy, because an opened latch runs its listener at once, and that may add a latch to the set.
    const present = [...latches]
    for (const latch of present) latch.openUnsafe()
  })
  const notifyNow = Effect.andThen(
    notifyLocally,
    Effect.sync(() => {
      for (const to of forwarders) to()
    })
  )
  return {
    notify: Effect.flatMap(Deferred, (deferred) =>
      deferred === null || deferred.isOver ? notifyNow : Effect.sync(() => void deferred.signals.add(notifyNow))
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
    ),
    count: () => count
  }
}

/** Returns whether a fiber runs in {@link afterTransaction}, so that the signals it raises are deferred. */
export const isDeferred = (fiber: Fiber.Fiber<unknown, unknown>): boolean => {
  const deferred = fiber.getRef(Deferred)
  return deferred !== null && !deferred.isOver
}

/**
 * Runs an effect and defers the signals that are raised in it until it ends. Nested calls defer them until the outermost
 * one ends. A storage runs its transactions with it, because a worker that is notified before the commit would find no
 * work.
 */
export const afterTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Deferred, (outer) => {
    if (outer !== null && !outer.isOver) return effect
    const deferred = { signals: new Set<Effect.Effect<void>>(), isOver: false }
    const notifyAll = Effect.suspend(() => {
      deferred.isOver = true
      return Effect.forEach(deferred.signals, (notify) => notify, { discard: true })
    })
    // The signals are sent also when the effect fails, because it may have committed although the answer to its commit was
    // lost.
    return Effect.ensuring(Effect.provideService(effect, Deferred, deferred), notifyAll)
  })

/** Signals that are deferred until the program that embeds Frontdesk has ended its transaction. */
export interface Deferring {
  /** Runs an effect, and defers the signals that are raised in it. */
  readonly defer: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Sends the signals that were deferred so far. */
  readonly release: Effect.Effect<void>
}

/** Returns a new {@link Deferring}. */
export const deferring = (): Deferring => {
  const deferred = { signals: new Set<Effect.Effect<void>>(), isOver: false }
  return {
    defer: (effect) => Effect.provideService(effect, Deferred, deferred),
    release: Effect.suspend(() => {
      const signals = [...deferred.signals]
      deferred.signals.clear()
      return Effect.forEach(signals, (notify) => notify, { discard: true })
    })
  }
}

/** Waits until the latch opens, the next work is due or the poll interval ends, whichever comes first. */
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
