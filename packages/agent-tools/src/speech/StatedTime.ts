import * as CalendarDate from "@frontdesk/core/values/CalendarDate"
import * as ClockTime from "@frontdesk/core/values/ClockTime"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { english } from "./English.ts"
import * as Speech from "./Speech.ts"

/** A local time as a model types it. */
export interface StatedTime {
  /** The date, as `YYYY-MM-DD`. */
  readonly date: string
  /** The weekday in words. It proves that the model means the date that it has typed. */
  readonly weekday: string
  /** The wall time, as `HH:MM`. */
  readonly time: string
}

/** A typed time is wrong. */
export class StatedTimeRefused extends Data.TaggedError("StatedTimeRefused")<{
  /** The field that is wrong. */
  readonly field: keyof StatedTime
  readonly code: "invalid_date" | "unknown_weekday" | "weekday_mismatch" | "invalid_time" | "skipped_time"
  /** What to say to the caller, on one line. */
  readonly say: string
}> {}

/**
 * Returns a typed date. Fails with `StatedTimeRefused` for a date that does not exist, for a text that is not a weekday, and
 * when date and weekday disagree. Models often compute dates wrongly, and rarely make the same mistake in both.
 */
export const checkDay = (
  speaker: Speech.Speaker,
  { date, weekday }: Pick<StatedTime, "date" | "weekday">
): Result.Result<CalendarDate.CalendarDate, StatedTimeRefused> => {
  const { texts = english } = speaker
  if (!CalendarDate.exists(date)) return refuse("date", "invalid_date", texts.noSuchDate)
  const stated = texts.parseWeekday(weekday)
  if (stated === CalendarDate.dayOfWeek(date)) return Result.succeed(date)
  const say = texts.wrongWeekday(Speech.spokenDay(date, Speech.today(speaker)))
  return refuse("weekday", stated === undefined ? "unknown_weekday" : "weekday_mismatch", say)
}

/**
 * Returns the instant of a typed time, in epoch milliseconds. Of a wall time that occurs twice it returns the first instant.
 *
 * Fails with `StatedTimeRefused` like {@link checkDay}, and also for a text that is not a time, and for a time that the zone
 * skips.
 */
export const check = (
  speaker: Speech.Speaker,
  { date, time, weekday }: StatedTime
): Result.Result<number, StatedTimeRefused> =>
  Result.flatMap(checkDay(speaker, { date, weekday }), (day) => {
    const { texts = english, zone } = speaker
    const minute = ClockTime.minuteOf(time)
    if (!(minute < ClockTime.dayMinutes)) return refuse("time", "invalid_time", texts.invalidArguments("time"))
    const wall = CalendarDate.toDayNumber(day) * CalendarDate.dayMillis + minute * 60_000
    const instant = TimeZone.toInstant(wall, zone)
    return TimeZone.toWall(instant, zone) === wall
      ? Result.succeed(instant)
      : refuse("time", "skipped_time", texts.skippedTime(Speech.day(speaker, day)))
  })

const refuse = (field: keyof StatedTime, code: StatedTimeRefused["code"], say: string) =>
  Result.fail(new StatedTimeRefused({ field, code, say }))
