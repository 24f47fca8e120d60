import * as Schema from "effect/Schema"
import { AgentId } from "../agent/Agent.ts"
import type { AgentKey } from "../agent/AgentStore.ts"
import { ContactId } from "../contact/Contact.ts"
import * as DatabaseId from "../values/DatabaseId.ts"
import * as DateRange from "../values/DateRange.ts"
import { shallow } from "../values/JsonSize.ts"
import * as JsonSize from "../values/JsonSize.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import { CallDirection } from "./Call.ts"
import { CallStatus } from "./CallStatus.ts"
import type { CallFilter } from "./CallStore.ts"

/** The most variables a call takes (D-CALL-3). */
export const maxVariables = 50

/** The most characters a variable of a call takes (D-CALL-3). */
export const maxVariableLength = 1000

const isVariableName = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(name)

/** The variables of a call: canonical values by name (D-CALL-3). */
export const CallVariables = Schema.Record(
  Schema.String,
  Schema.Union([Text.upTo(maxVariableLength), Schema.Finite, Schema.Boolean])
).check(
  Schema.isMaxProperties(maxVariables, { expected: `at most ${maxVariables} variables` }),
  Schema.makeFilter((variables) =>
    Object.keys(variables)
      .filter((name) => !isVariableName(name))
      .map((name) => ({
        path: [name],
        issue: "Expected a name of 1 to 64 lower-case letters, digits and underscores that begins with a letter"
      }))
  )
)

/** The variables of a call. */
export type CallVariables = typeof CallVariables.Type

const CallMetadata = Schema.Record(Schema.String, Schema.Json).check(
  JsonSize.withMaxBytes(JsonSize.maxStoredBytes),
  shallow
)

/**
 * What is asked of a new call (C-4.2-1, D-CALL-1). Null counts as absent.
 *
 * `phoneNumber` is any text here: a malformed number has an error of its own, which {@link Calls} raises.
 */
export const CreateCall = Schema.Struct({
  phoneNumber: Schema.String,
  /** The database id, as an integer or its digits, or the assistant id. */
  agentId: Schema.Union([AgentId, Text.between(1, 1000)]),
  variables: Schema.optionalKey(Schema.NullOr(CallVariables)),
  contactId: Schema.optionalKey(Schema.NullOr(ContactId)),
  /** Anything the caller wants to find again on the call. */
  metadata: Schema.optionalKey(Schema.NullOr(CallMetadata)),
  /** Whether to check everything and change nothing: a driving adapter then calls `Calls.dryRun`. */
  dryRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** What is asked of a new call. */
export type CreateCall = typeof CreateCall.Type

/** Which calls a list holds: dates are days of the account's time zone, both included (D-CALL-18). */
export const CallQuery = Schema.Struct({
  ...DateRange.fields,
  status: Schema.optional(CallStatus),
  type: Schema.optional(CallDirection),
  agentId: Schema.optional(AgentId),
  contactId: Schema.optional(ContactId),
  phoneNumber: Schema.optional(PhoneNumber)
})

/** Which calls a list holds. */
export type CallQuery = typeof CallQuery.Type

/** What a list's dates mean in a time zone: the first instant of the one to the last of the other (D-CALL-18). */
export const callFilter = ({ startDate, endDate, ...filter }: CallQuery, zone: TimeZone): CallFilter => ({
  ...filter,
  ...DateRange.bounds({ startDate, endDate }, zone)
})

/** How a new call names its agent: digits are the database id, any other text the assistant id. */
export const agentKey = (agent: CreateCall["agentId"]): AgentKey => {
  const id = typeof agent === "number" ? agent : DatabaseId.parse(agent)
  return id === undefined ? { assistantId: String(agent) } : { id: AgentId.make(id) }
}
