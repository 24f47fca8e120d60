import type * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type { FieldProblem } from "./FieldProblem.ts"

export type { FieldProblem }

/** Fields have an invalid value (C-7-3: 400 `validation_error`). The list is never empty. */
export class ValidationError extends Data.TaggedError("ValidationError")<{
  readonly problems: Arr.NonEmptyReadonlyArray<FieldProblem>
}> {}

/** Required parameters are absent (C-7-4: 400 `missing_parameter`). The list names all of them and is never empty. */
export class MissingParameter extends Data.TaggedError("MissingParameter")<{
  readonly fields: Arr.NonEmptyReadonlyArray<string>
}> {}

/** A parameter of the path or the query has an invalid value (C-7-10 and D-ERR-5: 400 `invalid_parameter`). */
export class InvalidParameter extends Data.TaggedError("InvalidParameter")<{
  readonly parameter: string
  readonly message: string
}> {}
