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

/** What a request does to the business context: definitions to make, values to set, names to remove. */
export interface BusinessContextChange {
  readonly define: ReadonlyArray<NewContextVariable>
  readonly set: BusinessValues
  readonly remove: ReadonlyArray<string>
}

/**
 * What a request does to the business context of an account, given the business definitions it sees (C-4.5-1).
 *
 * Null removes the value of any name, also of a name whose definition was deleted. Fails with all invalid names, else with all
 * missing definitions, else with all invalid values. Of two definitions of a name the account's own counts, then the oldest.
 * Another account's definition does not bind: with `autoCreateVariables`, a value that does not fit it gets a definition of the
 * account's own.
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
 * Checks that the business context of an account does not grow beyond `JsonSize.maxStoredBytes`. One that is larger may
 * be made smaller.
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

/** The definition that auto-creation makes for a value (C-4.5-4, D-VAR-10); none for an object or array. */
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
