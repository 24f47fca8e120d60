import { totalCharge } from "@frontdesk/core/call/Billing"
import * as Billing from "@frontdesk/core/call/Billing"
import * as Calls from "@frontdesk/core/call/Call"
import { type CallDetail, maxShownToolCalls, ShownToolCall } from "@frontdesk/core/call/CallDetail"
import type { CallDryRun, StartedCall } from "@frontdesk/core/call/CallStarts"
import type { HungUpCall } from "@frontdesk/core/call/HangUps"
import { MoneyFromNumber } from "@frontdesk/core/values/Money"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { AgentRefView } from "../agent/AgentView.ts"

const call = Calls.Call.fields

/** The JSON of a call's contact (C-2.2-4). */
const CallContactView = Wire.snakeCase(
  Schema.Struct({ ...Calls.CallContact.fields, lastCallDate: Schema.NullOr(Timestamp) })
).annotate({ identifier: "CallContact" })

/** The JSON of a call's price (C-2.2-6, D-BILL-2, D-BILL-3). */
const BillingView = Wire.snakeCase(
  Schema.Struct({
    status: Billing.BillingStatus,
    initialCharge: MoneyFromNumber,
    finalCharge: MoneyFromNumber,
    totalCharge: MoneyFromNumber
  })
).annotate({ identifier: "CallBilling" })

const viewFields = {
  id: call.id,
  agent: AgentRefView,
  callId: call.callId,
  status: call.status,
  type: call.type,
  phoneNumber: call.phoneNumber,
  startedAt: Schema.NullOr(Timestamp),
  endedAt: Schema.NullOr(Timestamp),
  /** Null while the call runs. */
  durationSeconds: Schema.NullOr(Schema.Int),
  summary: call.summary,
  transcript: call.transcript,
  recordingUrl: call.recordingUrl,
  contact: Schema.NullOr(CallContactView),
  team: call.team,
  billing: BillingView,
  endedReason: call.endedReason,
  variables: call.variables,
  metadata: call.metadata,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

/** The JSON of a call (C-2.2-1). Its last five fields are extensions of the contract (D-HTTP-28). */
export const CallView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "Call" })

/** Returns the view of a call. */
export const callView = (call: Calls.Call): typeof CallView.Type => ({
  id: call.id,
  agent: call.agent,
  callId: call.callId,
  status: call.status,
  type: call.type,
  phoneNumber: call.phoneNumber,
  startedAt: call.startedAt,
  endedAt: call.endedAt,
  durationSeconds: Calls.durationSeconds(call),
  summary: call.summary,
  transcript: call.transcript,
  recordingUrl: call.recordingUrl,
  contact: call.contact,
  team: call.team,
  billing: {
    status: call.billing.status,
    initialCharge: call.billing.initialCharge,
    finalCharge: call.billing.finalCharge,
    totalCharge: totalCharge(call.billing)
  },
  endedReason: call.endedReason,
  variables: call.variables,
  metadata: call.metadata,
  createdAt: call.createdAt,
  updatedAt: call.updatedAt
})

/** The JSON of a tool call (D-AGT-4). */
export const ToolCallView = Wire.snakeCase(Schema.Struct({ ...ShownToolCall.fields, at: Timestamp })).annotate({
  identifier: "ToolCall"
})

/** The JSON of a call with its tool calls. */
export const CallDetailView = Wire.snakeCase(
  Schema.Struct({
    ...viewFields,
    toolCalls: Schema.Array(ToolCallView).annotate({
      description: `The first ${maxShownToolCalls} tool calls of the agent, in the order in which the agent made them.`
    })
  })
).annotate({ identifier: "CallDetail" })

/** Returns the view of a call with its tool calls. */
export const callDetailView = (call: CallDetail): typeof CallDetailView.Type => ({
  ...callView(call),
  toolCalls: call.toolCalls
})

/** The JSON of the answer to a start that the provider accepted, or may have accepted (C-4.2-4, D-CALL-5). */
export const CallStarted = Wire.snakeCase(
  Schema.Struct({ ...viewFields, unresolvedVariables: Schema.Array(Schema.String), message: Schema.String })
).annotate({ identifier: "CallStarted" })

/** Returns the answer to a start that the provider accepted, or may have accepted. */
export const callStarted = (started: StartedCall): typeof CallStarted.Type => ({
  ...callView(started.call),
  unresolvedVariables: started.unresolvedVariables,
  message: "Call queued"
})

/** The JSON of the answer to a hang-up. */
export const CallHungUp = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "CallHungUp"
})

/** Returns the answer to a hang-up. */
export const callHungUp = ({ call, outcome }: HungUpCall): typeof CallHungUp.Type => ({
  ...callView(call),
  message: outcome === "ends" ? "The call is being ended" : "The call had already ended"
})

/** The JSON of the answer to a dry run: the call that a start would place (D-CALL-12). */
export const CallPlanned = Wire.snakeCase(
  Schema.Struct({
    dryRun: Schema.Literal(true),
    agent: AgentRefView,
    phoneNumber: call.phoneNumber,
    contact: Schema.NullOr(CallContactView),
    /** All variables that the agent would receive, rendered. */
    variables: call.variables,
    unresolvedVariables: Schema.Array(Schema.String),
    /** The money that would be reserved. */
    hold: MoneyFromNumber,
    message: Schema.String
  })
).annotate({ identifier: "CallPlanned" })

/** Returns the answer to a dry run. */
export const callPlanned = (plan: CallDryRun): typeof CallPlanned.Type => ({
  dryRun: true,
  agent: plan.agent,
  phoneNumber: plan.phoneNumber,
  contact: plan.contact,
  variables: plan.variables,
  unresolvedVariables: plan.unresolvedVariables,
  hold: plan.reservation,
  message: "Nothing was changed"
})
