import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * The maximum that one step of a sweep deletes in its transaction. It is small, so that a step hardly delays the requests
 * and deliveries that run at the same time. A step may always delete one row, however large the row is.
 */
export interface StepLimit {
  readonly rows: number
  /** The maximum bytes of the rows together. Only the columns count whose size callers decide, such as bodies and texts. */
  readonly bytes: number
}

/** The limit of a sweep, unless it has one of its own: 100 rows or 2 MiB in a step, whichever is reached first. */
export const stepLimit: StepLimit = { rows: 100, bytes: 2_097_152 }

/** The minimum rest between two steps. */
const rest = Duration.millis(10)

/**
 * Runs a step again and again until it returns false. After each step it rests for as long as the step took, and at
 * least 10 milliseconds. So it never uses more than half of a database or a process.
 */
export const untilDone = Effect.fnUntraced(function* <E, R>(step: Effect.Effect<boolean, E, R>) {
  while (true) {
    const [took, isMore] = yield* Effect.timed(step)
    if (!isMore) return
    yield* Effect.sleep(Duration.max(rest, took))
  }
})

/** Runs a step as {@link untilDone} does, until it deletes no rows. Returns how many rows all steps deleted. */
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
 * Runs a sweep in steps of {@link stepLimit}, as {@link untilNone} does. Returns how many rows all steps deleted.
 *
 * @param before the sweep deletes what is older than this
 */
export const sweepBefore = <E, R>(
  before: DateTime.Utc,
  sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, E, R>
): Effect.Effect<number, E, R> => untilNone(Effect.suspend(() => sweep(before, stepLimit)))

/** Returns as many of the first rows as have at most `maxBytes` together, and in any case the first row. */
export const within = <A>(rows: ReadonlyArray<A>, maxBytes: number, bytesOf: (row: A) => number): ReadonlyArray<A> => {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += bytesOf(row)
    return index > 0 && bytes > maxBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}
