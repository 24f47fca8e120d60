import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { TeamId } from "../access/Team.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import { AgentRole } from "./Agent.ts"
import { AllowedTools } from "./AgentTool.ts"

/** The fields that a create and a PUT require. */
const required = { assistantId: Text.filled(255), name: Text.filled(200), role: AgentRole }

/** The fields that are empty by default. */
const texts = { model: Text.upTo(255), voiceId: Text.upTo(255) }

/** The fields that a PATCH clears with null. */
const clearable = { phoneNumber: PhoneNumber, teamId: TeamId, allowedTools: AllowedTools }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * The body of a PUT (D-AGENT-1). Assistant id, name and role are required. Every other field is optional, and null counts
 * as absent (D-HTTP-4).
 *
 * A name has at most 200 characters; an assistant id, a model and a voice id have at most 255 (D-SETUP-2). A name and an
 * assistant id are not blank. `assistantId` is the id at the call provider, and `phoneNumber` has E.164 form. Without
 * `allowedTools` the agent may use every tool.
 */
export const PutAgent = Schema.Struct({ ...required, ...optional(orNull({ ...texts, ...clearable })) })

/** The body of a PUT. */
export type PutAgent = typeof PutAgent.Type

/** The body of a create. It has the same fields as a PUT. */
export const CreateAgent = PutAgent

/** The body of a create. */
export type CreateAgent = PutAgent

/**
 * The body of a PATCH (D-AGENT-1). An absent field keeps its value. Null clears the phone number and the team, and
 * allows every tool. It is invalid for every other field (D-HTTP-3).
 */
export const PatchAgent = Schema.Struct(optional({ ...required, ...texts, ...orNull(clearable) }))

/** The body of a PATCH. */
export type PatchAgent = typeof PatchAgent.Type

/** The filter of the list of agents. */
export const AgentQuery = Schema.Struct({
  /** True lists only archived agents. False and absent list only agents that are not archived (D-AGENT-3). */
  archived: Schema.optional(Schema.Boolean)
})

/** The filter of the list of agents. */
export type AgentQuery = typeof AgentQuery.Type
