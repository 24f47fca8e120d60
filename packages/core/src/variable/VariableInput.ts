import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { TeamId } from "../access/Team.ts"
import * as Text from "../values/Text.ts"
import { ContextType, VariableType } from "./ContextVariable.ts"
import { maxOptions } from "./SelectOptions.ts"
import { VariableName } from "./VariableName.ts"

const displayName = Text.filled(200)
const description = Text.upTo(1_000)

const selectOptions = Schema.Array(Text.upTo(200)).check(Schema.isMaxLength(maxOptions))

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * The body of a create (C-4.4-4, D-VAR-15).
 *
 * A display name has at most 200 characters and is not blank. A description has at most 1,000 characters, an option
 * 200. With `teamId` the accounts of the team see the definition.
 */
export const CreateVariable = Schema.Struct({
  name: VariableName,
  displayName,
  variableType: VariableType,
  contextType: ContextType,
  ...optional(orNull({ description, selectOptions, teamId: TeamId }))
})

/** The body of a create. */
export type CreateVariable = typeof CreateVariable.Type

/**
 * The body of a PUT (C-4.4-5). It has no name and no context type, because those never change (C-4.4-6). Every field
 * is optional, and null counts as absent (D-HTTP-4).
 */
export const PutVariable = Schema.Struct(
  optional(orNull({ displayName, description, variableType: VariableType, selectOptions }))
)

/** The body of a PUT. */
export type PutVariable = typeof PutVariable.Type

/**
 * The body of a PATCH (C-4.4-5). An absent field keeps its value. Null clears the description and the options, and is
 * invalid for every other field (D-HTTP-3).
 */
export const PatchVariable = Schema.Struct(
  optional({ displayName, variableType: VariableType, ...orNull({ description, selectOptions }) })
)

/** The body of a PATCH. */
export type PatchVariable = typeof PatchVariable.Type
