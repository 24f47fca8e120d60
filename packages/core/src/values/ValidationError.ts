import * as Schema from "effect/Schema"

/** One field that is wrong: its path on the wire (`phone_numbers[1].phone_number`), a code, and how to mend it. */
export const FieldProblem = Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String })

/** One field that is wrong. */
export type FieldProblem = typeof FieldProblem.Type

/** Fields that have the right type but break a rule (C-7-3: 400 `validation_error`). Never empty. */
export class ValidationError extends Schema.TaggedError<ValidationError>("@frontdesk/core/values/ValidationError")(
  "ValidationError",
  { problems: Schema.NonEmptyArray(FieldProblem) }
) {}

/** Parameters that are required and absent, all of them (C-7-4: 400 `missing_parameter`). Never empty. */
export class MissingParameter extends Schema.TaggedError<MissingParameter>("@frontdesk/core/values/MissingParameter")(
  "MissingParameter",
  { fields: Schema.NonEmptyArray(Schema.String) }
) {}

/** A path or query value that cannot be (C-7-10 and D-ERR-5: 400 `invalid_parameter`). */
export class InvalidParameter extends Schema.TaggedError<InvalidParameter>("@frontdesk/core/values/InvalidParameter")(
  "InvalidParameter",
  { parameter: Schema.String, message: Schema.String }
) {}
