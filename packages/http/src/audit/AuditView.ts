import * as Entries from "@frontdesk/core/audit/AuditEntry"
import { cursorOf } from "@frontdesk/core/account/AuditLogInput"
import * as JsonEncoder from "@frontdesk/core/values/JsonEncoder"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const { actor, changes, clientAddress, entity, id, operation, requestId, unlistedChanges } = Entries.AuditEntry.fields

/** The JSON of an entry of the audit log. */
export const AuditEntryView = Wire.snakeCase(
  Schema.Struct({
    id,
    at: Timestamp,
    actor,
    requestId,
    /** The IP address of the client that has sent the request, or null (D-AUD-11). */
    clientAddress,
    operation,
    entity,
    /** A change without `before` and `after` leaves the values out (D-AUD-4). */
    changes,
    unlistedChanges,
    /** The place of the entry, for the query of the entries after it. */
    cursor: Schema.String
  })
).annotate({ identifier: "AuditEntry" })

/** Returns the view of an entry. */
export const auditEntryView = (entry: Entries.AuditEntry): typeof AuditEntryView.Type => ({
  id: entry.id,
  at: entry.at,
  actor: entry.actor,
  requestId: entry.requestId,
  clientAddress: entry.clientAddress,
  operation: entry.operation,
  entity: entry.entity,
  changes: entry.changes,
  unlistedChanges: entry.unlistedChanges,
  cursor: cursorOf(entry)
})

const encode = JsonEncoder.compile(AuditEntryView)

/** Returns entries as JSON Lines: each entry as JSON in a line of its own. */
export const jsonLines = (entries: ReadonlyArray<Entries.AuditEntry>): string =>
  entries.map((entry) => `${JSON.stringify(encode(auditEntryView(entry)))}\n`).join("")
