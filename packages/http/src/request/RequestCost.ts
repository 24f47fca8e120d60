import { defaultLimit, maxLimit } from "@frontdesk/core/values/Page"
import { CalendarDate, daysBetween } from "@frontdesk/core/values/CalendarDate"
import { defaultDays, defaultDuration, maxDays } from "@frontdesk/core/availability/Availability"
import * as StatisticInput from "@frontdesk/core/statistics/StatisticInput"
import * as SearchCost from "@frontdesk/core/availability/SearchCost"
import * as Schema from "effect/Schema"

/**
 * Returns the cost of a request from its query (D-RATE-2). The cost is computed before the query is decoded, so a value
 * of the wrong form counts like an absent one.
 */
export type Cost = (query: URLSearchParams) => number

/** Returns 1, the cost of an ordinary request. */
export const ordinary: Cost = () => 1

/** The number of rows of a list that cost 1. */
export const rowsOfOne = 50

/** Returns the cost of a page with other limits than {@link ofRows}: 1 for each {@link rowsOfOne} requested rows, rounded up. */
export const ofRowsUpTo =
  (ordinaryLimit: number, maxRows: number): Cost =>
  (query) => {
    const asked = query.get("limit") ?? String(ordinaryLimit)
    return /^\d{1,16}$/.test(asked) ? partsOf(Math.min(Number(asked), maxRows), rowsOfOne) : 1
  }

/** Returns the cost of a page: 1 for each {@link rowsOfOne} requested rows, rounded up. */
export const ofRows: Cost = ofRowsUpTo(defaultLimit, maxLimit)

/** Returns the cost of a page of an export. One page of an export can be as large as many pages of a list. */
export const ofExport: Cost = () => 10

/** The number of bytes of a body that cost 1. */
export const bytesOfOne = 16_384

/** Returns the cost of busy times: 1 for each `SearchCost.daysOfOne` requested days, rounded up. */
export const ofDays: Cost = (query) => partsOf(daysOf(query), SearchCost.daysOfOne)

/** Returns the cost of availability: that of its search, see `SearchCost.ofSearch`. */
export const ofAvailability: Cost = (query) => {
  const days = daysOf(query)
  const duration = Number(/^\d{1,3}$/.exec(query.get("duration") ?? "")?.[0] ?? defaultDuration)
  return SearchCost.ofSearch(days, duration)
}

/** Returns the cost of statistics: 1 for each {@link rowsOfOne} requested days, rounded up. */
export const ofStatistics: Cost = (query) => {
  const [start, end] = [query.get("start_date"), query.get("end_date")]
  const { defaultDays, maxDays } = StatisticInput
  if (!isDate(start)) return partsOf(defaultDays, rowsOfOne)
  // Without an end the days are not known yet.
  return partsOf(isDate(end) ? Math.min(daysBetween(start, end) + 1, maxDays) : maxDays, rowsOfOne)
}

/**
 * Returns the cost of a body in addition to its request: 1 for each further {@link bytesOfOne} bytes after the first.
 */
export const ofBody = (bytes: number): number => partsOf(bytes, bytesOfOne) - 1

/** Returns the number of local dates that availability or busy times are requested for. */
const daysOf = (query: URLSearchParams): number => {
  const [start, end] = [query.get("start_date"), query.get("end_date")]
  return isDate(start) && isDate(end) ? Math.min(daysBetween(start, end) + 1, maxDays) : defaultDays
}

const isDate = Schema.is(CalendarDate)

const partsOf = (amount: number, part: number): number => Math.max(1, Math.ceil(amount / part))
