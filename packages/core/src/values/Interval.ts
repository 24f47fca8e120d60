/** Instants `[start, end)` in epoch milliseconds; empty unless it ends after it starts. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * Intervals in order of their starts, covering the same instants as those given and no others.
 *
 * What is in order already is returned as it is. Otherwise empty intervals drop out and ends may be paired with other
 * starts than before.
 */
export const ordered = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  if (isOrdered(intervals)) return intervals
  const filled = intervals.filter(({ end, start }) => end > start)
  // An instant is covered when more starts than ends lie up to it, however they are paired: two plain sorts of numbers
  // take half the time of one that keeps the pairs.
  const starts = new Float64Array(filled.map(({ start }) => start)).toSorted()
  const ends = new Float64Array(filled.map(({ end }) => end)).toSorted()
  return filled.map((interval, index) => ({ start: starts[index] ?? interval.start, end: ends[index] ?? interval.end }))
}

const isOrdered = (intervals: ReadonlyArray<Interval>): boolean => {
  let last = Number.NEGATIVE_INFINITY
  for (const { start } of intervals) {
    if (!(start >= last)) return false
    last = start
  }
  return true
}

/** The intervals without the instants of one; `busy` is in order and no two touch, as {@link union} makes it. */
export const without = (busy: ReadonlyArray<Interval>, { end, start }: Interval): ReadonlyArray<Interval> =>
  busy.flatMap((interval) =>
    interval.end <= start || interval.start >= end
      ? [interval]
      : [
          { start: interval.start, end: start },
          { start: end, end: interval.end }
        ].filter((rest) => rest.end > rest.start)
  )

/** The fewest intervals that cover the same instants: in order, none empty, no two touching. */
export const union = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const merged: Array<Interval> = []
  let last: Interval | undefined
  for (const next of ordered(intervals)) {
    if (!(next.end > next.start)) continue
    if (last === undefined) last = next
    else if (next.start > last.end) {
      merged.push(last)
      last = next
    } else if (next.end > last.end) last = { start: last.start, end: next.end }
  }
  if (last !== undefined) merged.push(last)
  return merged
}
