import type { Audited } from "../audit/AuditTrail.ts"
import type { ConnectionKey } from "./CalendarConnection.ts"

/**
 * Returns a connection in the audit log. The id of a calendar is mostly the address of its owner, and credentials are secret,
 * so an entry has neither.
 */
export const audited = ({ accountId, provider }: ConnectionKey): Audited => ({
  accountId,
  type: "calendar_connection",
  id: provider
})
