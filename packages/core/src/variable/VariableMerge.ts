import * as Result from "effect/Result"
import * as FieldProblems from "../values/FieldProblems.ts"
import { type FieldProblem, MissingParameter, ValidationError } from "../values/ValidationError.ts"
import type { AccountId } from "../access/Account.ts"
import type { ContextVariable, VariableType } from "./ContextVariable.ts"
import type { NewContextVariable } from "./ContextVariableStore.ts"
import { maxOptions, type CreateVariable, type PatchVariable, type PutVariable } from "./VariableInput.ts"
import * as VariableName from "./VariableName.ts"
import type { SelectOptions } from "./VariableValue.ts"

/** Why a definition cannot be as it was asked. */
export type DefinitionError = ValidationError | MissingParameter

/** A new definition of the account (C-2.4-1 and C-2.4-3). Never a default one. */
export const create = (
  input: CreateVariable,
  accountId: AccountId
): Result.Result<NewContextVariable, DefinitionError> =>
  Result.flatMap(checkName(input), () =>
    Result.map(optionsFor(input.variableType, input.selectOptions ?? null), (selectOptions) => ({
      accountId,
      teamId: input.teamId ?? null,
      name: input.name,
      displayName: input.displayName,
      description: input.description ?? null,
      variableType: input.variableType,
      contextType: input.contextType,
      isDefault: false,
      selectOptions
    }))
  )

/**
 * The definition that a PUT makes. Display name and type keep their value when absent, because a definition has no
 * default for them; an absent description is none, and a `select` needs its complete options (C-4.4-7).
 */
export const put = (current: ContextVariable, input: PutVariable): Result.Result<ContextVariable, DefinitionError> =>
  withOptions(
    {
      ...current,
      displayName: input.displayName ?? current.displayName,
      description: input.description ?? null,
      variableType: input.variableType ?? current.variableType
    },
    input.selectOptions ?? null
  )

/** The definition that a PATCH makes: what is supplied changes, the rest stays (C-4.4-5). */
export const patch = (
  current: ContextVariable,
  { selectOptions = current.selectOptions, ...fields }: PatchVariable
): Result.Result<ContextVariable, DefinitionError> => withOptions({ ...current, ...fields }, selectOptions)

const withOptions = (
  variable: ContextVariable,
  options: SelectOptions
): Result.Result<ContextVariable, DefinitionError> =>
  Result.map(optionsFor(variable.variableType, options), (selectOptions) => ({ ...variable, selectOptions }))

/**
 * The options that a variable of the type keeps: a `select` needs some, not blank and all different; every other type
 * has none, and leaving `select` drops them (C-2.4-3, D-VAR-5).
 */
export const optionsFor = (
  type: VariableType,
  options: SelectOptions
): Result.Result<SelectOptions, DefinitionError> => {
  if (type !== "select") return Result.succeed(null)
  if (options === null) return Result.fail(new MissingParameter({ fields: ["select_options"] }))
  const [first, ...others] = optionProblems(options)
  return first === undefined
    ? Result.succeed(options)
    : Result.fail(new ValidationError({ problems: [first, ...others] }))
}

const optionProblems = (options: ReadonlyArray<string>): ReadonlyArray<FieldProblem> => {
  const field = "select_options"
  if (options.length === 0) return [{ field, code: FieldProblems.invalid, message: "Expected at least one option" }]
  if (options.length > maxOptions) {
    return [{ field, code: FieldProblems.tooMany, message: `A select has at most ${maxOptions} options` }]
  }
  const seen = new Set<string>()
  return options.flatMap((option, index): ReadonlyArray<FieldProblem> => {
    const at = `${field}[${index}]`
    if (option.trim() === "") return [{ field: at, code: FieldProblems.invalid, message: "An option cannot be blank" }]
    if (seen.has(option)) return [{ field: at, code: "duplicate", message: "This option is given twice" }]
    seen.add(option)
    return []
  })
}

const checkName = ({ name, contextType }: CreateVariable): Result.Result<void, ValidationError> => {
  const problem = VariableName.problem(name, contextType, "name")
  return problem === undefined ? Result.void : Result.fail(new ValidationError({ problems: [problem] }))
}
