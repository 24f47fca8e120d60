import { defaultLimit, maxLimit } from "@frontdesk/core/values/Page"
import { CalendarDate, daysBetween } from "@frontdesk/core/values/CalendarDate"
import { defaultDays, defaultDuration, maxDays } from "@frontdesk/core/availability/Availability"
import * as Schema from "effect/Schema"

/**
 * Returns what a request takes from the bucket of its caller, by its query as it was sent. It is known before the query
 * is decoded: a query that will be refused costs what an ordinary one costs.
 */
export type Cost = (query: URLSearchParams) => number

/** What an ordinary request costs. */
export const ordinary: Cost = () => 1

/** How many rows of a list cost as much as an ordinary request. */
export const rowsOfOne = 50

/** How many days of availability cost as much as an ordinary request. */
export const daysOfOne = defaultDays

/** The cost of a page: 1 for each {@link rowsOfOne} rows that are asked for. */
export const ofRows: Cost = (query) => {
  const asked = query.get("limit") ?? String(defaultLimit)
  return /^\d{1,16}$/.test(asked) ? partsOf(Math.min(Number(asked), maxLimit), rowsOfOne) : 1
}

/** How many slots, back to back through all days that are asked for, cost as much as an ordinary request. */
export const slotsOfOne = 1_000

/** How many bytes of a body cost as much as an ordinary request. */
export const bytesOfOne = 16_384

/**
 * The cost of availability: 1 for each {@link daysOfOne} days that are asked for, or for each {@link slotsOfOne} slots of
 * the asked duration that these days could hold, whichever is more.
 */
export const ofAvailability: Cost = (query) => {
  const [start, end] = [query.get("start_date"), query.get("end_date")]
  const days = isDate(start) && isDate(end) ? Math.min(daysBetween(start, end) + 1, maxDays) : defaultDays
  const duration = Number(/^\d{1,3}$/.exec(query.get("duration") ?? "")?.[0] ?? defaultDuration)
  const slots = (days * 1_440) / Math.max(1, duration)
  return Math.max(partsOf(days, daysOfOne), partsOf(slots, slotsOfOne))
}

/** Returns what a body costs beyond the request it belongs to: 1 for each further {@link bytesOfOne} bytes. */
export const ofBody = (bytes: number): number => partsOf(bytes, bytesOfOne) - 1

const isDate = Schema.is(CalendarDate)

const partsOf = (amount: number, part: number): number => Math.max(1, Math.ceil(amount / part))
