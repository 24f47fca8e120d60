import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { tooLarge } from "../values/FieldProblems.ts"
import * as JsonSize from "../values/JsonSize.ts"
import { type FieldProblem, ValidationError } from "../values/ValidationError.ts"
import { byName, type ContextVariable, type VariableScalar } from "../variable/ContextVariable.ts"
import type { NewContextVariable } from "../variable/ContextVariableStore.ts"
import { InvalidValue, UndefinedVariable } from "../variable/VariableError.ts"
import type { BusinessValues } from "./BusinessContextStore.ts"
import type { SetBusinessContext } from "./BusinessContextInput.ts"
import * as VariableName from "../variable/VariableName.ts"
import * as VariableValue from "../variable/VariableValue.ts"

/** The effect of a request on the business context: definitions to create, values to set and names to remove. */
export interface BusinessContextChange {
  readonly define: ReadonlyArray<NewContextVariable>
  readonly set: BusinessValues
  readonly remove: ReadonlyArray<string>
}

/**
 * Returns the effect of a request on the business context of an account (C-4.5-1).
 *
 * A null removes the value of its name, also when the name's definition was deleted (C-2.4-9). When a name has several
 * definitions, the account's own counts, and then the oldest (D-VAR-13). With `autoCreateVariables`, a value that does
 * not fit the definition of another account gets a definition of the account's own.
 *
 * Without `autoCreateVariables`, it fails with `UndefinedVariable` for all names without a definition (C-4.5-6, C-7-7). With
 * `autoCreateVariables`, it fails with `ValidationError` for all names that a new definition cannot have. Otherwise it
 * fails with `InvalidValue` for all values that break C-2.4-8 (C-4.5-7).
 *
 * @param defined the business definitions that the account sees
 */
export const plan = (
  { variables, autoCreateVariables }: SetBusinessContext,
  defined: ReadonlyArray<ContextVariable>,
  accountId: AccountId
): Result.Result<BusinessContextChange, InvalidValue | UndefinedVariable | ValidationError> => {
  const definitions = byName(defined, accountId)
  const entries = Object.entries(variables)
  const given = entries.filter(([, value]) => value !== null)
  const unknown = given.filter(([name]) => !definitions.has(name))

  if (autoCreateVariables === true) {
    const problems = unknown.flatMap(([name]): ReadonlyArray<FieldProblem> => {
      const problem = VariableName.problem(name, "business", `variables.${name}`)
      return problem === undefined ? [] : [problem]
    })
    if (isFilled(problems)) return Result.fail(new ValidationError({ problems }))
  } else {
    const names = unknown.map(([name]) => name)
    if (isFilled(names)) return Result.fail(new UndefinedVariable({ names }))
  }

  const define: Array<NewContextVariable> = []
  const set: Array<readonly [string, VariableScalar]> = []
  const problems: Array<InvalidValue["problems"][number]> = []
  for (const [name, value] of given) {
    const seen = definitions.get(name)
    const isOverruled = autoCreateVariables === true && seen?.accountId !== accountId && !fits(seen, value)
    const known = isOverruled ? undefined : seen
    const definition = known ?? Option.getOrUndefined(inferred(name, value, accountId))
    if (definition === undefined) {
      problems.push({ name, expected: "scalar", message: "Expected a string, a number or a boolean" })
      continue
    }
    if (known === undefined) define.push(definition)
    Result.match(VariableValue.validate(definition.variableType, definition.selectOptions, value), {
      onSuccess: (canonical) => set.push([name, canonical]),
      onFailure: (message) => problems.push({ name, expected: definition.variableType, message })
    })
  }
  if (isFilled(problems)) return Result.fail(new InvalidValue({ problems }))
  return Result.succeed({
    define,
    set: Object.fromEntries(set),
    // No value is stored under an invalid name, and some databases reject such a text in a query.
    remove: entries.filter(([name, value]) => value === null && VariableName.isName(name)).map(([name]) => name)
  })
}

/**
 * Fails with `ValidationError` when the business context of an account would have more than `JsonSize.maxStoredBytes`
 * of JSON. A context that is larger already may be made smaller.
 *
 * @param current the values of the account before the change
 */
export const checkSize = (
  current: BusinessValues,
  { remove, set }: Pick<BusinessContextChange, "set" | "remove">
): Result.Result<void, ValidationError> => {
  const removed = new Set(remove)
  const after = Object.fromEntries(Object.entries({ ...current, ...set }).filter(([name]) => !removed.has(name)))
  const bytes = JsonSize.bytesOf(after)
  if (bytes <= JsonSize.maxStoredBytes || bytes < JsonSize.bytesOf(current)) return Result.void
  const message = `${JsonSize.expected(JsonSize.maxStoredBytes)} for all business variables of the account`
  return Result.fail(new ValidationError({ problems: [{ field: "variables", code: tooLarge, message }] }))
}

/** Returns the definition that is created for a value (C-4.5-4, D-VAR-10), or none for an object or an array. */
export const inferred = (name: string, value: Schema.Json, accountId: AccountId): Option.Option<NewContextVariable> =>
  Option.map(VariableValue.infer(value), (variableType) => ({
    accountId,
    teamId: null,
    name,
    displayName: VariableName.displayName(name),
    description: null,
    variableType,
    contextType: "business",
    isDefault: false,
    selectOptions: null
  }))

const fits = (definition: ContextVariable | undefined, value: Schema.Json): boolean =>
  definition !== undefined &&
  Result.isSuccess(VariableValue.validate(definition.variableType, definition.selectOptions, value))

const isFilled = <A>(items: ReadonlyArray<A>): items is readonly [A, ...Array<A>] => items.length > 0
