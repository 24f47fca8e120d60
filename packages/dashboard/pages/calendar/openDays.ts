import type { Account } from "@frontdesk/client"
import { daysAfter } from "../ui/formats.ts"
import { datesOf, type FirstDay } from "./calendarDays.ts"

type Hours = Pick<Account, "date_overrides" | "working_hours">

type Window = readonly [start: string, end: string]

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const

const long = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", weekday: "long" })

/** Returns the name of the weekday of a date. */
export const weekdayNameLong = (date: string): string => long.format(new Date(`${date}T00:00:00Z`))

/** Returns the working hours of a date. The hours of a single date take the place of those of its weekday. */
export const windowsOf = ({ date_overrides: overrides, working_hours: hours }: Hours, date: string) => {
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "sun"
  const found: ReadonlyArray<Window> | undefined = Object.hasOwn(overrides, date) ? overrides[date] : hours[weekday]
  return found ?? []
}

/** Returns whether the account works on a date. */
export const isOpenOn = (hours: Hours, date: string): boolean => windowsOf(hours, date).length > 0

/**
 * Returns whether the week of today has no working day any more, and the days after it have one. The calendar then begins with today,
 * so that it shows today and the next working days instead of a week that is over.
 */
export const isWeekOver = (hours: Hours, today: string, firstDay: FirstDay): boolean => {
  const rest = datesOf("week", today, firstDay).filter((date) => date >= today)
  const next = Array.from({ length: 7 }, (_, days) => daysAfter(today, days))
  return !rest.some((date) => isOpenOn(hours, date)) && next.some((date) => isOpenOn(hours, date))
}
