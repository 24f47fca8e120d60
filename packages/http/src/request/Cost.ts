import { defaultLimit, maxLimit } from "@frontdesk/core/values/Page"
import { CalendarDate, daysBetween } from "@frontdesk/core/values/CalendarDate"
import { defaultDays, maximumDays } from "@frontdesk/core/availability/Availability"
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

/** The cost of availability: 1 for each {@link daysOfOne} days that are asked for. */
export const ofDays: Cost = (query) => {
  const [start, end] = [query.get("start_date"), query.get("end_date")]
  return isDate(start) && isDate(end) ? partsOf(Math.min(daysBetween(start, end) + 1, maximumDays), daysOfOne) : 1
}

const isDate = Schema.is(CalendarDate)

const partsOf = (amount: number, part: number): number => Math.max(1, Math.ceil(amount / part))
