import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { dayMillis, fromParts, isDay } from "./GregorianCalendar.ts"
import { type TimeZone, toInstant } from "./LocalTime.ts"

/** A text is not a date-time in the form that the API accepts (D-HTTP-13). */
export class InvalidDateTime extends Data.TaggedError("InvalidDateTime")<{ readonly text: string }> {}

/** The format of a date-time in schemas. The format `date-time` of JSON Schema would require an offset. */
export const format = "wall-time"

/** The form of a date-time. The date that it names may not exist: `2026-02-30`. */
export const form =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(Z|([+-])([01]\d|2[0-3]):([0-5]\d))?$/

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
  if (match === null) return invalid(text)
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)]
  const [offsetHour, offsetMinute] = [Number(match[10] ?? 0), Number(match[11] ?? 0)]
  if (!isDay(year, month, day)) return invalid(text)
  const millis = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"))
  const wall = fromParts(year, month, day) * dayMillis + ((hour * 60 + minute) * 60 + second) * 1_000 + millis
  const ahead = (offsetHour * 60 + offsetMinute) * (match[9] === "-" ? -60_000 : 60_000)
  const instant = match[8] === undefined ? toInstant(wall, zone) : wall - ahead
  return instant >= earliest && instant <= latest ? Result.succeed(instant) : invalid(text)
}

const invalid = (text: string) => Result.fail(new InvalidDateTime({ text }))

const earliest = fromParts(0, 1, 1) * dayMillis
const latest = fromParts(9_999, 12, 31) * dayMillis + dayMillis - 1
