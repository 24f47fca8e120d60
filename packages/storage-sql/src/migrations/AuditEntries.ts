import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as AccountTable from "./AccountTable.ts"
import { alignIds } from "./InstallationCell.ts"

const postgresTrigger = [
  `CREATE FUNCTION audit_entry_refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'an entry of the audit log cannot be changed'; END
  $$`,
  `CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse_update()`
]

const sqliteTrigger = [
  `CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
    BEGIN SELECT RAISE(ABORT, 'an entry of the audit log cannot be changed'); END`
]

/**
 * Adds the audit log. A trigger refuses every UPDATE (D-AUD-1). A DELETE is possible, because the retention deletes old
 * entries.
 *
 * The columns with `_ref` have no foreign keys: an entry stays when its record or its actor is deleted.
 */
export const auditEntries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  const { id, inSqlite } = AccountTable.of(sql)
  const { key, trigger } = sql.onDialectOrElse({
    pg: () => ({
      key: ", CONSTRAINT audit_entry_pkey PRIMARY KEY (account_id, at, id)",
      trigger: postgresTrigger
    }),
    orElse: () => ({ key: "", trigger: sqliteTrigger })
  })
  const statements = [
    // changes: a text and not a document, so that every text of JSON can be stored, also one with an escaped U+0000.
    `CREATE TABLE audit_entry (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      at ${types.time} NOT NULL,
      actor_type ${types.text} NOT NULL,
      actor_ref ${types.text},
      request_ref ${types.text},
      operation ${types.text} NOT NULL,
      entity_type ${types.text} NOT NULL,
      entity_ref ${types.text},
      changes ${types.text} NOT NULL,
      unlisted_changes ${types.integer} NOT NULL${key}
    )${types.table}`,
    ...inSqlite("CREATE INDEX audit_entry_account ON audit_entry (account_id, at, id)"),
    "CREATE INDEX audit_entry_actor ON audit_entry (account_id, actor_type, actor_ref, at, id)",
    "CREATE INDEX audit_entry_operation ON audit_entry (account_id, operation, at, id)",
    "CREATE INDEX audit_entry_entity ON audit_entry (account_id, entity_type, entity_ref, at, id)",
    "CREATE INDEX audit_entry_old ON audit_entry (at, id)",
    ...trigger
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
  // Before the first id is generated, so that it is one of the installation's cell.
  yield* alignIds
})
