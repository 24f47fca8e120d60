import type { Audited, AuditedKind } from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { StoredImport } from "./ContactImport.ts"

/**
 * Imports in the audit log. The names of columns are texts of a file, so they are only named. The counts change with each
 * batch of lines, so only the entry of the end has them. Each contact has an entry of its own.
 */
export const kind: AuditedKind<StoredImport> = {
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

/** Returns an import for an entry that is about more than its settings. */
export const auditedOf = ({ accountId, id }: Pick<StoredImport, "accountId" | "id">): Audited => ({
  accountId,
  type: "contact_import",
  id
})

/** Returns the changes of an import that starts: its status, and how many parts the file has. */
export const started = ({ parts, status }: StoredImport): FieldChanges.Changes =>
  FieldChanges.bounded([FieldChanges.shown("status", status, "running"), { field: "parts", after: parts }])

/** Returns the changes of an import that ends: its status, the results of its lines, and the code of a failure. */
export const ended = (before: StoredImport, after: Pick<StoredImport, Counted>): FieldChanges.Changes =>
  FieldChanges.bounded([
    FieldChanges.shown("status", before.status, after.status),
    { field: "lines", after: after.lines },
    { field: "created", after: after.created },
    { field: "updated", after: after.updated },
    { field: "skipped", after: after.skipped },
    { field: "refused", after: after.refused },
    ...(after.failure === null ? [] : [{ field: "failure", after: after.failure.code }])
  ])

type Counted = "status" | "lines" | "created" | "updated" | "skipped" | "refused" | "failure"
