import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as AccountTable from "./AccountTable.ts"
import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"
import { alignIds } from "./InstallationCell.ts"

/** Adds the imports of contacts, with the parts of their files and their refused lines (D-IMP-1). */
export const contactImports = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  const { id, inSqlite, keys, reference } = AccountTable.of(sql)
  const statements = [
    // columns: which column of the file fills which field. cursor: the place of the next line. started_by: the actor of
    // the contacts that the worker imports (D-AUD-10), NULL until the import is started.
    `CREATE TABLE contact_import (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      status ${types.text} NOT NULL,
      on_known ${types.text} NOT NULL,
      separator ${types.text} NOT NULL,
      dry_run ${types.flag} NOT NULL,
      columns ${types.json},
      parts ${types.integer} NOT NULL,
      parts_read ${types.integer} NOT NULL,
      lines ${types.integer} NOT NULL,
      created ${types.integer} NOT NULL,
      updated ${types.integer} NOT NULL,
      skipped ${types.integer} NOT NULL,
      refused ${types.integer} NOT NULL,
      failure ${types.json},
      cursor ${types.json} NOT NULL,
      due_at ${types.time},
      started_by ${types.json},
      created_at ${types.time} NOT NULL,
      updated_at ${types.time} NOT NULL${keys("contact_import")}
    )${types.table}`,
    "CREATE INDEX contact_import_account ON contact_import (account_id, id, status)",
    "CREATE INDEX contact_import_due ON contact_import (due_at, id, account_id) WHERE due_at IS NOT NULL",
    "CREATE INDEX contact_import_old ON contact_import (updated_at, id) WHERE status <> 'running'",

    `CREATE TABLE contact_import_part (
      account_id ${types.integer} NOT NULL,
      import_id ${types.integer} NOT NULL,
      number ${types.integer} NOT NULL,
      csv ${types.text} NOT NULL,
      PRIMARY KEY (account_id, import_id, number)${reference("contact_import_part", "import_id", "contact_import")}
    )${types.table}`,
    // SQLite looks for the parts and lines of a deleted import by the import alone, PostgreSQL by the primary key.
    ...inSqlite("CREATE INDEX contact_import_part_import ON contact_import_part (import_id, number)"),

    `CREATE TABLE contact_import_refused (
      account_id ${types.integer} NOT NULL,
      import_id ${types.integer} NOT NULL,
      line ${types.integer} NOT NULL,
      problems ${types.json} NOT NULL,
      cells ${types.json} NOT NULL,
      PRIMARY KEY (account_id, import_id, line)${reference("contact_import_refused", "import_id", "contact_import")}
    )${types.table}`,
    ...inSqlite("CREATE INDEX contact_import_refused_import ON contact_import_refused (import_id, line)")
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
  yield* alignIds
})

/**
 * Adds the indexes that find contacts by their e-mail address in lower case (D-IMP-3), and what an erasure looks for: the
 * calendar events of a phone number, the tasks and tool calls of a calendar event, and the deliveries about a call or an
 * event (D-ERASE-1).
 */
export const contactLookUps = ConcurrentIndexes.migration([
  {
    name: "contact_email",
    table: "contact",
    definition: "(account_id, lower(email), id) WHERE email IS NOT NULL"
  },
  {
    name: "calendar_event_customer_phone",
    table: "calendar_event",
    definition: "(account_id, customer_phone, id) WHERE customer_phone <> ''"
  },
  { name: "outbox_task_event", table: "outbox_task", definition: "(event_id, tag)" },
  { name: "tool_call_event", table: "tool_call", definition: "(event_id, account_id) WHERE event_id IS NOT NULL" },
  // With webhook_delivery_line, which has the other deliveries, it finds all deliveries about a subject.
  {
    name: "webhook_delivery_subject",
    table: "webhook_delivery",
    definition: "(webhook_id, subject, id) WHERE (attempts > 0 OR NOT in_line)"
  }
])
