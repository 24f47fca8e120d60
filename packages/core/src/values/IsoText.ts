import * as DateTime from "effect/DateTime"
import { dayMillis, toParts } from "./GregorianCalendar.ts"

const padded = (count: number, width: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, value) => String(value).padStart(width, "0"))

const two = padded(100, 2)
const minutes = Array.from({ length: 24 * 60 }, (_, minute) => `T${two[Math.floor(minute / 60)]}:${two[minute % 60]}:`)
const milliseconds = padded(1_000, 3).map((text) => `.${text}Z`)

/** The day that was formatted last, because the rows of a list often have times of one day. */
let lastDay = { dayNumber: 0, text: "1970-01-01" }

/** Returns the date, or undefined for years that have another number of digits. */
const dateOf = (dayNumber: number): string | undefined => {
  if (dayNumber === lastDay.dayNumber) return lastDay.text
  const { day, month, year } = toParts(dayNumber)
  if (year < 0 || year > 9_999) return undefined
  const text = `${two[Math.floor(year / 100)]}${two[year % 100]}-${two[month]}-${two[day]}`
  lastDay = { dayNumber, text }
  return text
}

/**
 * Returns an instant as ISO 8601 text in UTC with milliseconds: `2026-03-08T13:00:00.000Z`.
 *
 * It is `DateTime.formatIso` in less time. A page of a list has two times in each row, and making them took longer than
 * reading the rows.
 */
export const format = (instant: DateTime.DateTime): string => {
  const millis = instant.epochMilliseconds
  const dayNumber = Math.floor(millis / dayMillis)
  const date = dateOf(dayNumber)
  // Years with another number of digits have a sign and six digits.
  if (date === undefined) return DateTime.formatIso(instant)
  const ofDay = millis - dayNumber * dayMillis
  const millisecond = ofDay % 1_000
  const seconds = (ofDay - millisecond) / 1_000
  const second = seconds % 60
  return date + minutes[(seconds - second) / 60] + two[second] + milliseconds[millisecond]
}
