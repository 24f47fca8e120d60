import * as Money from "@frontdesk/core/values/Money"
import * as Timestamp from "@frontdesk/core/values/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * Returns the schema of an optional field. A value that differs from the documentation decodes as null, so that one
 * unexpected field does not make the whole call unreadable.
 */
export const Lenient = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(null)))))

/**
 * Returns the cost of a call as money. The sign is dropped, because providers write costs with either sign. Returns null for
 * a number that is too large, or not a number.
 *
 * @param units the cost in whole units of the currency
 */
export const amount = (units: number): Money.Money | null => {
  const millionths = Math.abs(Math.round(units * Money.scale))
  return Number.isSafeInteger(millionths) ? Money.Money.make(millionths) : null
}

/** The URL of a recording. It is http or https, because a person may open it later, and another scheme could be harmful. */
export const RecordingUrl = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/i))

/** An instant in whole milliseconds, within the years 1970 to 9999, which every storage supports. */
export const EpochMillis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Timestamp.latest })).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromMillis)
)
