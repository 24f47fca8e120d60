import * as TimeZone from "@frontdesk/core/values/TimeZone"
import { Speech } from "@frontdesk/agent-tools"
import { expect } from "vitest"

/** All IANA zones that the runtime knows, with UTC. */
export const zones: ReadonlyArray<TimeZone.TimeZone> = [...Intl.supportedValuesOf("timeZone"), "UTC"].filter(
  TimeZone.isTimeZone
)

/** The first and the last instant of 2026, in which both clock changes of every zone are. */
export const [yearStart, yearEnd] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)]

interface Fields {
  readonly weekday: string
  readonly month: string
  readonly day: number
  readonly year: string
  readonly time: string
}

/** Returns a function from instants to their local fields, by Intl. */
export const oracleOf = (zone: string): ((instant: number) => Fields) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "long",
    month: "long",
    day: "numeric",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12"
  })
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const [hour = "", minute = ""] = [parts.get("hour"), parts.get("minute")]
    const half = (parts.get("dayPeriod") ?? "").toLowerCase()
    const clock = `${hour}${minute === "00" ? "" : `:${minute}`} ${half}`
    return {
      weekday: parts.get("weekday") ?? "",
      month: parts.get("month") ?? "",
      day: Number(parts.get("day")),
      year: parts.get("year") ?? "",
      time: clock === "12 pm" ? "noon" : clock
    }
  }
}

/** Returns the number of calendar days between two local dates, by Intl. */
const daysBetween = (from: Fields, to: Fields): number => {
  const day = ({ day, month, year }: Fields) => Date.parse(`${month} ${day}, ${year} UTC`) / 86_400_000
  return day(to) - day(from)
}

/** Checks the sentence of `get_context` at an instant against Intl: weekday, date and time. */
export const checkPresent = (zone: TimeZone.TimeZone, fieldsAt: (instant: number) => Fields, instant: number): void => {
  const { day, time, weekday } = fieldsAt(instant)
  const words = Speech.present({ zone, now: instant })
  const heard = /^It is (\w+day) the (\d+)(st|nd|rd|th), (noon|\d{1,2}(?::\d\d)? [ap]m)( after the clocks go back)?\.$/
  const [, ...said] = heard.exec(words) ?? []
  expect([said[0], Number(said[1]), said[3]], `${zone} ${instant} ${words}`).toEqual([weekday, day, time])
  expect(said[2]).toBe(suffixes.get(new Intl.PluralRules("en", { type: "ordinal" }).select(day)))
}

const suffixes = new Map<Intl.LDMLPluralRule, string>([
  ["one", "st"],
  ["two", "nd"],
  ["few", "rd"],
  ["other", "th"]
])

/** Checks the words of an instant, heard at `now`, against Intl. */
export const checkMoment = (
  zone: TimeZone.TimeZone,
  fieldsAt: (instant: number) => Fields,
  now: number,
  instant: number
): void => {
  const [present, expected] = [fieldsAt(now), fieldsAt(instant)]
  const words = Speech.moment({ zone, now }, instant)
  const heard = /^(.+) at (noon|\d{1,2}(?::\d\d)? [ap]m)( after the clocks go back)?$/.exec(words)
  expect(heard?.[2], `${zone} ${instant}`).toBe(expected.time)
  const days = daysBetween(present, expected)
  const day = heard?.[1] ?? ""
  if (days === 0 || days === 1) {
    expect(day).toBe(days === 0 ? "today" : "tomorrow")
    return
  }
  const [, weekday, month, number, year] = /^(\w+day) (?:the |(\w+) )(\d+)(?:st|nd|rd|th)(?: (\d{4}))?$/.exec(day) ?? []
  expect([weekday, Number(number)], `${zone} ${instant} ${words}`).toEqual([expected.weekday, expected.day])
  const isThisMonth = expected.month === present.month && expected.year === present.year
  expect(month).toBe(isThisMonth ? undefined : expected.month)
  if (year !== undefined) expect(year).toBe(expected.year)
}
