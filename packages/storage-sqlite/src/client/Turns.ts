import { CurrentWorkload } from "@frontdesk/core/storage/Workload"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Acquirer, Borrower } from "effect/sql/SqlConnection"

/** How a connection that one fiber uses at a time is taken. */
interface Acquirers {
  readonly acquirer: Acquirer
  readonly borrower: Borrower
  readonly transactionAcquirer: Acquirer
}

/**
 * Lets requests and workers take turns at a connection: whoever waits for it waits behind the others of its workload, and
 * only the first of each workload waits for the connection itself, which is given in the order of arrival. So a worker
 * waits for one request at most, however many are in line.
 */
export const make = <A extends Acquirers>(acquirers: A): A => {
  const lines = { request: Semaphore.makeUnsafe(1), worker: Semaphore.makeUnsafe(1) }
  const line = Effect.map(CurrentWorkload, (workload) => lines[workload])
  const inLine = <B, E>(acquire: Effect.Effect<B, E, Scope.Scope>) =>
    Effect.andThen(
      Effect.flatMap(line, (semaphore) => semaphore.takeScoped(1)),
      acquire
    )
  return {
    ...acquirers,
    acquirer: inLine(acquirers.acquirer),
    borrower: (use) => Effect.flatMap(line, (semaphore) => semaphore.withPermit(acquirers.borrower(use))),
    transactionAcquirer: inLine(acquirers.transactionAcquirer)
  }
}
