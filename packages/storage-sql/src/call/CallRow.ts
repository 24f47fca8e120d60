import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { BillingStatus } from "@frontdesk/core/call/Billing"
import { Call, type CallContact, CallId, Submission } from "@frontdesk/core/call/Call"
import { CallDirection } from "@frontdesk/core/call/CallDirection"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { ContactId, fullName } from "@frontdesk/core/contact/Contact"
import { Money } from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { type LargeColumn, whole } from "../storage/OwnedList.ts"

const NullableText = Schema.NullOr(Schema.String)

const NullableTime = Schema.NullOr(Column.Time)

/**
 * A row of `call` with the columns of its agent, contact and team that it shows.
 *
 * `agentName` and `contactName` to `contactStage` are what the call stored when it was created. `seen…` is the contact
 * as it is now, or null when the reader cannot see it.
 */
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
  contactName: NullableText,
  contactEmail: NullableText,
  contactCompany: NullableText,
  contactStatus: NullableText,
  contactStage: NullableText,
  seenFirstName: NullableText,
  seenLastName: NullableText,
  seenEmail: NullableText,
  seenCompany: NullableText,
  seenStatus: NullableText,
  seenStage: NullableText,
  seenLastCallDate: NullableTime,
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
  confirmedAt: NullableTime,
  reservedMinutes: Schema.Int,
  reserveAt: NullableTime,
  createdAt: Column.Time,
  updatedAt: Column.Time
})

/** The large columns, whose total size a page limits. */
export const largeColumns = ["transcript", "summary", "variables", "metadata"]

/**
 * Returns a `SELECT` of every column of {@link CallRow}, to be followed by `WHERE`.
 *
 * A call of an older version has no stored agent. It was created by the account that owns the agent, and has no team.
 * That account can always see its agent, so the current name is correct.
 *
 * @param isContactVisible the condition that the reader can see the row of `contact` now
 */
export const select = (
  isContactVisible: string,
  large: LargeColumn = whole
): string => `SELECT call.id, call.account_id, call.call_id, call.agent_id, coalesce(call.agent_name, agent.name) AS agent_name,
  coalesce(call.agent_assistant_id, agent.assistant_id) AS agent_assistant_id, call.status, call.type, call.phone_number,
  call.started_at, call.ended_at, ${large("call", "summary", "NULL")}, ${large("call", "transcript", "NULL")}, call.recording_url, call.contact_id, call.contact_name,
  call.contact_email, call.contact_company, call.contact_status, call.contact_stage,
  contact.first_name AS seen_first_name, contact.last_name AS seen_last_name, contact.email AS seen_email,
  contact.company AS seen_company, contact.status AS seen_status, contact.stage AS seen_stage,
  contact.last_call_date AS seen_last_call_date, call.team_id, team.name AS team_name, call.billing_status, call.initial_charge, call.final_charge,
  call.price_per_minute, call.ended_reason, ${large("call", "variables", "'{}'")}, ${large("call", "metadata", "NULL")}, call.submission, call.provider_call_id,
  call.reconcile_at, call.reconcile_count, call.confirmed_at, call.reserved_minutes, call.reserve_at, call.created_at, call.updated_at
FROM call
JOIN agent ON agent.id = call.agent_id
LEFT JOIN contact ON contact.id = call.contact_id AND ${isContactVisible}
LEFT JOIN team ON team.id = call.team_id`

/** The condition that the account of the call can see the row of `contact` now. */
export const isVisibleToAccount = `(contact.account_id = call.account_id OR contact.team_id IN
  (SELECT account_team.team_id FROM account_team WHERE account_team.account_id = call.account_id))`

const contactOf = (row: typeof CallRow.Type): CallContact | null => {
  if (row.contactId === null) return null
  if (row.seenStatus !== null && row.seenStage !== null) {
    return {
      id: row.contactId,
      name: fullName({ firstName: row.seenFirstName, lastName: row.seenLastName }),
      email: row.seenEmail,
      company: row.seenCompany,
      status: row.seenStatus,
      stage: row.seenStage,
      lastCallDate: row.seenLastCallDate
    }
  }
  if (row.contactName === null || row.contactStatus === null || row.contactStage === null) return null
  return {
    id: row.contactId,
    name: row.contactName,
    email: row.contactEmail,
    company: row.contactCompany,
    status: row.contactStatus,
    stage: row.contactStage,
    lastCallDate: null
  }
}

/** Returns the call of a row. */
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
  confirmedAt: row.confirmedAt,
  reservedMinutes: row.reservedMinutes,
  reserveAt: row.reserveAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/**
 * Returns the columns that only an insert writes: what the call refers to, and what it stores of its agent and contact.
 */
export const snapshotColumns = ({
  accountId,
  agent,
  contact,
  team
}: Pick<Call, "accountId" | "agent" | "contact" | "team">): Readonly<Record<string, unknown>> => ({
  account_id: accountId,
  team_id: team?.id ?? null,
  agent_id: agent.id,
  agent_name: agent.name,
  agent_assistant_id: agent.assistantId,
  contact_id: contact?.id ?? null,
  contact_name: contact?.name ?? null,
  contact_email: contact?.email ?? null,
  contact_company: contact?.company ?? null,
  contact_status: contact?.status ?? null,
  contact_stage: contact?.stage ?? null
})

/** Returns the columns that an insert and an update write. */
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
    confirmed_at: time(call.confirmedAt),
    reserved_minutes: call.reservedMinutes,
    reserve_at: time(call.reserveAt),
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
