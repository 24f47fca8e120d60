import * as Schema from "effect/Schema"

/** One invalid field: its path (`phone_numbers[1].phone_number`), a code, and a message with what is expected. */
export const FieldProblem = Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String })

/** One invalid field. */
export type FieldProblem = typeof FieldProblem.Type

/** Fields have an invalid value (C-7-3: 400 `validation_error`). The list is never empty. */
export class ValidationError extends Schema.TaggedError<ValidationError>("@frontdesk/core/values/ValidationError")(
  "ValidationError",
  { problems: Schema.NonEmptyArray(FieldProblem) }
) {}

/** Required parameters are absent (C-7-4: 400 `missing_parameter`). The list names all of them and is never empty. */
export class MissingParameter extends Schema.TaggedError<MissingParameter>("@frontdesk/core/values/MissingParameter")(
  "MissingParameter",
  { fields: Schema.NonEmptyArray(Schema.String) }
) {}

/** A parameter of the path or the query has an invalid value (C-7-10 and D-ERR-5: 400 `invalid_parameter`). */
export class InvalidParameter extends Schema.TaggedError<InvalidParameter>("@frontdesk/core/values/InvalidParameter")(
  "InvalidParameter",
  { parameter: Schema.String, message: Schema.String }
) {}
