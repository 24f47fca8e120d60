import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The fields of a JSON object. */
export type JsonFields = Readonly<Record<string, Schema.Json>>

/**
 * Returns the schema of an optional field of a provider's message. A value that differs from the documentation decodes as
 * null, so that one unexpected field does not make the whole message unreadable.
 */
export const lenient = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(null)))))

/** Parses a JSON text. Returns none for any other text. */
export const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** An id, a name or a number in a provider's message. */
export const ShortText = Schema.NonEmptyString.check(Schema.isMaxLength(200))
