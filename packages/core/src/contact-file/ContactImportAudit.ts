import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { StoredImport } from "./ContactImport.ts"

/**
 * Imports in the audit log. The names of columns are texts of a file, so they are only named. The counts change with each
 * batch of lines, so only the entry of the end has them. Each contact has an entry of its own.
 */
export const kind: AuditTrail.AuditedKind<StoredImport> = {
  type: "contact_import",
  accountIdOf: ({ accountId }) => accountId,
  idOf: ({ id }) => id,
  rules: {
    id: "ignored",
    accountId: "ignored",
    status: "shown",
    onKnown: "shown",
    separator: "shown",
    dryRun: "shown",
    columns: "named",
    parts: "ignored",
    partsRead: "ignored",
    lines: "ignored",
    created: "ignored",
    updated: "ignored",
    skipped: "ignored",
    refused: "ignored",
    failure: "ignored",
    createdAt: "ignored",
    updatedAt: "ignored",
    cursor: "ignored",
    dueAt: "ignored",
    startedBy: "ignored"
  }
}

/** Records that an import has started: its status, and how many parts the file has. */
export const recordStart = (audit: AuditTrail.AuditTrail, stored: StoredImport) =>
  audit.record(
    "contactImports.start",
    AuditTrail.auditedOf(kind, stored),
    FieldChanges.bounded([
      FieldChanges.shown("status", stored.status, "running"),
      { field: "parts", after: stored.parts }
    ])
  )

/** Records that an import has ended: its status, the results of its lines, and the code of a failure. */
export const recordEnd = (
  audit: AuditTrail.AuditTrail,
  operation: "contactImports.cancel" | "contactImports.end",
  before: StoredImport,
  after: Pick<StoredImport, Counted>
) =>
  audit.record(
    operation,
    AuditTrail.auditedOf(kind, before),
    FieldChanges.bounded([
      FieldChanges.shown("status", before.status, after.status),
      { field: "lines", after: after.lines },
      { field: "created", after: after.created },
      { field: "updated", after: after.updated },
      { field: "skipped", after: after.skipped },
      { field: "refused", after: after.refused },
      ...(after.failure === null ? [] : [{ field: "failure", after: after.failure.code }])
    ])
  )

type Counted = "status" | "lines" | "created" | "updated" | "skipped" | "refused" | "failure"
