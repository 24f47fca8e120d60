import type { SlotQuery } from "@frontdesk/core/availability/Slots"
import { type CalendarDate, fromDayNumber, toDayNumber } from "@frontdesk/core/values/CalendarDate"
import type { Interval } from "@frontdesk/core/values/Interval"
import { formatOffset, type TimeZone } from "@frontdesk/core/values/TimeZone"

/**
 * Returns a question for free slots in words, for the reports of failed tests, such as
 * `2026-03-08 New York, Sun 01:00-04:00, busy 02:30-03:15 EST, 60 min`. Busy times are local; those on another date than
 * the first one have their date.
 */
export const show = (query: SlotQuery): string => {
  const { bufferAfter, bufferBefore, dateOverrides, duration, endDate, notBefore, slotInterval, startDate } = query
  const dates = startDate === endDate ? startDate : `${startDate} to ${endDate}`
  const parts = [
    `${dates} ${query.timeZone.replace(/^.*\//, "").replaceAll("_", " ")}`,
    ...hours(query),
    ...Object.entries(dateOverrides ?? {}).map(([date, windows]) => `on ${date} ${windowsText(windows)}`),
    ...(query.busy ?? []).map((interval) => `busy ${intervalText(interval, query)}`),
    `${duration} min`,
    ...(slotInterval === undefined || slotInterval === null ? [] : [`every ${slotInterval} min`]),
    ...(bufferBefore === undefined ? [] : [`${bufferBefore} min free before busy times`]),
    ...(bufferAfter === undefined ? [] : [`${bufferAfter} min free after busy times`]),
    ...(notBefore === undefined ? [] : [`not before ${momentText(notBefore, query)}`])
  ]
  return parts.join(", ")
}

const weekdays = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"] as const

/** Returns the working hours of the weekdays of the question. */
const hours = ({ endDate, startDate, workingHours }: SlotQuery): ReadonlyArray<string> => {
  const first = toDayNumber(startDate)
  const count = Math.min(7, toDayNumber(endDate) - first + 1)
  return Array.from({ length: count }, (_, index) => {
    // 1970-01-01 was a Thursday.
    const weekday = weekdays[(first + index) % 7] ?? "thu"
    return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${windowsText(workingHours[weekday] ?? [])}`
  })
}

const windowsText = (windows: ReadonlyArray<readonly [string, string]>): string =>
  windows.length === 0 ? "closed" : windows.map(([start, end]) => `${start}-${end}`).join(" and ")

const intervalText = ({ end, start }: Interval, query: Pick<SlotQuery, "startDate" | "timeZone">): string => {
  const [from, to] = [localOf(start, query.timeZone), localOf(end, query.timeZone)]
  const zones = [nameAt(start, query.timeZone), nameAt(end, query.timeZone)]
  const begin = `${dateText(from.date, query.startDate)}${from.time}`
  const rest = `${dateText(to.date, from.date)}${to.time} ${zones[1]}`
  return zones[0] === zones[1] ? `${begin}-${rest}` : `${begin} ${zones[0]}-${rest}`
}

const momentText = (instant: number, { startDate, timeZone }: Pick<SlotQuery, "startDate" | "timeZone">): string => {
  const { date, time } = localOf(instant, timeZone)
  return `${dateText(date, startDate)}${time} ${nameAt(instant, timeZone)}`
}

const dateText = (date: CalendarDate, present: CalendarDate): string => (date === present ? "" : `${date} `)

/** Returns the local date and time at an instant. Seconds are shown when they are not zero. */
const localOf = (instant: number, zone: TimeZone): { readonly date: CalendarDate; readonly time: string } => {
  const text = formatOffset(instant, zone)
  const time = text.slice(11).replace(/[+-]\d\d:\d\d$/, "")
  return { date: fromDayNumber(Math.floor(Date.parse(text.slice(0, 10)) / 86_400_000)), time: time.replace(/:00$/, "") }
}

const nameAt = (instant: number, timeZone: TimeZone): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" })
    .formatToParts(instant)
    .find(({ type }) => type === "timeZoneName")?.value ?? timeZone
