import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { BillingStatus } from "@frontdesk/core/call/Billing"
import { Call, type CallContact, CallDirection, CallId, Submission } from "@frontdesk/core/call/Call"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { ContactId, fullName } from "@frontdesk/core/contact/Contact"
import { Money } from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

const NullableText = Schema.NullOr(Schema.String)

const NullableTime = Schema.NullOr(Column.Time)

/** A row of `call` with what it shows of its agent, contact and team. */
export const CallRow = Schema.Struct({
  id: CallId,
  accountId: AccountId,
  callId: Schema.NonEmptyString,
  agentId: AgentId,
  agentName: Schema.String,
  agentAssistantId: Schema.String,
  status: CallStatus,
  type: CallDirection,
  phoneNumber: PhoneNumber,
  startedAt: NullableTime,
  endedAt: NullableTime,
  summary: NullableText,
  transcript: NullableText,
  recordingUrl: NullableText,
  contactId: Schema.NullOr(ContactId),
  contactFirstName: NullableText,
  contactLastName: NullableText,
  contactEmail: NullableText,
  contactCompany: NullableText,
  contactStatus: NullableText,
  contactStage: NullableText,
  contactLastCallDate: NullableTime,
  teamId: Schema.NullOr(TeamId),
  teamName: NullableText,
  billingStatus: BillingStatus,
  initialCharge: Money,
  finalCharge: Money,
  pricePerMinute: Money,
  endedReason: NullableText,
  variables: Column.json(Call.fields.variables),
  metadata: Schema.NullOr(Column.json(Schema.Record(Schema.String, Schema.Json))),
  submission: Submission,
  providerCallId: NullableText,
  reconcileAt: NullableTime,
  reconcileCount: Schema.Int,
  createdAt: Column.Time,
  updatedAt: Column.Time
})

/** Reads every column of `CallRow`; `WHERE` follows. */
export const select = `SELECT call.id, call.account_id, call.call_id, call.agent_id, agent.name AS agent_name,
  agent.assistant_id AS agent_assistant_id, call.status, call.type, call.phone_number, call.started_at, call.ended_at,
  call.summary, call.transcript, call.recording_url, call.contact_id, contact.first_name AS contact_first_name,
  contact.last_name AS contact_last_name, contact.email AS contact_email, contact.company AS contact_company,
  contact.status AS contact_status, contact.stage AS contact_stage, contact.last_call_date AS contact_last_call_date,
  call.team_id, team.name AS team_name, call.billing_status, call.initial_charge, call.final_charge,
  call.price_per_minute, call.ended_reason, call.variables, call.metadata, call.submission, call.provider_call_id,
  call.reconcile_at, call.reconcile_count, call.created_at, call.updated_at
FROM call
JOIN agent ON agent.id = call.agent_id
LEFT JOIN contact ON contact.id = call.contact_id
LEFT JOIN team ON team.id = call.team_id`

const contactOf = (row: typeof CallRow.Type): CallContact | null =>
  row.contactId === null || row.contactStatus === null || row.contactStage === null
    ? null
    : {
        id: row.contactId,
        name: fullName({ firstName: row.contactFirstName, lastName: row.contactLastName }),
        email: row.contactEmail,
        company: row.contactCompany,
        status: row.contactStatus,
        stage: row.contactStage,
        lastCallDate: row.contactLastCallDate
      }

/** The call of a row. */
export const toCall = (row: typeof CallRow.Type): Call => ({
  id: row.id,
  accountId: row.accountId,
  callId: row.callId,
  agent: { id: row.agentId, name: row.agentName, assistantId: row.agentAssistantId },
  status: row.status,
  type: row.type,
  phoneNumber: row.phoneNumber,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  summary: row.summary,
  transcript: row.transcript,
  recordingUrl: row.recordingUrl,
  contact: contactOf(row),
  team: row.teamId === null || row.teamName === null ? null : { id: row.teamId, name: row.teamName },
  billing: {
    status: row.billingStatus,
    initialCharge: row.initialCharge,
    finalCharge: row.finalCharge,
    pricePerMinute: row.pricePerMinute
  },
  endedReason: row.endedReason,
  variables: row.variables,
  metadata: row.metadata,
  submission: row.submission,
  providerCallId: row.providerCallId,
  reconcileAt: row.reconcileAt,
  reconcileCount: row.reconcileCount,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/** The columns that an update writes. */
export const columns = (dialect: Dialect, call: Omit<Call, "id">): Readonly<Record<string, unknown>> => {
  const time = (instant: DateTime.Utc | null) => (instant === null ? null : dialect.time(instant))
  return {
    call_id: call.callId,
    provider_call_id: call.providerCallId,
    status: call.status,
    type: call.type,
    phone_number: call.phoneNumber,
    submission: call.submission,
    billing_status: call.billing.status,
    initial_charge: call.billing.initialCharge,
    final_charge: call.billing.finalCharge,
    price_per_minute: call.billing.pricePerMinute,
    ended_reason: call.endedReason,
    reconcile_at: time(call.reconcileAt),
    reconcile_count: call.reconcileCount,
    started_at: time(call.startedAt),
    ended_at: time(call.endedAt),
    created_at: time(call.createdAt),
    updated_at: time(call.updatedAt),
    recording_url: call.recordingUrl,
    summary: call.summary,
    variables: JSON.stringify(call.variables),
    metadata: call.metadata === null ? null : JSON.stringify(call.metadata),
    transcript: call.transcript
  }
}
