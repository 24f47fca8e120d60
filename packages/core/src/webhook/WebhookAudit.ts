import type { AuditedKind } from "../audit/AuditTrail.ts"
import type { Webhook } from "./Webhook.ts"

/** Webhooks in the audit log. Their URL is only named, because many receivers have a secret in it. */
export const kind: AuditedKind<Webhook> = {
  type: "webhook",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    name: "shown",
    url: "named",
    subscribedEvents: "shown",
    status: "shown",
    createdAt: "ignored",
    updatedAt: "ignored",
    lastDeliveryAt: "ignored",
    lastSuccessAt: "ignored",
    lastFailureAt: "ignored",
    lastFailureStatus: "ignored",
    consecutiveFailures: "ignored"
  }
}
