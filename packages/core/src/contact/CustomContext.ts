import type * as Schema from "effect/Schema"
import * as Result from "effect/Result"
import * as FieldProblems from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContextVariable } from "../variable/ContextVariable.ts"
import * as VariableValue from "../variable/VariableValue.ts"
import type { ContactContext } from "./Contact.ts"

/** The contact variables that constrain the custom context of a contact, by name. */
export type Definitions = ReadonlyMap<string, Pick<ContextVariable, "variableType" | "selectOptions">>

/**
 * Returns a supplied custom context with the values of defined variables in their canonical form, and what is wrong with
 * those that do not match their type (D-CON-9).
 *
 * Names without a definition take any JSON. Null is no value: it is left to the rule of the request.
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
        problems.push({ field: `custom_context.${name}`, code: FieldProblems.invalid, message })
        return [name, value]
      }
    })
  })
  // Entries rather than assignment: an assignment to `__proto__` would not make a key.
  return { context: Object.fromEntries(context), problems }
}
