import type * as DateTime from "effect/DateTime"
import type { AccountId } from "../access/Account.ts"
import { noRequest } from "../audit/Acting.ts"
import type { NewAuditEntry } from "../audit/AuditEntry.ts"
import type { AuditOperation, EntityType } from "../audit/AuditOperation.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

const operation: AuditOperation = "webhooks.disable"
const type: EntityType = "webhook"

/**
 * Returns the entry of the audit log for a webhook that the answer of its receiver has disabled (D-DEL-4). `DeliveryQueue.record`
 * stores it.
 *
 * @param status the status before
 */
export const auditEntry = (
  { accountId, id, status }: { readonly accountId: AccountId; readonly id: WebhookId; readonly status: string },
  at: DateTime.Utc
): NewAuditEntry => ({
  accountId,
  at,
  actor: { type: "worker", id: "webhook-deliveries" },
  ...noRequest,
  operation,
  entity: { type, id: String(id) },
  changes: [{ field: "status", before: status, after: "disabled" }],
  unlistedChanges: 0
})
