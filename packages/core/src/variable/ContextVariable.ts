import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamId } from "../access/Team.ts"

/** The database id of a variable definition. */
export const VariableId = DatabaseId.pipe(Schema.brand("VariableId"))

/** The database id of a variable definition. */
export type VariableId = typeof VariableId.Type

/** The type of a variable's values (C-2.4-11). */
export const VariableType = Schema.Literals(["text", "number", "date", "boolean", "select"])

/** The type of a variable's values. */
export type VariableType = typeof VariableType.Type

/** The context that holds a variable's values: each contact, or the account's business (C-2.4-12). */
export const ContextType = Schema.Literals(["contact", "business"])

/** The context that holds a variable's values: each contact, or the account's business. */
export type ContextType = typeof ContextType.Type

/** The definition of a context variable (C-2.4-10). */
export const ContextVariable = Schema.Struct({
  id: VariableId,
  accountId: AccountId,
  /** The team whose accounts see the definition. Null when only the owner sees it. */
  teamId: Schema.NullOr(TeamId),
  name: Schema.String,
  displayName: Schema.String,
  description: Schema.NullOr(Schema.String),
  variableType: VariableType,
  contextType: ContextType,
  isDefault: Schema.Boolean,
  /** The options of a `select`, in order. Null for every other type. */
  selectOptions: Schema.NullOr(Schema.Array(Schema.String))
})

/** The definition of a context variable. */
export type ContextVariable = typeof ContextVariable.Type

/** A value of a variable in its canonical form (D-VAL-1). */
export const VariableScalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

/** A value of a variable in its canonical form. */
export type VariableScalar = typeof VariableScalar.Type

/**
 * Returns definitions by name. Of several definitions with one name it returns the account's own, or else the first of
 * the list (D-VAR-13).
 *
 * @param defined definitions of one context type, from the oldest
 */
export const byName = (
  defined: ReadonlyArray<ContextVariable>,
  accountId: AccountId
): ReadonlyMap<string, ContextVariable> => {
  const found = new Map<string, ContextVariable>()
  for (const variable of defined) {
    if (variable.accountId === accountId || !found.has(variable.name)) found.set(variable.name, variable)
  }
  return found
}
