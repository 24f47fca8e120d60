import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FieldProblems from "./FieldProblems.ts"
import type { TimeZone } from "./LocalTime.ts"
import { ValidationError } from "./ValidationError.ts"
import * as WallTime from "./WallTime.ts"

/**
 * A date-time of an input as a text. A time without an offset is in the time zone of the account, so it stays a text until
 * the service knows the account. {@link instantOf} reads it.
 */
export const DateTimeText = Schema.String.annotate({
  format: WallTime.format,
  description: "YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone"
})

const message = "Expected a time as YYYY-MM-DDTHH:MM:SS, with Z, with an offset or without"

/** Returns the instant of a {@link DateTimeText}. Fails with `ValidationError` for the field when it is not a time. */
export const instantOf = (field: string, text: string, zone: TimeZone): Result.Result<DateTime.Utc, ValidationError> =>
  Result.mapBoth(WallTime.parse(text, zone), {
    onSuccess: (millis) => DateTime.makeUnsafe(millis),
    onFailure: () => new ValidationError({ problems: [{ field, code: FieldProblems.invalid, message }] })
  })
