import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/TeamRef.ts"
import { CallDirection } from "./CallDirection.ts"
import { AgentRef } from "../agent/Agent.ts"
import { ContactId } from "../contact/Contact.ts"
import { VariableScalar } from "../variable/ContextVariable.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import { Billing } from "./Billing.ts"
import { type KnownCall, ProviderCallId } from "./CallProvider.ts"
import { CallStatus } from "./CallStatus.ts"

/** Database id of a call. */
export const CallId = DatabaseId.pipe(Schema.brand("CallId"))

/** Database id of a call. */
export type CallId = typeof CallId.Type

/**
 * The contact of a call, as the call shows it (C-2.2-4, D-CALL-14).
 *
 * A caller who can see the contact now receives its present values. Any other caller receives the values from when the call
 * was made, with `lastCallDate` null.
 */
export const CallContact = Schema.Struct({
  id: ContactId,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  status: Schema.String,
  stage: Schema.String,
  lastCallDate: Schema.NullOr(Schema.DateTimeUtc)
})

/** The contact of a call. */
export type CallContact = typeof CallContact.Type

/**
 * Whether the provider has the call (D-CALL-8).
 *
 * - `intended`: the call is committed. The provider may or may not have received the request to start it.
 * - `accepted`: the provider has the call.
 * - `refused`: the provider refused the call and dialled nothing.
 * - `unknown`: the provider did not answer the request, which is never repeated (D-CALL-9). A callback, a reconciliation or
 *   the time limit shows whether the call exists.
 */
export const Submission = Schema.Literals(["intended", "accepted", "refused", "unknown"])

/** Whether the provider has the call. */
export type Submission = typeof Submission.Type

/** One telephone call of an agent (C-2.2-1). */
export const Call = Schema.Struct({
  id: CallId,
  accountId: AccountId,
  /** The service's own identifier of the call. The provider receives it as our reference. */
  callId: Schema.NonEmptyString,
  /** The agent's name and assistant id as they were when the call was made (D-CALL-15). */
  agent: AgentRef,
  status: CallStatus,
  type: CallDirection,
  phoneNumber: PhoneNumber,
  /** When the call was answered. Null before that, and for a call that was never answered. */
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When the call ended. Null while it runs. */
  endedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The provider's summary of the talk. Null until the provider has reported one, and after retention has deleted it. */
  summary: Schema.NullOr(Schema.String),
  /** Null until the provider has reported one, and after retention has deleted it. */
  transcript: Schema.NullOr(Schema.String),
  /** Null until the provider has reported one, and after retention has deleted it. */
  recordingUrl: Schema.NullOr(Schema.String),
  /** Null when the call has no contact, and after the contact was deleted. */
  contact: Schema.NullOr(CallContact),
  /** The team that the agent had when the call was made. Null when the account was not in that team (D-CALL-13). */
  team: Schema.NullOr(TeamRef),
  billing: Billing,
  /** Why the call ended: the provider's reason, a refusal code or `provider_timeout`. Null while the call runs. */
  endedReason: Schema.NullOr(Schema.String),
  /** The variables that the request gave for this call, rendered. */
  variables: Schema.Record(Schema.String, VariableScalar),
  /** The JSON that the request attached to the call. */
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  submission: Submission,
  /** The provider's id of the call. Null while it is not known. */
  providerCallId: Schema.NullOr(ProviderCallId),
  /** When a worker next asks the provider about the call. Null when no further question is planned. */
  reconcileAt: Schema.NullOr(Schema.DateTimeUtc),
  /** How many times a worker has asked the provider since the delays of `ReconcilePlan` last began again. */
  reconcileCount: Schema.Int,
  /** When a worker last asked the provider and learned that the call was live. Null when no worker has. */
  confirmedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** How many minutes of talk are reserved. After the end it keeps its last value, and nothing is reserved any more. */
  reservedMinutes: Schema.Int,
  /** When a worker reserves the next minute. Null unless the call is answered, runs and has a price. */
  reserveAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** One telephone call of an agent. */
export type Call = typeof Call.Type

/** Returns what the provider needs to find a call. */
export const knownCall = ({ callId, createdAt, phoneNumber, providerCallId }: Call): KnownCall => ({
  ref: callId,
  providerCallId,
  to: phoneNumber,
  createdAt
})

/** Returns the whole seconds from the answer to the end. Null while the call runs, and when it was never answered. */
export const talkSeconds = (call: Pick<Call, "startedAt" | "endedAt">): number | null =>
  call.startedAt === null || call.endedAt === null
    ? null
    : Math.max(0, Math.floor((call.endedAt.epochMilliseconds - call.startedAt.epochMilliseconds) / 1000))

/**
 * Returns the `duration_seconds` of a call (C-2.2-1, D-CALL-23, D-VAL-2): the whole seconds of talk. It is 0 for a call
 * that ended without an answer, and null while the call runs.
 */
export const durationSeconds = (call: Pick<Call, "startedAt" | "endedAt">): number | null =>
  call.endedAt === null ? null : (talkSeconds(call) ?? 0)

/** Returns a call without its large fields, for a list whose page would otherwise be too large. */
export const shorten = (call: Call): Call => ({
  ...call,
  transcript: null,
  summary: null,
  variables: {},
  metadata: null
})
