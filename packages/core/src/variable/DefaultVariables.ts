import * as Result from "effect/Result"
import type { AccountId } from "../access/Account.ts"
import type { ContextType, ContextVariable } from "./ContextVariable.ts"
import type { NewContextVariable } from "./ContextVariableStore.ts"
import { DeleteNotAllowed, UpdateNotAllowed } from "./VariableError.ts"
import { displayName } from "./VariableName.ts"

/** The fields of a contact that are default variables of every account. Each is a `text` (D-VAR-2). */
export const contactNames = [
  "first_name",
  "last_name",
  "full_name",
  "email",
  "phone_number",
  "company",
  "website",
  "address",
  "city",
  "state",
  "zip_code",
  "country"
] as const

/** The default business variables of every account. Each is a `text` (D-VAR-2). */
export const businessNames = [
  "company_name",
  "industry",
  "website",
  "phone_number",
  "email",
  "address",
  "timezone"
] as const

/**
 * Returns the default variables of a new account: {@link contactNames}, then {@link businessNames} (C-2.4-10, D-VAR-2).
 */
export const forAccount = (accountId: AccountId): ReadonlyArray<NewContextVariable> => {
  const define =
    (contextType: ContextType) =>
    (name: string): NewContextVariable => ({
      accountId,
      teamId: null,
      name,
      displayName: displayName(name),
      description: null,
      variableType: "text",
      contextType,
      isDefault: true,
      selectOptions: null
    })
  return [...contactNames.map(define("contact")), ...businessNames.map(define("business"))]
}

/** Returns the given definition. Fails with `UpdateNotAllowed` for a default variable, which cannot be changed (C-2.4-4). */
export const checkUpdate = (variable: ContextVariable): Result.Result<ContextVariable, UpdateNotAllowed> =>
  variable.isDefault ? Result.fail(new UpdateNotAllowed({ name: variable.name })) : Result.succeed(variable)

/** Returns the given definition. Fails with `DeleteNotAllowed` for a default variable, which cannot be deleted (C-2.4-4, C-7-17). */
export const checkDelete = (variable: ContextVariable): Result.Result<ContextVariable, DeleteNotAllowed> =>
  variable.isDefault ? Result.fail(new DeleteNotAllowed({ name: variable.name })) : Result.succeed(variable)
