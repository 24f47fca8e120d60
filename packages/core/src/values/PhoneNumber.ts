import * as Schema from "effect/Schema"

/** The pattern of what follows the `+` of a telephone number. */
export const digits = String.raw`[1-9]\d{6,14}`

/** What an error says about a text that is not a telephone number. */
export const description = "a phone number in E.164 form, for example +12025550123"

/**
 * A telephone number in E.164 form (C-2.3-4): `+`, then 7 to 15 digits, the first not 0.
 *
 * A number in another form does not decode. It is never converted (D-CALL-2).
 */
export const PhoneNumber = Schema.String.check(
  // The flag u is needed: without it, Effect leaves the pattern out of the JSON Schema of `PhoneNumber`.
  Schema.isPattern(new RegExp(String.raw`^\+${digits}$`, "u"), { description })
).pipe(Schema.brand("PhoneNumber"))

/** A telephone number in E.164 form. */
export type PhoneNumber = typeof PhoneNumber.Type
