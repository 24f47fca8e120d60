import type { AuditedKind } from "../audit/AuditTrail.ts"
import type { Member } from "./Member.ts"

/** Members in the audit log. Their names and addresses are personal. */
export const kind: AuditedKind<Member> = {
  type: "member",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    email: "named",
    name: "named",
    role: "shown",
    createdAt: "ignored",
    lastSignInAt: "ignored"
  }
}
