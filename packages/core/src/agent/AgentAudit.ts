import type { AuditedKind } from "../audit/AuditTrail.ts"
import type { Agent } from "./Agent.ts"

/** Agents in the audit log. Calls change their usage, so the log does not have it. */
export const kind: AuditedKind<Agent> = {
  type: "agent",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    assistantId: "shown",
    name: "shown",
    role: "shown",
    phoneNumber: "shown",
    model: "shown",
    voiceId: "shown",
    teamId: "shown",
    allowedTools: "shown",
    secondsUsed: "ignored",
    totalCalls: "ignored",
    createdAt: "ignored",
    archivedAt: "shown"
  }
}
