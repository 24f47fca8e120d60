import type * as DateTime from "effect/DateTime"
import type { AccountId } from "../access/Account.ts"
import type { TeamRef } from "../access/Team.ts"
import { ref } from "../agent/Agent.ts"
import { type Contact, fullName } from "../contact/Contact.ts"
import { pending } from "./Billing.ts"
import type { Call, CallContact } from "./Call.ts"
import type { CallPlan } from "./CallPlans.ts"

/** A contact as a call shows it (C-2.2-4). */
export const callContact = (contact: Omit<Contact, "team">): CallContact => ({
  id: contact.id,
  name: fullName(contact),
  email: contact.email,
  company: contact.company,
  status: contact.status,
  stage: contact.stage,
  lastCallDate: contact.lastCallDate
})

/** The call of a plan, before it has an id: queued, with its reservation, and the provider not yet asked (D-CALL-8). */
export const queuedCall = (
  plan: CallPlan,
  about: {
    readonly accountId: AccountId
    readonly callId: string
    readonly team: TeamRef | null
    readonly metadata: Call["metadata"]
    readonly reconcileAt: DateTime.Utc
    readonly now: DateTime.Utc
  }
): Omit<Call, "id"> => ({
  accountId: about.accountId,
  callId: about.callId,
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
  team: about.team,
  billing: pending(plan.reservation),
  endedReason: null,
  variables: plan.own,
  metadata: about.metadata,
  submission: "intended",
  providerCallId: null,
  reconcileAt: about.reconcileAt,
  reconcileCount: 0,
  confirmedAt: null,
  reservedMinutes: 1,
  reserveAt: null,
  createdAt: about.now,
  updatedAt: about.now
})
