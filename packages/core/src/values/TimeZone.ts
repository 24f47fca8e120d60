import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { canonicalName, isTimeZone, nameForm } from "./LocalTime.ts"

export * from "./LocalTime.ts"

const description = "the name of an IANA time zone"

/**
 * The name of an IANA time zone that the runtime knows, for example `America/New_York`. Decoding ignores its case
 * (D-VAL-8).
 */
export const TimeZone = Schema.String.check(Schema.isPattern(nameForm, { description })).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.makeFilter(isTimeZone, { identifier: "TimeZone", description })).pipe(
      Schema.brand("TimeZone")
    ),
    SchemaTransformation.transform({ decode: canonicalName, encode: (name: string) => name })
  )
)

/** The name of an IANA time zone that the runtime knows. */
export type TimeZone = typeof TimeZone.Type
