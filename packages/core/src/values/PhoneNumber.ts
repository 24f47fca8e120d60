import * as Schema from "effect/Schema"

/**
 * A telephone number in E.164 form (C-2.3-4): `+`, then 7 to 15 digits, the first not 0.
 *
 * A number in another form does not decode. It is never converted (D-CALL-2).
 */
export const PhoneNumber = Schema.String.check(
  // The flag u is needed: without it, Effect leaves the pattern out of the JSON Schema of `PhoneNumber`.
  Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { description: "a phone number in E.164 form, for example +12025550123" })
).pipe(Schema.brand("PhoneNumber"))

/** A telephone number in E.164 form. */
export type PhoneNumber = typeof PhoneNumber.Type
