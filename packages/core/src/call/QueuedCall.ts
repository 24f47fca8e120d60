import type * as DateTime from "effect/DateTime"
import type { AccountId } from "../access/Account.ts"
import type { TeamRef } from "../access/TeamRef.ts"
import { ref } from "../agent/Agent.ts"
import { type Contact, fullName } from "../contact/Contact.ts"
import { pending } from "./Billing.ts"
import type { Call, CallContact } from "./Call.ts"
import type { CallPlan } from "./CallPlans.ts"

/** Returns the contact of a call with the contact's present values (C-2.2-4). */
export const callContact = (contact: Omit<Contact, "team">): CallContact => ({
  id: contact.id,
  name: fullName(contact),
  email: contact.email,
  company: contact.company,
  status: contact.status,
  stage: contact.stage,
  lastCallDate: contact.lastCallDate
})

/** Returns the new call of a plan: queued, with one minute reserved, and before the provider is asked (D-CALL-8). */
export const queuedCall = (
  plan: CallPlan,
  details: {
    readonly accountId: AccountId
    readonly callId: string
    readonly team: TeamRef | null
    readonly metadata: Call["metadata"]
    readonly reconcileAt: DateTime.Utc
    readonly now: DateTime.Utc
  }
): Omit<Call, "id"> => ({
  accountId: details.accountId,
  callId: details.callId,
  agent: ref(plan.agent),
  status: "queued",
  type: "outbound",
  phoneNumber: plan.to,
  startedAt: null,
  endedAt: null,
  summary: null,
  transcript: null,
  recordingUrl: null,
  contact: plan.contact === null ? null : callContact(plan.contact),
  team: details.team,
  billing: pending(plan.reservation),
  endedReason: null,
  variables: plan.own,
  metadata: details.metadata,
  submission: "intended",
  providerCallId: null,
  reconcileAt: details.reconcileAt,
  reconcileCount: 0,
  confirmedAt: null,
  reservedMinutes: 1,
  reserveAt: null,
  createdAt: details.now,
  updatedAt: details.now
})
