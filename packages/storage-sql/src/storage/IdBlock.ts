import * as Effect from "effect/Effect"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import { realClock } from "./RealClock.ts"

/** The maximum number of ids that are taken at once. */
const maxSize = 64

/** How long ids may be given after they were taken, in milliseconds of real time (D-PG-35). */
const lifetime = 2_000

/**
 * Returns an effect that returns the id of a new row of a table, so that its INSERT need not be waited for. Returns null
 * where the database generates the id in the INSERT without such a wait.
 *
 * The ids are taken from the sequence of the table in blocks, so that no two processes get the same one. The first block has one id. A block that was used up within its lifetime is followed by one twice as large.
 * So a process that seldom inserts leaves few gaps.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  table: string
): Effect.Effect<number, StorageError> | null => {
  const { dialect } = database
  if (dialect.nextIds === null) return null
  const taken = database.all(operation, Column.Key)
  const text = dialect.nextIds(table)
  let ids: Array<number> = []
  let until = 0
  let size = 1
  let isRefilling = false

  const take = (count: number) => Effect.map(taken(text, [count]), (rows) => rows.map(({ id }) => id))

  const refilled = Effect.suspend(() => {
    isRefilling = true
    const isUsedUp = ids.length === 0 && realClock.currentTimeMillisUnsafe() < until
    size = isUsedUp ? Math.min(maxSize, size * 2) : Math.max(1, size - ids.length)
    return Effect.map(take(size), (taken) => {
      ids = taken.toReversed()
      until = realClock.currentTimeMillisUnsafe() + lifetime
    })
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        isRefilling = false
      })
    )
  )

  const next: Effect.Effect<number, StorageError> = Effect.suspend(() => {
    const id = realClock.currentTimeMillisUnsafe() < until ? ids.pop() : undefined
    if (id !== undefined) return Effect.succeed(id)
    // A fiber that waited for the block of another one could wait for a lock that it holds itself.
    return isRefilling
      ? Effect.flatMap(take(1), ([one]) => (one === undefined ? next : Effect.succeed(one)))
      : Effect.andThen(refilled, next)
  })
  return next
}
