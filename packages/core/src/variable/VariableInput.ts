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
 * The body of a create (C-4.4-4).
 *
 * A display name has at most 200 characters and is not blank, a description at most 1,000, an option 200. `teamId` lets
 * the accounts of a team see the definition.
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

/** The body of a full replace (C-4.4-5): everything is optional, null counts as absent (D-HTTP-4). */
export const PutVariable = Schema.Struct(
  optional(orNull({ displayName, description, variableType: VariableType, selectOptions }))
)

/** The body of a full replace. */
export type PutVariable = typeof PutVariable.Type

/**
 * The body of a partial change (C-4.4-5): what is absent stays; null clears the description and the options, and
 * is refused elsewhere (D-HTTP-3).
 */
export const PatchVariable = Schema.Struct(
  optional({ displayName, variableType: VariableType, ...orNull({ description, selectOptions }) })
)

/** The body of a partial change. */
export type PatchVariable = typeof PatchVariable.Type
