import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Overloaded } from "./RequestError.ts"

/** How many requests begin in one turn of the event loop, so that what else the process does has its turns between. */
const perTurn = 4

/** Runs the work of a request, or refuses it at once because too many are being worked on. */
export type Admission = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>

/**
 * Bounds how many requests are worked on, and how many begin together; null: no bound.
 *
 * Hundreds of requests may become readable in one turn of the event loop. Were each begun as it is read, timers, answers
 * of the database and webhook deliveries would wait for the work of all of them. So a request is only counted when it
 * arrives, which is also when it is refused, and begins in one of the next turns.
 */
export const make = (max: number | null): Admission => {
  const most = max ?? Number.POSITIVE_INFINITY
  const turns = Semaphore.makeUnsafe(perTurn)
  const turn = turns.withPermit(Effect.yieldNow)
  let working = 0
  return <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
      if (working >= most) return Effect.fail(new Overloaded({}))
      working += 1
      return Effect.ensuring(
        Effect.andThen(turn, work),
        Effect.sync(() => {
          working -= 1
        })
      )
    })
}
