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
import { CallDirection } from "./CallDirection.ts"
import { CallStatus } from "./CallStatus.ts"
import type { CallFilter } from "./CallStore.ts"

/** The maximum number of variables that a request gives for one call (D-CALL-3). */
export const maxVariables = 50

/** The maximum length of a variable's text, in UTF-16 code units (D-CALL-3). */
export const maxVariableLength = 1000

const variableName = /^[a-z][a-z0-9_]{0,63}$/u

/** The variables that a request gives for one call, by name (D-CALL-3). */
export const CallVariables = Schema.Record(
  Schema.String,
  Schema.Union([Text.upTo(maxVariableLength), Schema.Finite, Schema.Boolean])
).check(
  Schema.isMaxProperties(maxVariables, { expected: `at most ${maxVariables} variables` }),
  Schema.makeFilter(
    (variables) =>
      Object.keys(variables)
        .filter((name) => !variableName.test(name))
        .map((name) => ({
          path: [name],
          issue: "Expected a name of 1 to 64 lower-case letters, digits and underscores that begins with a letter"
        })),
    { toJsonSchema: () => ({ propertyNames: { pattern: variableName.source } }) }
  )
)

/** The variables that a request gives for one call, by name. */
export type CallVariables = typeof CallVariables.Type

const CallMetadata = Schema.Record(Schema.String, Schema.Json).check(
  JsonSize.withMaxBytes(JsonSize.maxStoredBytes),
  shallow
)

/**
 * The call to start (C-4.2-1, D-CALL-1). A null field counts as absent.
 *
 * `phoneNumber` accepts any text here, because `Calls.start` fails with `InvalidPhoneNumber` for a malformed number.
 */
export const CreateCall = Schema.Struct({
  phoneNumber: Schema.String,
  /** The agent's database id, as an integer or as digits, or its assistant id. */
  agentId: Schema.Union([AgentId, Text.between(1, 1000)]),
  variables: Schema.optionalKey(Schema.NullOr(CallVariables)),
  contactId: Schema.optionalKey(Schema.NullOr(ContactId)),
  /** Any JSON object that the caller wants to read back from the call. */
  metadata: Schema.optionalKey(Schema.NullOr(CallMetadata)),
  /** Whether to make all checks without starting the call. A driving adapter then uses `Calls.dryRun`. */
  dryRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** The call to start. */
export type CreateCall = typeof CreateCall.Type

/** The filters of a list of calls (D-CALL-18). Dates are days in the account's time zone; both are included. */
export const CallQuery = Schema.Struct({
  ...DateRange.fields,
  status: Schema.optional(CallStatus),
  type: Schema.optional(CallDirection),
  agentId: Schema.optional(AgentId),
  contactId: Schema.optional(ContactId),
  phoneNumber: Schema.optional(PhoneNumber),
  /** A part of the phone number, or of the name, the e-mail address or the company of the contact. */
  search: Schema.optional(Text.searched)
})

/** The filters of a list of calls. */
export type CallQuery = typeof CallQuery.Type

/**
 * Returns the filter of a query, with its dates as instants (D-CALL-18). The instants are the first of the start date
 * and the last of the end date in the time zone.
 */
export const callFilter = ({ startDate, endDate, ...filter }: CallQuery, zone: TimeZone): CallFilter => ({
  ...filter,
  ...DateRange.bounds({ startDate, endDate }, zone)
})

/** Returns the key of the agent of a new call. Digits are the database id; any other text is the assistant id (D-CALL-1). */
export const agentKey = (agent: CreateCall["agentId"]): AgentKey => {
  const id = typeof agent === "number" ? agent : DatabaseId.parse(agent)
  return id === undefined ? { assistantId: String(agent) } : { id: AgentId.make(id) }
}
