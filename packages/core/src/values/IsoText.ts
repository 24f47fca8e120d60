import * as DateTime from "effect/DateTime"
import { dayMillis, toParts } from "./GregorianCalendar.ts"

const padded = (count: number, width: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, value) => String(value).padStart(width, "0"))

const two = padded(100, 2)
const three = padded(1_000, 3)

/**
 * Returns an instant as ISO 8601 text in UTC with milliseconds: `2026-03-08T13:00:00.000Z`.
 *
 * It is `DateTime.formatIso` in less time. A page of a list has two times in each row, and making them took longer than
 * reading the rows.
 */
export const format = (instant: DateTime.DateTime): string => {
  const millis = instant.epochMilliseconds
  const dayNumber = Math.floor(millis / dayMillis)
  const { day, month, year } = toParts(dayNumber)
  // Years with another number of digits have a sign and six digits.
  if (year < 0 || year > 9_999) return DateTime.formatIso(instant)
  let rest = millis - dayNumber * dayMillis
  const millisecond = rest % 1_000
  rest = (rest - millisecond) / 1_000
  const second = rest % 60
  rest = (rest - second) / 60
  const minute = rest % 60
  const hour = (rest - minute) / 60
  const date = `${two[Math.floor(year / 100)]}${two[year % 100]}-${two[month]}-${two[day]}`
  return `${date}T${two[hour]}:${two[minute]}:${two[second]}.${three[millisecond]}Z`
}
