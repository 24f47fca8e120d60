import * as Schema from "effect/Schema"
import { exists } from "./GregorianCalendar.ts"

export * from "./GregorianCalendar.ts"

/** A date without time or time zone, written `YYYY-MM-DD`. The date must exist. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter(exists, {
    identifier: "CalendarDate",
    description: "an existing date written YYYY-MM-DD",
    toJsonSchema: () => ({ format: "date" })
  })
).pipe(Schema.brand("CalendarDate"))

/** A date without time or time zone, written `YYYY-MM-DD`. */
export type CalendarDate = typeof CalendarDate.Type
