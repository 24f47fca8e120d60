import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * How much one step of a sweep deletes at most, in one transaction: few enough rows and bytes that requests and
 * deliveries beside it hardly notice. A step may always delete one row, however large it is.
 */
export interface StepLimit {
  readonly rows: number
  /** How many bytes the rows may have together, counted over the columns whose size the caller decides. */
  readonly bytes: number
}

/** What a sweep deletes in one step: 100 rows or 2 MiB, whichever comes first. */
export const stepLimit: StepLimit = { rows: 100, bytes: 2_097_152 }

/** The shortest rest between two steps. */
const rest = Duration.millis(10)

/**
 * Takes steps until one returns `false`. After each step it rests for as long as the step took, and for 10 milliseconds
 * at least, so that it never uses more than half of a database or of a process.
 */
export const untilDone = Effect.fnUntraced(function* <E, R>(step: Effect.Effect<boolean, E, R>) {
  while (true) {
    const [took, isMore] = yield* Effect.timed(step)
    if (!isMore) return
    yield* Effect.sleep(Duration.max(rest, took))
  }
})

/** Takes steps until one deletes nothing, in the same way; returns how many rows were deleted in all. */
export const untilNone = <E, R>(step: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    let total = 0
    const counted = Effect.map(step, (count) => {
      total += count
      return count > 0
    })
    return Effect.map(untilDone(counted), () => total)
  })

/**
 * Takes steps of a sweep with {@link stepLimit}, in the same way, until one deletes nothing; returns how many rows were
 * deleted in all.
 */
export const sweepBefore = <E, R>(
  before: DateTime.Utc,
  sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, E, R>
): Effect.Effect<number, E, R> => untilNone(Effect.suspend(() => sweep(before, stepLimit)))

/** Returns the rows from the first on that have at most `maxBytes` together; always one, unless there is none. */
export const within = <A>(rows: ReadonlyArray<A>, maxBytes: number, bytesOf: (row: A) => number): ReadonlyArray<A> => {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += bytesOf(row)
    return index > 0 && bytes > maxBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}
