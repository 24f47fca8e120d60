import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import { english } from "./English.ts"
import type { SpokenDay, Texts } from "./Texts.ts"

/** How times are spoken: in which zone, seen from which instant, and in which words. */
export interface Speaker {
  readonly zone: TimeZone.TimeZone
  /** The present instant, in epoch milliseconds. */
  readonly now: number
  /** Default: {@link english}. */
  readonly texts?: Texts | undefined
}

/** Returns a date with its relation to the present date. */
export const spokenDay = (date: CalendarDate.CalendarDate, today: CalendarDate.CalendarDate): SpokenDay => {
  const dayNumber = CalendarDate.toDayNumber(date)
  const { day, month, year } = CalendarDate.toParts(dayNumber)
  return {
    year,
    month,
    day,
    weekday: CalendarDate.dayOfWeekOf(dayNumber),
    daysFromNow: CalendarDate.daysBetween(today, date),
    isThisMonth: date.slice(0, 7) === today.slice(0, 7)
  }
}

/** Returns the present local date. */
export const today = ({ now, zone }: Speaker): CalendarDate.CalendarDate => TimeZone.dateAt(now, zone)

/**
 * Returns a date in words: "today", "Tuesday the 24th", or "Tuesday December 1st" in another month. A date that is far away
 * has its year.
 */
export const day = (speaker: Speaker, date: CalendarDate.CalendarDate): string =>
  (speaker.texts ?? english).day(spokenDay(date, today(speaker)))

/** Returns the wall time at an instant in words: "3 pm", "3:30 pm", "noon". Seconds are left out. */
export const time = ({ texts = english, zone }: Speaker, instant: number): string => {
  const wall = TimeZone.toWall(instant, zone)
  const minutes = TimeZone.minuteOfDay(wall)
  return texts.time({
    hour: Math.floor(minutes / 60),
    minute: minutes % 60,
    isSecond: TimeZone.toInstant(wall, zone) !== instant
  })
}

/** Returns an instant in words: "Tuesday the 24th at 3 pm", "tomorrow at 3:30 pm". */
export const moment = (speaker: Speaker, instant: number): string =>
  (speaker.texts ?? english).moment(day(speaker, TimeZone.dateAt(instant, speaker.zone)), time(speaker, instant))

/** Returns the present time in a sentence, with weekday and date: "It is Tuesday the 24th, 3 pm." */
export const present = (speaker: Speaker): string => {
  const date = today(speaker)
  return (speaker.texts ?? english).now(spokenDay(date, date), time(speaker, speaker.now))
}

/**
 * Returns instants in words, the times of one day together: "Tuesday the 24th at 3 pm or 4 pm". `Texts.slots` offers the
 * result.
 */
export const choices = (speaker: Speaker, instants: ReadonlyArray<number>): ReadonlyArray<string> => {
  const { texts = english, zone } = speaker
  const byDay = new Map<CalendarDate.CalendarDate, Array<string>>()
  for (const instant of instants) {
    const date = TimeZone.dateAt(instant, zone)
    byDay.set(date, [...(byDay.get(date) ?? []), time(speaker, instant)])
  }
  return [...byDay].map(([date, times]) => texts.moment(day(speaker, date), texts.choice(times)))
}

/** A date with the name of its day of the week. */
export type NamedDay = {
  readonly date: CalendarDate.CalendarDate
  readonly weekday: string
}

/** The number of days that `get_context` returns. */
const daysOfContext = 14

/** Returns the present local date and the dates after it, each with its weekday. A model takes dates from this list. */
export const nextDays = (speaker: Speaker, count: number = daysOfContext): ReadonlyArray<NamedDay> => {
  const first = today(speaker)
  return Array.from({ length: count }, (_, index) => {
    const date = CalendarDate.addDays(first, index)
    return { date, weekday: (speaker.texts ?? english).weekday(CalendarDate.dayOfWeek(date)) }
  })
}
