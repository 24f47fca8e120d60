import type { TimeZone } from "../values/LocalTime.ts"
import { spanAt } from "../values/ZoneOffset.ts"

/**
 * Returns the step of the grid for the first slot of a free piece, in minutes (D-AVL-10). It is the largest of 60, 30,
 * 20, 15, 10 and 5 that divides the slot interval, else 1. The slot begins at a multiple of the step within the hour.
 */
export const gridMinutes = (slotInterval: number): number =>
  [60, 30, 20, 15, 10, 5].find((minutes) => slotInterval % minutes === 0) ?? 1

/**
 * Returns a function that rounds an instant up to the grid of a zone (rule 3 of `Slots.find`). The grid has the whole
 * local minutes that are multiples of {@link gridMinutes} within their hour.
 *
 * The function caches the last offset, so it is fastest for instants in order.
 */
export const makeGrid = (slotInterval: number, zone: TimeZone): ((instant: number) => number) => {
  const step = gridMinutes(slotInterval) * 60_000
  let span = { start: 0, end: 0, offset: 0 }
  return (instant) => {
    let from = instant
    for (;;) {
      if (from < span.start || from >= span.end) span = spanAt(from, zone)
      // `from + offset` counts local time from a full hour, so its multiples of `step` are multiples within the hour.
      const rounded = Math.ceil((from + span.offset) / step) * step - span.offset
      if (rounded < span.end) return rounded
      // The offset of the zone changes before that minute, so the search continues at the change.
      from = span.end
    }
  }
}
