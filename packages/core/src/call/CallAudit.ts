import type { AuditedKind } from "../audit/AuditTrail.ts"
import { idAs } from "../audit/FieldChanges.ts"
import * as Money from "../values/Money.ts"
import { totalCharge } from "./Billing.ts"
import type { Call } from "./Call.ts"

/**
 * Calls in the audit log: the agent, when the call ended, and what it costs. The number, the variables and the metadata are
 * personal. The log has neither the talk nor the steps of a call between its start and its end (D-AUD-6).
 */
export const kind: AuditedKind<Call> = {
  type: "call",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ callId }) => callId,
  rules: {
    id: "ignored",
    accountId: "ignored",
    callId: "ignored",
    agent: idAs("agent_id"),
    status: "shown",
    type: "shown",
    phoneNumber: "named",
    startedAt: "shown",
    endedAt: "shown",
    summary: "ignored",
    transcript: "ignored",
    recordingUrl: "ignored",
    contact: idAs("contact_id"),
    team: idAs("team_id"),
    billing: {
      name: "billing",
      show: (billing) => ({ status: billing.status, total_charge: totalCharge(billing) / Money.scale })
    },
    endedReason: "shown",
    variables: "named",
    metadata: "named",
    submission: "ignored",
    providerCallId: "ignored",
    reconcileAt: "ignored",
    reconcileCount: "ignored",
    confirmedAt: "ignored",
    reservedMinutes: "ignored",
    reserveAt: "ignored",
    createdAt: "ignored",
    updatedAt: "ignored"
  }
}
