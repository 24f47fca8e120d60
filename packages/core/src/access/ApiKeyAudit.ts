import type { AuditedKind } from "../audit/AuditTrail.ts"
import type { ApiKey } from "./ApiKey.ts"

/** API keys in the audit log. The prefix shows which key it is, as in a list of keys. The log never has a value or a digest. */
export const kind: AuditedKind<ApiKey> = {
  type: "api_key",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    name: "shown",
    permissions: "shown",
    prefix: "shown",
    expiresAt: "shown",
    revokedAt: "shown",
    lastUsedAt: "ignored",
    previousExpiresAt: "shown",
    createdAt: "ignored"
  }
}
