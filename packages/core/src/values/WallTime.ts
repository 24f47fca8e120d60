import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { CalendarDate, dayMillis, exists, toDayNumber } from "./CalendarDate.ts"
import { type TimeZone, toInstant } from "./TimeZone.ts"

/** A text is not a date-time in the form that the API accepts (D-HTTP-13). */
export class InvalidDateTime extends Schema.TaggedError<InvalidDateTime>("@frontdesk/core/values/InvalidDateTime")(
  "InvalidDateTime",
  { text: Schema.String }
) {}

const form = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|([+-])(\d{2}):(\d{2}))?$/

/**
 * Parses a date-time `YYYY-MM-DDTHH:MM[:SS[.fff]]` with `Z`, an offset such as `+02:00`, or neither, and returns its
 * epoch milliseconds (D-HTTP-13). A date-time without offset is a wall time in `zone`.
 *
 * A wall time in a gap of the zone moves forward by the length of the gap. Of a wall time that occurs twice the first
 * instant is returned. Digits of the fraction beyond milliseconds are dropped.
 *
 * Fails with `InvalidDateTime` for a text in another form, a date that does not exist, 24:00 and a leap second. Also
 * fails for an instant outside the years 0000 to 9999 in UTC.
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
