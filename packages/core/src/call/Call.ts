import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import { AccountId } from "../access/Account.ts"
import { TeamRef } from "../access/Team.ts"
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

/** Which way the call goes (C-2.2-2). */
export const CallDirection = Schema.Literals(["outbound", "inbound"])

/** Which way the call goes. */
export type CallDirection = typeof CallDirection.Type

/**
 * The contact of a call, as the call shows it (C-2.2-4): as it is now to a reader who can see the contact now, and
 * to any other as it was when the call was made, with `lastCallDate` null.
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

/** The contact of a call, as the call shows it. */
export type CallContact = typeof CallContact.Type

/**
 * How far the request to the provider has come (D-CALL-8).
 *
 * - `intended`: committed, and the provider may or may not have been asked.
 * - `accepted`: the provider has the call.
 * - `refused`: the provider said no.
 * - `unknown`: no answer came; never asked again, settled by a callback, by asking, or by the time limit.
 */
export const Submission = Schema.Literals(["intended", "accepted", "refused", "unknown"])

/** How far the request to the provider has come. */
export type Submission = typeof Submission.Type

/** A call (C-2.2-1). */
export const Call = Schema.Struct({
  id: CallId,
  accountId: AccountId,
  /** The service's own identifier of the call; also what the provider is given as our reference. */
  callId: Schema.NonEmptyString,
  /** The agent as it was when the call was made. */
  agent: AgentRef,
  status: CallStatus,
  type: CallDirection,
  phoneNumber: PhoneNumber,
  /** When it was answered; null when it never was. */
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  endedAt: Schema.NullOr(Schema.DateTimeUtc),
  summary: Schema.NullOr(Schema.String),
  transcript: Schema.NullOr(Schema.String),
  recordingUrl: Schema.NullOr(Schema.String),
  /** Null when the call has none, and once the contact is deleted. */
  contact: Schema.NullOr(CallContact),
  /** The agent's team when the call was made, if the account was in that team. */
  team: Schema.NullOr(TeamRef),
  billing: Billing,
  /** Why it ended, in the provider's or our own words; null while it runs. */
  endedReason: Schema.NullOr(Schema.String),
  variables: Schema.Record(Schema.String, VariableScalar),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  submission: Submission,
  providerCallId: Schema.NullOr(ProviderCallId),
  /** When the provider is next to be asked how the call stands; null once there is nothing more to hear of it. */
  reconcileAt: Schema.NullOr(Schema.DateTimeUtc),
  /** How often it has been asked since it last said something of its own. */
  reconcileCount: Schema.Int,
  /** When the provider last said, asked how the call stands, that it was live; null when it never did. */
  confirmedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** How many minutes of talk are reserved from the balance while the call has not ended. */
  reservedMinutes: Schema.Int,
  /** When the next minute is to be reserved; null unless the call is talked and has a price. */
  reserveAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})

/** A call. */
export type Call = typeof Call.Type

/** What is known of a call to its provider. */
export const knownCall = ({ callId, createdAt, phoneNumber, providerCallId }: Call): KnownCall => ({
  ref: callId,
  providerCallId,
  to: phoneNumber,
  createdAt
})

/** Whole seconds from the answer to the end; null while the call runs and when it was never answered. */
export const talkSeconds = (call: Pick<Call, "startedAt" | "endedAt">): number | null =>
  call.startedAt === null || call.endedAt === null
    ? null
    : Math.max(0, Math.floor((call.endedAt.epochMilliseconds - call.startedAt.epochMilliseconds) / 1000))

/**
 * `duration_seconds` (C-2.2-1, D-VAL-2: derived): the time talked, 0 for a call that ended without an
 * answer, null while it runs.
 */
export const durationSeconds = (call: Pick<Call, "startedAt" | "endedAt">): number | null =>
  call.endedAt === null ? null : (talkSeconds(call) ?? 0)

/** Returns the call as a list shows it that has no room for its large fields. */
export const shorten = (call: Call): Call => ({
  ...call,
  transcript: null,
  summary: null,
  variables: {},
  metadata: null
})
