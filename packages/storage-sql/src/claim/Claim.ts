import * as FairShare from "@frontdesk/core/background/FairShare"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Database } from "../storage/Database.ts"
import * as CandidateStatement from "./CandidateStatement.ts"
import type { ClaimQueue, ClaimRequest } from "./ClaimQueue.ts"
import * as ClaimRow from "./ClaimRow.ts"
import * as ConcurrentLease from "./ConcurrentLease.ts"
import * as ExclusiveLease from "./ExclusiveLease.ts"
import * as ReadyWalk from "./ReadyWalk.ts"

/** Up to how many due rows a claim examines all of them. If more are due, it walks from account to account. */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/claim/Claim/FrontLength", {
  defaultValue: () => 128
})

/** Claims rows, and returns them as `read` reads them by their ids. */
export type Claim = <Row>(
  request: ClaimRequest,
  read: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Row>, StorageError>
) => Effect.Effect<ReadonlyArray<Row>, StorageError>

/**
 * Returns the claim of the rows of a queue. `makeReady` makes due rows ready that are not.
 *
 * While few rows are due, a claim examines all of them. Otherwise it walks through the ready ones, from account to account
 * and from line to line (`ReadyWalk`), so that the backlog of one account hides no other. A walk has a limited number of
 * steps, and the next claim of the process continues it. So the cost of a claim depends on what is claimed. A claim begins
 * with the statement that the last claim needed, because a queue that was long is usually still long.
 *
 * On a database with concurrent transactions it uses no transaction: each statement leases rows and commits by itself
 * (D-PG-16). So a process that stops between two statements holds no locks. The rows that it had leased and not yet read
 * become due again when their lease ends.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  queue: ClaimQueue,
  frontLength: number,
  makeReady: (now: DateTime.Utc) => Effect.Effect<void, StorageError>
): Claim => {
  const { dialect } = database
  const lease = (dialect.isConcurrent ? ConcurrentLease : ExclusiveLease).make(database, operation, queue)
  const leaseFront = lease(CandidateStatement.front(dialect, queue, frontLength))
  const leaseWalk = lease(CandidateStatement.walk(dialect, queue, frontLength))
  const start = ReadyWalk.start(queue)
  const position = Ref.makeUnsafe(start)
  const wasLonger = Ref.makeUnsafe(false)

  /** Walks on from the position of the last claim, and from the first account when it reaches the end. */
  const byAccount = Effect.fnUntraced(function* (request: ClaimRequest) {
    const all: Array<ClaimRow.OwnedRow> = []
    const step = Effect.fnUntraced(function* (from: ReadyWalk.Position) {
      const rest = { ...request, places: FairShare.afterTaking(request.places, all, ClaimRow.owners) }
      const { leased, row } = yield* leaseWalk(rest, ({ free, perLine }, factor) => [
        Math.min(perLine, free) * factor,
        from.accountId,
        from.line,
        ReadyWalk.maxSteps(free),
        factor
      ])
      all.push(...leased)
      yield* Ref.set(position, ReadyWalk.after(queue, row.lastAccount, row.lastLine))
      yield* Ref.set(wasLonger, row.isLonger)
      return row
    })
    const from = yield* Ref.get(position)
    const { isSomeWaiting } = yield* step(from)
    if (isSomeWaiting) yield* makeReady(request.now)
    const hasWrapped = !ReadyWalk.isStart(from) && ReadyWalk.isStart(yield* Ref.get(position))
    if ((isSomeWaiting || hasWrapped) && all.length < request.places.free) yield* step(hasWrapped ? start : from)
    return all
  })

  const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
    if (yield* Ref.get(wasLonger)) return yield* byAccount(request)
    const { leased, row } = yield* leaseFront(request, () => [])
    return row.isLonger ? yield* byAccount(request) : leased
  })

  return (request, read) => {
    const claimed = Effect.flatMap(claim(request), (leased) =>
      leased.length === 0 ? Effect.succeed([]) : read(leased.map(({ id }) => id))
    )
    return dialect.isConcurrent ? claimed : database.atomically(operation)(claimed)
  }
}
