import { CurrentExternalWait, type ExternalWait } from "@frontdesk/core/storage/ExternalWait"
import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Acquirer, Borrower } from "effect/sql/SqlConnection"
import { LockTimeoutError, SqlError } from "effect/sql/SqlError"

/** How a connection that one fiber uses at a time is taken. */
interface Acquirers {
  readonly acquirer: Acquirer
  readonly borrower: Borrower
  readonly transactionAcquirer: Acquirer
}

/**
 * How long a request waits for its turn until it counts as waiting for somebody outside. No turn takes so long unless
 * another process holds the write lock or the disk is slow.
 */
const ordinaryWait = Duration.millis(100)

const tooManyWait = new SqlError({
  reason: new LockTimeoutError({
    message: "too many requests wait for the write lock of the database",
    operation: "begin",
    cause: undefined
  })
})

/**
 * Lets requests and workers take turns at a connection: whoever waits for it waits behind the others of its workload, and
 * only the first of each workload waits for the connection itself, which is given in the order of arrival. So a worker
 * waits for one request at most, however many are in line.
 */
export const make = <A extends Acquirers>(acquirers: A): A => {
  const lines = { request: Semaphore.makeUnsafe(1), worker: Semaphore.makeUnsafe(1) }
  const requestTurn = lines.request.takeScoped(1)
  const waitLong = (outside: ExternalWait): Effect.Effect<void, SqlError, Scope.Scope> =>
    outside.isFull() ? Effect.fail(tooManyWait) : outside.around(requestTurn)
  const longTurn = requestTurn.pipe(
    Effect.timeoutOption(ordinaryWait),
    Effect.flatMap((taken) => (Option.isSome(taken) ? Effect.void : Effect.flatMap(CurrentExternalWait, waitLong)))
  )
  /** How many requests have their turn, or wait for it. */
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
  const inLine = <B, E>(acquire: Effect.Effect<B, E, Scope.Scope>) => Effect.andThen(turn, acquire)
  return {
    ...acquirers,
    acquirer: inLine(acquirers.acquirer),
    borrower: (use) => Effect.scoped(Effect.andThen(turn, acquirers.borrower(use))),
    transactionAcquirer: inLine(acquirers.transactionAcquirer)
  }
}
