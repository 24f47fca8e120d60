import { AuditEntryId, type NewAuditEntry } from "@frontdesk/core/audit/AuditEntry"
import type { State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Returns the state with a further entry of the audit log. */
export const appended = (state: State, entry: NewAuditEntry): State => {
  const [, auditEntries] = Table.insert(state.auditEntries, (id) => ({ ...entry, id: AuditEntryId.make(id) }))
  return { ...state, auditEntries }
}
