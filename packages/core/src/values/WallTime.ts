import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { CalendarDate, dayMillis, exists, toDayNumber } from "./CalendarDate.ts"
import { type TimeZone, toInstant } from "./TimeZone.ts"

/** A text that is no date-time the API accepts (D-HTTP-13). */
export class InvalidDateTime extends Schema.TaggedError<InvalidDateTime>("@frontdesk/core/values/InvalidDateTime")(
  "InvalidDateTime",
  { text: Schema.String }
) {}

const form = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|([+-])(\d{2}):(\d{2}))?$/

/**
 * The epoch milliseconds of `YYYY-MM-DDTHH:MM[:SS[.fff]]` with `Z`, an offset, or none, which means `zone`
 * (D-HTTP-13).
 *
 * A wall time in a gap of the zone moves forward by the gap, one that happens twice is the first. A fraction may have
 * any number of digits; what is finer than a millisecond is cut off. The date must exist; 24:00 and leap seconds are
 * refused, and so is an instant outside the years 0000 to 9999 in UTC.
 */
export const parse = (text: string, zone: TimeZone): Result.Result<number, InvalidDateTime> => {
  const match = form.exec(text)
  const date = match?.[1] ?? ""
  const [hour, minute, second] = [Number(match?.[2]), Number(match?.[3]), Number(match?.[4] ?? 0)]
  const [offsetHour, offsetMinute] = [Number(match?.[8] ?? 0), Number(match?.[9] ?? 0)]
  if (match === null || !exists(date) || hour > 23 || minute > 59 || second > 59) return invalid(text)
  if (offsetHour > 23 || offsetMinute > 59) return invalid(text)
  const millis = Number((match[5] ?? "").slice(0, 3).padEnd(3, "0"))
  const wall = toDayNumber(CalendarDate.make(date)) * dayMillis + ((hour * 60 + minute) * 60 + second) * 1_000 + millis
  const ahead = (offsetHour * 60 + offsetMinute) * (match[7] === "-" ? -60_000 : 60_000)
  const instant = match[6] === undefined ? toInstant(wall, zone) : wall - ahead
  return instant >= earliest && instant <= latest ? Result.succeed(instant) : invalid(text)
}

const invalid = (text: string) => Result.fail(new InvalidDateTime({ text }))

const earliest = toDayNumber(CalendarDate.make("0000-01-01")) * dayMillis
const latest = toDayNumber(CalendarDate.make("9999-12-31")) * dayMillis + dayMillis - 1
