import * as Schema from "effect/Schema"
import { ContextType, VariableType } from "./ContextVariable.ts"

/** The account owns no variable definition with this id (C-7-18: 404 `not_found`). */
export class VariableNotFound extends Schema.TaggedError<VariableNotFound>("@frontdesk/core/variable/VariableNotFound")(
  "VariableNotFound",
  { variableId: Schema.Int }
) {}

/** The account has a variable definition with this name and context type (C-7-5: 400 `duplicate_variable`). */
export class DuplicateVariable extends Schema.TaggedError<DuplicateVariable>(
  "@frontdesk/core/variable/DuplicateVariable"
)("DuplicateVariable", { name: Schema.String, contextType: ContextType }) {}

/** A default variable cannot be changed (C-2.4-4, D-VAR-3: 403 `update_not_allowed`). */
export class UpdateNotAllowed extends Schema.TaggedError<UpdateNotAllowed>("@frontdesk/core/variable/UpdateNotAllowed")(
  "UpdateNotAllowed",
  { name: Schema.String }
) {}

/** A default variable cannot be deleted (C-2.4-4 and C-7-17: 403 `delete_not_allowed`). */
export class DeleteNotAllowed extends Schema.TaggedError<DeleteNotAllowed>("@frontdesk/core/variable/DeleteNotAllowed")(
  "DeleteNotAllowed",
  { name: Schema.String }
) {}

/** Values do not fit the types of their variables. The list has all of them (C-7-6: 400 `invalid_value`). */
export class InvalidValue extends Schema.TaggedError<InvalidValue>("@frontdesk/core/variable/InvalidValue")(
  "InvalidValue",
  {
    problems: Schema.NonEmptyArray(
      Schema.Struct({
        name: Schema.String,
        expected: Schema.Union([VariableType, Schema.Literal("scalar")]),
        message: Schema.String
      })
    )
  }
) {}

/**
 * Names have no definition, and the write must not create definitions. The list has all of them (C-7-7: 400
 * `undefined_variable`).
 */
export class UndefinedVariable extends Schema.TaggedError<UndefinedVariable>(
  "@frontdesk/core/variable/UndefinedVariable"
)("UndefinedVariable", { names: Schema.NonEmptyArray(Schema.String) }) {}
