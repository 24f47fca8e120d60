import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { ContextType, type ContextVariable, VariableId, VariableType } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { VariableName } from "@frontdesk/core/variable/VariableName"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as OwnedRow from "../storage/OwnedRow.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const VariableRow = Schema.Struct({
  id: VariableId,
  accountId: AccountId,
  teamId: Schema.NullOr(TeamId),
  name: Schema.String,
  displayName: Schema.String,
  description: Schema.NullOr(Schema.String),
  variableType: VariableType,
  contextType: ContextType,
  isDefault: Column.Flag,
  selectOptions: Schema.NullOr(Column.json(Schema.Array(Schema.String)))
})

const Inserted = Schema.Struct({ id: VariableId })

const select = `SELECT id, account_id, team_id, name, display_name, description, variable_type, context_type, is_default,
  select_options FROM variable`

const columns = (variable: Omit<ContextVariable, "id">) => ({
  display_name: variable.displayName,
  description: variable.description,
  variable_type: variable.variableType,
  select_options: variable.selectOptions === null ? null : JSON.stringify(variable.selectOptions)
})

/**
 * Returns whether a definition can have the name. Keys of arbitrary JSON may contain characters that PostgreSQL cannot
 * store in a text.
 */
const isPossible = Schema.is(VariableName)

/** The `ContextVariableStore` in a SQL database. */
export const layer: Layer.Layer<ContextVariableStore, never, Database> = Layer.effect(
  ContextVariableStore,
  Effect.map(Database, (database) => {
    const inserted = database.one("ContextVariableStore.insert", Inserted)
    const insert = WriteStatements.inserter("variable", " RETURNING id")
    const listed = database.readable("ContextVariableStore.list", VariableRow)
    const listText = `${select} WHERE ${OwnedRow.inScope(database.dialect, "variable")}`
    const named = database.readable("ContextVariableStore.listNamed", VariableRow)
    const namedText = `${listText} AND context_type = ?3 AND ${database.dialect.isOneOfTexts("variable.name", "?4")} ORDER BY id`
    const found = database.lookUp("ContextVariableStore.findOwn", VariableRow)
    const findOwnText = `${select} WHERE id = ?1 AND account_id = ?2${database.dialect.forUpdate("variable")}`
    const updated = database.run("ContextVariableStore.update")
    const update = WriteStatements.updater("variable")
    const deleted = database.run("ContextVariableStore.delete")

    return ContextVariableStore.of({
      insert: (variable) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: variable.accountId,
              team_id: variable.teamId,
              name: variable.name,
              context_type: variable.contextType,
              is_default: variable.isDefault,
              ...columns(variable)
            })
          ),
          ({ id }): ContextVariable => ({ ...variable, id })
        ),
      list: (scope, contextType) =>
        Option.match(contextType, {
          onNone: () => listed(`${listText} ORDER BY id`, OwnedRow.params(scope)),
          onSome: (type) => listed(`${listText} AND context_type = ?3 ORDER BY id`, [...OwnedRow.params(scope), type])
        }),
      listNamed: (scope, contextType, names) =>
        names.length === 0
          ? Effect.succeed([])
          : named(namedText, [...OwnedRow.params(scope), contextType, JSON.stringify(names.filter(isPossible))]),
      findOwn: (accountId, id) => found(findOwnText, [id, accountId]),
      update: (variable) => updated(...update(columns(variable), variable.id)),
      delete: (id) => deleted("DELETE FROM variable WHERE id = ?1", [id])
    })
  })
)
