import * as Result from "effect/Result"
import { type MissingParameter, ValidationError } from "../values/ValidationError.ts"
import type { AccountId } from "../access/Account.ts"
import type { ContextVariable } from "./ContextVariable.ts"
import type { NewContextVariable } from "./ContextVariableStore.ts"
import * as SelectOptions from "./SelectOptions.ts"
import type { CreateVariable, PatchVariable, PutVariable } from "./VariableInput.ts"
import * as VariableName from "./VariableName.ts"

/** Why a definition cannot be created or changed. */
export type DefinitionError = ValidationError | MissingParameter

/** A new definition of the account (C-2.4-1 and C-2.4-3). Never a default one. */
export const create = (
  input: CreateVariable,
  accountId: AccountId
): Result.Result<NewContextVariable, DefinitionError> =>
  Result.flatMap(checkName(input), () =>
    Result.map(SelectOptions.check(input.variableType, input.selectOptions ?? null), (selectOptions) => ({
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
  options: SelectOptions.SelectOptions
): Result.Result<ContextVariable, DefinitionError> =>
  Result.map(SelectOptions.check(variable.variableType, options), (selectOptions) => ({ ...variable, selectOptions }))

const checkName = ({ name, contextType }: CreateVariable): Result.Result<void, ValidationError> => {
  const problem = VariableName.problem(name, contextType, "name")
  return problem === undefined ? Result.void : Result.fail(new ValidationError({ problems: [problem] }))
}
