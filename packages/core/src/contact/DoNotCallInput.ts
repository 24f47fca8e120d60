import * as Schema from "effect/Schema"
import { PhoneNumber } from "../values/PhoneNumber.ts"

/** The maximum number of phone numbers that one request adds to a do-not-call list, or removes from it (D-DNC-9). */
export const maxChangedNumbers = 1_000

/** The phone numbers that are added to a do-not-call list, or removed from it. Of equal numbers one counts. */
export const ChangedNumbers = Schema.Array(PhoneNumber).check(Schema.isMaxLength(maxChangedNumbers))

/** The phone numbers that are added to a do-not-call list, or removed from it. */
export type ChangedNumbers = typeof ChangedNumbers.Type

/** The filter of a do-not-call list. */
export const DoNotCallQuery = Schema.Struct({
  /** Only this number, if it is on the list. */
  phoneNumber: Schema.optional(PhoneNumber)
})

/** The filter of a do-not-call list. */
export type DoNotCallQuery = typeof DoNotCallQuery.Type
