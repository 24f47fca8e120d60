import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamId } from "../access/Team.ts"

/** Database id of a variable definition. */
export const VariableId = DatabaseId.pipe(Schema.brand("VariableId"))

/** Database id of a variable definition. */
export type VariableId = typeof VariableId.Type

/** What values a variable takes (C-2.4-11). */
export const VariableType = Schema.Literals(["text", "number", "date", "boolean", "select"])

/** What values a variable takes. */
export type VariableType = typeof VariableType.Type

/** Whether a variable belongs to contacts or to the account's business (C-2.4-12). */
export const ContextType = Schema.Literals(["contact", "business"])

/** Whether a variable belongs to contacts or to the account's business. */
export type ContextType = typeof ContextType.Type

/** The definition of a context variable (C-2.4-10). */
export const ContextVariable = Schema.Struct({
  id: VariableId,
  accountId: AccountId,
  /** The team whose accounts see the definition besides its owner; null: the owner alone. */
  teamId: Schema.NullOr(TeamId),
  name: Schema.String,
  displayName: Schema.String,
  description: Schema.NullOr(Schema.String),
  variableType: VariableType,
  contextType: ContextType,
  isDefault: Schema.Boolean,
  /** The options of a `select`, in order; null for every other type. */
  selectOptions: Schema.NullOr(Schema.Array(Schema.String))
})

/** The definition of a context variable. */
export type ContextVariable = typeof ContextVariable.Type

/** A value in its canonical type (D-VAL-1). */
export const VariableScalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

/** A value in its canonical type. */
export type VariableScalar = typeof VariableScalar.Type

/** Returns the definitions of one context type by name: of two with the same name the account's own, then the oldest. */
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
