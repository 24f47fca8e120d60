import type { AuditedKind } from "../audit/AuditTrail.ts"
import type { ContextVariable } from "./ContextVariable.ts"

/** Variable definitions in the audit log. */
export const kind: AuditedKind<ContextVariable> = {
  type: "variable",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    teamId: "shown",
    name: "shown",
    displayName: "shown",
    description: "shown",
    variableType: "shown",
    contextType: "shown",
    isDefault: "ignored",
    selectOptions: "shown"
  }
}
