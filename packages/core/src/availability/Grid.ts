import type { TimeZone } from "../values/TimeZone.ts"
import { spanAt } from "../values/ZoneOffset.ts"

/** The minutes of the hour slots begin on: multiples of the largest round number that divides their distance. */
export const gridMinutes = (slotInterval: number): number =>
  [60, 30, 20, 15, 10, 5].find((minutes) => slotInterval % minutes === 0) ?? 1

/**
 * Rounds instants up to the grid of a zone: to a whole local minute that is a multiple of {@link gridMinutes} in its
 * hour (rule 3 of `Slots.find`).
 *
 * The function that is returned remembers the offset it used last, so it is quickest with instants in order.
 */
export const makeGrid = (slotInterval: number, zone: TimeZone): ((instant: number) => number) => {
  const step = gridMinutes(slotInterval) * 60_000
  let span = { start: 0, end: 0, offset: 0 }
  return (instant) => {
    let from = instant
    for (;;) {
      if (from < span.start || from >= span.end) span = spanAt(from, zone)
      // Local hours are whole hours of `from + offset`, so a multiple there is one within the hour.
      const rounded = Math.ceil((from + span.offset) / step) * step - span.offset
      if (rounded < span.end) return rounded
      // The offset changes before that minute comes.
      from = span.end
    }
  }
}
