import * as Schema from "effect/Schema"

/** One invalid field: its path (`phone_numbers[1].phone_number`), a code, and a message with what is expected. */
export const FieldProblem = Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String })

/** One invalid field. */
export type FieldProblem = typeof FieldProblem.Type
