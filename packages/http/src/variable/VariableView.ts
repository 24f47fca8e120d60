import * as Variables from "@frontdesk/core/variable/ContextVariable"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { accountId: _accountId, teamId: _teamId, ...fields } = Variables.ContextVariable.fields

/** The JSON of a variable definition (C-2.4-10). */
export const VariableView = Wire.snakeCase(Schema.Struct(fields)).annotate({ identifier: "ContextVariable" })

/** Returns the view of a variable definition. */
export const variableView = (variable: Variables.ContextVariable): typeof VariableView.Type => ({
  id: variable.id,
  name: variable.name,
  displayName: variable.displayName,
  description: variable.description,
  variableType: variable.variableType,
  contextType: variable.contextType,
  isDefault: variable.isDefault,
  selectOptions: variable.selectOptions
})

/** The JSON of the answer to a create or an update (C-4.4-8). */
export const VariableWritten = Wire.snakeCase(
  Schema.Struct({ id: fields.id, name: fields.name, displayName: fields.displayName, message: Schema.String })
).annotate({ identifier: "ContextVariableWritten" })

/** Returns the function that makes the answer to a create or an update. */
export const variableWritten =
  (message: string) =>
  (variable: Variables.ContextVariable): typeof VariableWritten.Type => ({
    id: variable.id,
    name: variable.name,
    displayName: variable.displayName,
    message
  })
