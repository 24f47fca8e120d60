import { daysAfter } from "../ui/formats.ts"

/** How much of the calendar is shown. */
export type View = "week" | "month"

const utc = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** Returns whether a text is an existing date written YYYY-MM-DD. */
export const isDate = (text: string): boolean => {
  const at = utc(text)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The first day of the week: 1 for Monday to 7 for Sunday. */
export type FirstDay = number

/** A locale with what it knows of weeks. Some browsers have a method for it, some a property, some neither. */
type LocaleWithWeek = Intl.Locale & {
  readonly getWeekInfo?: () => { readonly firstDay: FirstDay }
  readonly weekInfo?: { readonly firstDay: FirstDay }
}

/** Returns the first day of the week in a locale such as `en-US`. It is Monday where the browser does not know it. */
export const firstDayIn = (locale: string): FirstDay => {
  const known: LocaleWithWeek = new Intl.Locale(locale)
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1
}

/** Returns the first date of the week of a date. */
const weekStart = (date: string, firstDay: FirstDay): string =>
  daysAfter(date, -((utc(date).getUTCDay() - firstDay + 7) % 7))

/** Returns a number of dates from a first one on. */
export const daysFrom = (first: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => daysAfter(first, index))

/** Returns the dates of all weeks that have a day of the month of a date. */
const monthOf = (date: string, firstDay: FirstDay): ReadonlyArray<string> => {
  const first = `${date.slice(0, 7)}-01`
  const next = utc(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const start = weekStart(first, firstDay)
  const weeks = Math.ceil((next.getTime() - utc(start).getTime()) / (7 * 86_400_000))
  return daysFrom(start, weeks * 7)
}

/** Returns the dates that a view of a date shows. */
export const datesOf = (view: View, date: string, firstDay: FirstDay): ReadonlyArray<string> =>
  view === "week" ? daysFrom(weekStart(date, firstDay), 7) : monthOf(date, firstDay)

/** Returns the date in the week or the month before (-1) or after (1). */
export const turned = (view: View, date: string, by: -1 | 1): string => {
  if (view === "week") return daysAfter(date, 7 * by)
  const at = utc(`${date.slice(0, 7)}-01`)
  at.setUTCMonth(at.getUTCMonth() + by)
  return at.toISOString().slice(0, 10)
}

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options })

const weekday = format({ weekday: "short" })
const long = format({ weekday: "short", day: "numeric", month: "short" })
const range = format({ dateStyle: "medium" })
const month = format({ month: "long", year: "numeric" })

/** Returns the short name of the weekday of a date. */
export const weekdayName = (date: string): string => weekday.format(utc(date))

/** Returns a date with its weekday. */
export const dayName = (date: string): string => long.format(utc(date))

/** Returns the day of the month of a date. */
export const dayNumber = (date: string): number => Number(date.slice(8))

/** Returns the name of what a view of a date shows. */
export const rangeName = (view: View, date: string, dates: ReadonlyArray<string>): string =>
  view === "month" ? month.format(utc(date)) : range.formatRange(utc(dates[0] ?? date), utc(dates.at(-1) ?? date))
