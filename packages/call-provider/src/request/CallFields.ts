import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A field that a call is read without. What is not as documented is read as null, so that one odd field does not hide
 * the rest.
 */
export const Absent = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(null)))))

/**
 * What a provider says a call costs it, in millionths; null when that is no amount. Providers write it with either
 * sign.
 */
export const amount = (units: number): Money.Money | null => {
  const millionths = Math.abs(Math.round(units * Money.scale))
  return Number.isSafeInteger(millionths) ? Money.Money.make(millionths) : null
}

/** Where a recording is: by http or https, so that nothing else is kept which somebody may open later. */
export const RecordingUrl = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/i))
