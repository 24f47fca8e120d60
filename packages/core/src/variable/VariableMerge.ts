import * as Result from "effect/Result"
import { type MissingParameter, ValidationError } from "../values/ValidationError.ts"
import type { AccountId } from "../access/Account.ts"
import type { ContextVariable } from "./ContextVariable.ts"
import type { NewContextVariable } from "./ContextVariableStore.ts"
import * as SelectOptions from "./SelectOptions.ts"
import type { CreateVariable, PatchVariable, PutVariable } from "./VariableInput.ts"
import * as VariableName from "./VariableName.ts"

/** The errors of an invalid definition. */
export type DefinitionError = ValidationError | MissingParameter

/**
 * Returns a new definition of the account, which is not a default variable. Fails when its name or its options are
 * invalid (C-2.4-1 and C-2.4-3).
 */
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
 * Returns the definition after a PUT. Display name and type keep their values when they are absent, because they have
 * no default. An absent description is cleared. A `select` needs all its options in the body (C-4.4-7, D-VAR-6).
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

/** Returns the definition after a PATCH. Absent fields keep their values (C-4.4-5). */
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
