import * as Schema from "effect/Schema"
import * as WallTime from "./WallTime.ts"

/**
 * A date-time of an input as a text. A time without an offset is in the time zone of the account, so it stays a text until
 * the service knows the account. `WallTime.parse` reads it.
 */
export const DateTimeText = Schema.String.annotate({
  format: WallTime.format,
  description: "YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone"
})
