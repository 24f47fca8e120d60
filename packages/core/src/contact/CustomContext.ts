import type * as Schema from "effect/Schema"
import * as Result from "effect/Result"
import { invalid } from "../values/FieldProblemCodes.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContextVariable } from "../variable/ContextVariable.ts"
import * as VariableValue from "../variable/VariableValue.ts"
import type { ContactContext } from "./Contact.ts"

/** The definitions that the values of a custom context must fit, by name. */
export type Definitions = ReadonlyMap<string, Pick<ContextVariable, "variableType" | "selectOptions">>

/**
 * Returns a custom context in which the values of defined variables have their canonical form. Also returns a problem
 * for each value that does not fit its type (D-CON-9).
 *
 * A name without a definition may have any JSON value. Null fits every type: a PATCH removes the name, and a PUT stores
 * the null (D-CON-8).
 */
export const canonical = (
  supplied: ContactContext,
  definitions: Definitions = new Map()
): { readonly context: ContactContext; readonly problems: ReadonlyArray<FieldProblem> } => {
  const problems: Array<FieldProblem> = []
  const context = Object.entries<Schema.Json>(supplied).map(([name, value]): readonly [string, Schema.Json] => {
    const definition = definitions.get(name)
    if (definition === undefined || value === null) return [name, value]
    return Result.match(VariableValue.validate(definition.variableType, definition.selectOptions, value), {
      onSuccess: (accepted) => [name, accepted],
      onFailure: (message) => {
        problems.push({ field: `custom_context.${name}`, code: invalid, message })
        return [name, value]
      }
    })
  })
  // Built from entries, because an assignment to the key `__proto__` would set the prototype instead of a key.
  return { context: Object.fromEntries(context), problems }
}
