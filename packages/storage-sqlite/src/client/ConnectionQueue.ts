import { CurrentExternalWait } from "@frontdesk/core/storage/ExternalWait"
import { CurrentWorkload, type Workload } from "@frontdesk/core/storage/Workload"
import { LinkedList } from "@frontdesk/core/values/LinkedList"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { LockTimeoutError, SqlError } from "effect/sql/SqlError"

/**
 * How long a request waits for its turn before the wait counts as external (D-LITE-9). A request only waits longer when
 * another process has the write lock or the disk is slow.
 */
const ordinaryWait = Duration.millis(100)

const tooManyWait = new SqlError({
  reason: new LockTimeoutError({
    message: "too many requests are waiting for the write lock of the database",
    operation: "begin",
    cause: undefined
  })
})

/** Makes a wait interruptible: the `restore` of `Effect.uninterruptibleMask`. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Turns on a connection. */
export interface Turns {
  /**
   * Waits for a turn. The returned function ends it; a second call has no effect. Must run uninterruptibly; `restore`
   * makes the wait interruptible.
   */
  readonly take: (restore: Restore) => Effect.Effect<() => void, SqlError>
}

/**
 * Lets requests and workers take turns on a connection. Each workload has its own line, and turns alternate between the
 * lines while both have waiting fibers. So a worker waits for at most one request, however many are waiting (D-LOAD-7).
 * A free turn is taken at once.
 */
export const make = (): Turns => {
  const lines = {
    request: new LinkedList<Deferred.Deferred<void>>(),
    worker: new LinkedList<Deferred.Deferred<void>>()
  }
  /** The workload that has the turn. */
  let owner: Workload | undefined

  const release = (): void => {
    const [next, other]: readonly [Workload, Workload] =
      owner === "request" ? ["worker", "request"] : ["request", "worker"]
    owner = undefined
    for (const workload of [next, other]) {
      const { first } = lines[workload]
      if (first === undefined) continue
      lines[workload].remove(first)
      owner = workload
      // A new stack: each waiting fiber that runs at once would end its turn within the turn of the one before.
      queueMicrotask(() => Deferred.doneUnsafe(first.value, Effect.void))
      return
    }
  }

  /** Returns the function that ends the turn of one fiber. */
  const releaseOnce = (): (() => void) => {
    let hasTurn = true
    return () => {
      if (hasTurn) release()
      hasTurn = false
    }
  }

  /** Waits for a turn. A request that waits for other requests for long lets another request run meanwhile. */
  const wait = (turn: Deferred.Deferred<void>, waitsForRequests: boolean): Effect.Effect<void, SqlError> =>
    waitsForRequests
      ? Effect.flatMap(Effect.timeoutOption(Deferred.await(turn), ordinaryWait), (taken) =>
          Option.isSome(taken)
            ? Effect.void
            : Effect.flatMap(CurrentExternalWait, (external) =>
                external.isFull() ? Effect.fail(tooManyWait) : external.around(Deferred.await(turn))
              )
        )
      : Deferred.await(turn)

  return {
    take: (restore) =>
      Effect.withFiber((fiber) => {
        const workload = fiber.getRef(CurrentWorkload)
        if (owner === undefined) {
          owner = workload
          return Effect.succeed(releaseOnce())
        }
        const line = lines[workload]
        const waitsForRequests = workload === "request" && (line.first !== undefined || owner === "request")
        const place = line.add(Deferred.makeUnsafe())
        return restore(wait(place.value, waitsForRequests)).pipe(
          // The turn may have been given to the fiber just before it was interrupted.
          Effect.onError(() =>
            Effect.sync(() => {
              if (!line.remove(place)) release()
            })
          ),
          Effect.map(releaseOnce)
        )
      })
  }
}
