import { defaultDays } from "./Availability.ts"

/** The number of days of availability that cost 1. */
export const daysOfOne = defaultDays

/** The number of slots that cost 1, if the requested days were filled with slots of the requested duration. */
export const slotsOfOne = 1_000

/**
 * Returns the cost of a search for free slots (D-RATE-2): 1 for each {@link daysOfOne} days, or 1 for each
 * {@link slotsOfOne} slots of the duration in minutes that fit into those days, whichever is more.
 */
export const ofSearch = (days: number, duration: number): number =>
  Math.max(1, Math.ceil(days / daysOfOne), Math.ceil((days * 1_440) / Math.max(1, duration) / slotsOfOne))
