import { AccountId } from "@frontdesk/core/access/Account"
import { Actor } from "@frontdesk/core/audit/Actor"
import {
  ContactImport,
  ContactImportId,
  ImportCursor,
  ImportFailure,
  MappedColumn,
  RefusedLine,
  type StoredImport
} from "@frontdesk/core/contact-file/ContactImport"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as LockedRow from "../storage/LockedRow.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const ImportRow = Schema.Struct({
  ...ContactImport.fields,
  dryRun: Column.Flag,
  columns: Schema.NullOr(Column.json(Schema.Array(MappedColumn))),
  failure: Schema.NullOr(Column.json(ImportFailure)),
  cursor: Column.json(ImportCursor),
  dueAt: Schema.NullOr(Column.Time),
  startedBy: Schema.NullOr(Column.json(Actor)),
  createdAt: Column.Time,
  updatedAt: Column.Time
})

const RefusedRow = Schema.Struct({
  line: Schema.Int,
  problems: Column.json(RefusedLine.fields.problems),
  cells: Column.json(RefusedLine.fields.values)
})

const Id = Schema.Struct({ id: ContactImportId })
const KeyRow = Schema.Struct({ id: ContactImportId, accountId: AccountId })
const CountRow = Schema.Struct({ allCount: Schema.Int, unfinished: Schema.Int })
const PartRow = Schema.Struct({ csv: Schema.String })
const NumberRow = Schema.Struct({ number: Schema.Int })

const columnNames = [
  "id",
  "account_id",
  "status",
  "on_known",
  "separator",
  "dry_run",
  "columns",
  "parts",
  "parts_read",
  "lines",
  "created",
  "updated",
  "skipped",
  "refused",
  "failure",
  "cursor",
  "due_at",
  "started_by",
  "created_at",
  "updated_at"
]

const select = `SELECT ${columnNames.map((name) => `contact_import.${name}`).join(", ")} FROM contact_import`

const columns = (dialect: Dialect, stored: Omit<StoredImport, "id">): WriteStatements.Columns => ({
  account_id: stored.accountId,
  status: stored.status,
  on_known: stored.onKnown,
  separator: stored.separator,
  dry_run: stored.dryRun,
  columns: stored.columns === null ? null : JSON.stringify(stored.columns),
  parts: stored.parts,
  parts_read: stored.partsRead,
  lines: stored.lines,
  created: stored.created,
  updated: stored.updated,
  skipped: stored.skipped,
  refused: stored.refused,
  failure: stored.failure === null ? null : JSON.stringify(stored.failure),
  cursor: JSON.stringify(stored.cursor),
  due_at: stored.dueAt === null ? null : dialect.time(stored.dueAt),
  started_by: stored.startedBy === null ? null : JSON.stringify(stored.startedBy),
  created_at: dialect.time(stored.createdAt),
  updated_at: dialect.time(stored.updatedAt)
})

/** How many parts one step of a sweep deletes. Each may have 768 KiB. */
const sweptParts = 2

const isKey = "account_id = ?1 AND import_id = ?2"

/** The `ContactImportStore` in a SQL database. */
export const layer: Layer.Layer<ContactImportStore, never, Database> = Layer.effect(
  ContactImportStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("ContactImportStore.insert", Id)
    const insert = WriteStatements.inserter("contact_import", " RETURNING id")
    const found = database.first("ContactImportStore.find", ImportRow)
    const locked = LockedRow.first(database, "ContactImportStore.findForUpdate", {
      row: ImportRow,
      table: "contact_import",
      select
    })
    const updated = database.run("ContactImportStore.update")
    const update = WriteStatements.updater("contact_import")
    const counted = database.one("ContactImportStore.count", CountRow)
    const listed = database.readable("ContactImportStore.list", ImportRow)
    const placed = database.run("ContactImportStore.putPart")
    const part = database.first("ContactImportStore.part", PartRow)
    const numbers = database.all("ContactImportStore.partNumbers", NumberRow)
    const deleted = database.run("ContactImportStore.deleteParts")
    const added = database.run("ContactImportStore.addRefused")
    const refusedCount = database.one("ContactImportStore.refused", Column.Count)
    const refused = database.readable("ContactImportStore.refused", RefusedRow)
    const due = database.all("ContactImportStore.due", KeyRow)
    const oldest = database.first("ContactImportStore.sweep", KeyRow)
    const swept = database.all("ContactImportStore.sweep", Column.Found)

    return ContactImportStore.of({
      insert: (stored) => Effect.map(inserted(...insert(columns(dialect, stored))), ({ id }) => ({ ...stored, id })),
      find: ({ accountId, id }) => found(`${select} WHERE account_id = ?1 AND id = ?2`, [accountId, id]),
      findForUpdate: ({ accountId, id }) => locked("account_id = ?1 AND id = ?2", [accountId, id]),
      update: (stored) => updated(...update(columns(dialect, stored), stored.id)),
      count: (accountId) =>
        Effect.map(
          counted(
            `SELECT count(*) AS all_count,
              count(CASE WHEN status IN ('uploading', 'running') THEN 1 END) AS unfinished
              FROM contact_import WHERE account_id = ?1`,
            [accountId]
          ),
          ({ allCount, unfinished }) => ({ all: allCount, unfinished })
        ),
      list: Effect.fnUntraced(function* (accountId, page) {
        const { allCount } = yield* counted(
          "SELECT count(*) AS all_count, 0 AS unfinished FROM contact_import WHERE account_id = ?1",
          [accountId]
        )
        const items = yield* listed(`${select} WHERE account_id = ?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3`, [
          accountId,
          page.limit,
          Page.offset(page)
        ])
        return { items, count: allCount, page: page.page, limit: page.limit }
      }),
      putPart: ({ accountId, id }, number, csv) =>
        placed(
          `INSERT INTO contact_import_part (account_id, import_id, number, csv) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (account_id, import_id, number) DO UPDATE SET csv = excluded.csv`,
          [accountId, id, number, csv]
        ),
      part: ({ accountId, id }, number) =>
        Effect.map(
          part(`SELECT csv FROM contact_import_part WHERE ${isKey} AND number = ?3`, [accountId, id, number]),
          Option.map(({ csv }) => csv)
        ),
      partNumbers: ({ accountId, id }) =>
        Effect.map(
          numbers(`SELECT number FROM contact_import_part WHERE ${isKey} ORDER BY number`, [accountId, id]),
          (rows) => rows.map(({ number }) => number)
        ),
      deleteParts: ({ accountId, id }, upTo) =>
        deleted(`DELETE FROM contact_import_part WHERE ${isKey} AND number <= ?3`, [accountId, id, upTo]),
      addRefused: ({ accountId, id }, lines) =>
        Effect.forEach(
          lines,
          ({ line, problems, values }) =>
            added(
              `INSERT INTO contact_import_refused (account_id, import_id, line, problems, cells)
                VALUES (?1, ?2, ?3, ?4, ?5)`,
              [accountId, id, line, JSON.stringify(problems), JSON.stringify(values)]
            ),
          { discard: true }
        ),
      refused: Effect.fnUntraced(function* ({ accountId, id }, page) {
        const { count } = yield* refusedCount(`SELECT count(*) AS count FROM contact_import_refused WHERE ${isKey}`, [
          accountId,
          id
        ])
        const rows = yield* refused(
          `SELECT line, problems, cells FROM contact_import_refused WHERE ${isKey} ORDER BY line LIMIT ?3 OFFSET ?4`,
          [accountId, id, page.limit, Page.offset(page)]
        )
        const items = rows.map(({ cells, line, problems }) => ({ line, problems, values: cells }))
        return { items, count, page: page.page, limit: page.limit }
      }),
      due: (now, limit) =>
        due("SELECT id, account_id FROM contact_import WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?2", [
          dialect.time(now),
          limit
        ]),
      sweep: Effect.fnUntraced(function* (before, limit) {
        const old = yield* oldest(
          `SELECT id, account_id FROM contact_import WHERE status <> 'running' AND updated_at < ?1
            ORDER BY updated_at, id LIMIT 1${dialect.forUpdate("contact_import")}`,
          [dialect.time(before)]
        )
        if (Option.isNone(old)) return 0
        const key = [old.value.accountId, old.value.id]
        const lines = yield* swept(
          `DELETE FROM contact_import_refused WHERE ${isKey} AND line IN (
            SELECT line FROM contact_import_refused WHERE ${isKey} ORDER BY line LIMIT ?3) RETURNING line`,
          [...key, limit.rows]
        )
        if (lines.length > 0) return lines.length
        const parts = yield* swept(
          `DELETE FROM contact_import_part WHERE ${isKey} AND number IN (
            SELECT number FROM contact_import_part WHERE ${isKey} ORDER BY number LIMIT ?3) RETURNING number`,
          [...key, Math.min(limit.rows, sweptParts)]
        )
        if (parts.length > 0) return parts.length
        return (yield* swept("DELETE FROM contact_import WHERE account_id = ?1 AND id = ?2 RETURNING id", key)).length
      }, database.atomically("ContactImportStore.sweep"))
    })
  })
)
