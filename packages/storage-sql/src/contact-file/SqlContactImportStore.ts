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
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import * as CountedPage from "../storage/CountedPage.ts"
import { Database } from "../storage/Database.ts"
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
const CountsRow = Schema.Struct({ count: Schema.Int, unfinished: Schema.Int })
const PartRow = Schema.Struct({ csv: Schema.String })
const NumberRow = Schema.Struct({ number: Schema.Int })

const select = `SELECT id, account_id, status, on_known, separator, dry_run, columns, parts, parts_read, lines, created,
  updated, skipped, refused, failure, cursor, due_at, started_by, created_at, updated_at FROM contact_import`

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

const columns = (dialect: Dialect, stored: Omit<StoredImport, "id">): WriteStatements.Columns => ({
  account_id: stored.accountId,
  status: stored.status,
  on_known: stored.onKnown,
  separator: stored.separator,
  dry_run: stored.dryRun,
  columns: json(stored.columns),
  parts: stored.parts,
  parts_read: stored.partsRead,
  lines: stored.lines,
  created: stored.created,
  updated: stored.updated,
  skipped: stored.skipped,
  refused: stored.refused,
  failure: json(stored.failure),
  cursor: JSON.stringify(stored.cursor),
  due_at: stored.dueAt === null ? null : dialect.time(stored.dueAt),
  started_by: json(stored.startedBy),
  created_at: dialect.time(stored.createdAt),
  updated_at: dialect.time(stored.updatedAt)
})

/** How many parts one step of a sweep deletes. Each may have 768 KiB. */
const sweptParts = 2

/** The condition for an import. */
const isImport = "account_id = ?1 AND id = ?2"

/** The condition for the parts or the refused lines of an import. */
const ofImport = "account_id = ?1 AND import_id = ?2"

/** The `ContactImportStore` in a SQL database. */
export const layer: Layer.Layer<ContactImportStore, never, Database> = Layer.effect(
  ContactImportStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("ContactImportStore.insert", Id)
    const insert = WriteStatements.inserter("contact_import", " RETURNING id")
    const found = database.first("ContactImportStore.find", ImportRow)
    const foundLocked = database.first("ContactImportStore.findForUpdate", ImportRow)
    const updated = database.run("ContactImportStore.update")
    const update = WriteStatements.updater("contact_import")
    const counts = database.one("ContactImportStore.count", CountsRow)
    const counted = database.one("ContactImportStore.list", Column.Count)
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
      find: ({ accountId, id }) => found(`${select} WHERE ${isImport}`, [accountId, id]),
      findForUpdate: ({ accountId, id }) =>
        foundLocked(`${select} WHERE ${isImport}${dialect.forUpdate("contact_import")}`, [accountId, id]),
      update: (stored) => updated(...update(columns(dialect, stored), stored.id)),
      count: (accountId) =>
        Effect.map(
          counts(
            `SELECT count(*) AS count,
              count(CASE WHEN status IN ('uploading', 'running') THEN 1 END) AS unfinished
              FROM contact_import WHERE account_id = ?1`,
            [accountId]
          ),
          ({ count, unfinished }) => ({ all: count, unfinished })
        ),
      list: (accountId, page) =>
        CountedPage.read(
          page,
          counted("SELECT count(*) AS count FROM contact_import WHERE account_id = ?1", [accountId]),
          (offset) =>
            listed(`${select} WHERE account_id = ?1 ORDER BY id DESC LIMIT ${page.limit} OFFSET ?2`, [
              accountId,
              offset
            ])
        ),
      putPart: ({ accountId, id }, number, csv) =>
        placed(
          `INSERT INTO contact_import_part (account_id, import_id, number, csv) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (account_id, import_id, number) DO UPDATE SET csv = excluded.csv`,
          [accountId, id, number, csv]
        ),
      part: ({ accountId, id }, number) =>
        Effect.map(
          part(`SELECT csv FROM contact_import_part WHERE ${ofImport} AND number = ?3`, [accountId, id, number]),
          Option.map(({ csv }) => csv)
        ),
      partNumbers: ({ accountId, id }) =>
        Effect.map(
          numbers(`SELECT number FROM contact_import_part WHERE ${ofImport} ORDER BY number`, [accountId, id]),
          (rows) => rows.map(({ number }) => number)
        ),
      deleteParts: ({ accountId, id }, upTo) =>
        deleted(`DELETE FROM contact_import_part WHERE ${ofImport} AND number <= ?3`, [accountId, id, upTo]),
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
      refused: ({ accountId, id }, page) =>
        CountedPage.read(
          page,
          refusedCount(`SELECT count(*) AS count FROM contact_import_refused WHERE ${ofImport}`, [accountId, id]),
          (offset) =>
            Effect.map(
              refused(
                `SELECT line, problems, cells FROM contact_import_refused WHERE ${ofImport}
                  ORDER BY line LIMIT ${page.limit} OFFSET ?3`,
                [accountId, id, offset]
              ),
              (rows) => rows.map(({ cells, line, problems }) => ({ line, problems, values: cells }))
            )
        ),
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
          `DELETE FROM contact_import_refused WHERE ${ofImport} AND line IN (
            SELECT line FROM contact_import_refused WHERE ${ofImport} ORDER BY line LIMIT ?3) RETURNING line`,
          [...key, limit.rows]
        )
        if (lines.length > 0) return lines.length
        const parts = yield* swept(
          `DELETE FROM contact_import_part WHERE ${ofImport} AND number IN (
            SELECT number FROM contact_import_part WHERE ${ofImport} ORDER BY number LIMIT ?3) RETURNING number`,
          [...key, Math.min(limit.rows, sweptParts)]
        )
        if (parts.length > 0) return parts.length
        return (yield* swept(`DELETE FROM contact_import WHERE ${isImport} RETURNING id`, key)).length
      }, database.atomically("ContactImportStore.sweep"))
    })
  })
)
