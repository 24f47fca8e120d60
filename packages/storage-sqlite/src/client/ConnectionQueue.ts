import { CurrentExternalWait, type ExternalWait } from "@frontdesk/core/storage/ExternalWait"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Acquirer } from "effect/sql/SqlConnection"
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

/**
 * Lets requests and workers take turns on a connection. Fibers wait behind others of their workload, and only the first
 * of each workload waits for the connection itself, which is given in order of arrival. So a worker waits for at most
 * one request, however many are waiting (D-LOAD-7).
 */
export const make = (acquirer: Acquirer): Acquirer => {
  const lines = { request: Semaphore.makeUnsafe(1), worker: Semaphore.makeUnsafe(1) }
  const requestTurn = lines.request.takeScoped(1)
  const waitLong = (outside: ExternalWait): Effect.Effect<void, SqlError, Scope.Scope> =>
    outside.isFull() ? Effect.fail(tooManyWait) : outside.around(requestTurn)
  const longTurn = requestTurn.pipe(
    Effect.timeoutOption(ordinaryWait),
    Effect.flatMap((taken) => (Option.isSome(taken) ? Effect.void : Effect.flatMap(CurrentExternalWait, waitLong)))
  )
  /** The number of requests that have their turn or wait for it. */
  let requests = 0
  const countedTurn = Effect.acquireRelease(
    Effect.sync(() => {
      requests += 1
      return requests === 1
    }),
    () =>
      Effect.sync(() => {
        requests -= 1
      })
  ).pipe(Effect.flatMap((isAlone) => (isAlone ? requestTurn : longTurn)))
  const turn = Effect.flatMap(CurrentWorkload, (workload) =>
    workload === "request" ? countedTurn : lines.worker.takeScoped(1)
  )
  return Effect.andThen(turn, acquirer)
}
