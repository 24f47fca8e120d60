import type * as Brand from "effect/Brand"
import { twoDigits } from "./Digits.ts"

/** A date without time or time zone, written `YYYY-MM-DD`. */
export type CalendarDate = string & Brand.Brand<"CalendarDate">

/** The milliseconds in a day of 24 hours. */
export const dayMillis = 86_400_000

/** Returns whether a text is an existing date of the years 0000 to 9999, written `YYYY-MM-DD`. */
export const exists = (text: string): text is CalendarDate => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  return isDay(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** Returns whether a year has the day of the month. `month` and `day` count from 1. */
export const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

const daysInMonth = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

/** The days of 400 years. After these the Gregorian calendar repeats. */
const daysPerEra = 146_097

/**
 * Returns the day number of a date in the proleptic Gregorian calendar: the days since 1970-01-01, negative before it.
 * `month` counts from 1, and 13 is January of the next year.
 */
export const fromParts = (year: number, month: number, day: number): number => {
  // In a year that begins in March the leap day is the last day, so one formula counts the days before any month.
  const months = year * 12 + month - 3
  const marchYear = Math.floor(months / 12)
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  const beforeMonth = Math.floor((153 * (months - marchYear * 12) + 2) / 5)
  return marchYear * 365 + leapDays + beforeMonth + day - 719_469
}

/** Returns the date of a day number, see {@link fromParts}. `month` and `day` count from 1. */
export const toParts = (dayNumber: number): { readonly year: number; readonly month: number; readonly day: number } => {
  // The days since 0000-03-01, so that the leap day is the last day of a year.
  const shifted = dayNumber + 719_468
  const era = Math.floor(shifted / daysPerEra)
  const dayOfEra = shifted - era * daysPerEra
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  }
}

/** Returns the day number of a date, see {@link fromParts}. */
export const toDayNumber = (date: CalendarDate): number =>
  fromParts(twoDigits(date, 0) * 100 + twoDigits(date, 2), twoDigits(date, 5), twoDigits(date, 8))

/** The day numbers of 0000-01-01 and of 9999-12-31. */
const [first, last] = [-719_528, 2_932_896]

/**
 * Returns the date of a day number. A day number outside the years 0000 to 9999 becomes the first or last date of them.
 * Throws a RangeError for a number that is not whole.
 */
export const fromDayNumber = (dayNumber: number): CalendarDate => {
  const { day, month, year } = toParts(Math.min(Math.max(dayNumber, first), last))
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
  if (!exists(date)) throw new RangeError(`not a day number: ${dayNumber}`)
  return date
}

const digits = (value: number, width: number): string => String(value).padStart(width, "0")

/** Returns the date `days` days later, or earlier when negative. The result stays within the years 0000 to 9999. */
export const addDays = (date: CalendarDate, days: number): CalendarDate => fromDayNumber(toDayNumber(date) + days)

/** Returns the number of days from `from` to `to`, negative when `to` is earlier. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => toDayNumber(to) - toDayNumber(from)

/** Compares two dates for sorting: negative when `a` is earlier, 0 when they are equal, positive when `a` is later. */
export const compare = (a: CalendarDate, b: CalendarDate): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the day of the week of a day number, counted as in ISO 8601: 1 is Monday, 7 is Sunday. */
export const dayOfWeekOf = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1

/** Returns the day of the week of a date, counted as in ISO 8601: 1 is Monday, 7 is Sunday. */
export const dayOfWeek = (date: CalendarDate): number => dayOfWeekOf(toDayNumber(date))
