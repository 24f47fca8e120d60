import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

const add = `INSERT INTO do_not_call_number (account_id, phone_number)
      VALUES (NEW.account_id, NEW.phone_number) ON CONFLICT DO NOTHING;`

/**
 * Triggers for servers of the previous version. Those servers only know the flag `contact_number.do_not_call`, which
 * current versions write and do not read. The triggers add the numbers that such a server flags to the list.
 */
const postgresFlags = [
  `CREATE FUNCTION contact_number_flagged() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${add}
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER contact_number_flagged AFTER INSERT OR UPDATE OF do_not_call ON contact_number
    FOR EACH ROW WHEN (NEW.do_not_call) EXECUTE FUNCTION contact_number_flagged()`
]

const sqliteFlags = [
  `CREATE TRIGGER contact_number_flagged_insert AFTER INSERT ON contact_number WHEN NEW.do_not_call
    BEGIN ${add} END`,
  `CREATE TRIGGER contact_number_flagged_update AFTER UPDATE OF do_not_call ON contact_number WHEN NEW.do_not_call
    BEGIN ${add} END`
]

/** Adds the do-not-call lists of accounts, with the numbers that have the flag on a contact. */
export const doNotCall = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { types } = ClientDialect.of(sql)
  const statements = [
    `CREATE TABLE do_not_call_number (
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      phone_number ${types.text} NOT NULL,
      PRIMARY KEY (account_id, phone_number)
    )${types.table}`,
    `INSERT INTO do_not_call_number (account_id, phone_number)
      SELECT DISTINCT account_id, phone_number FROM contact_number WHERE do_not_call`,
    ...sql.onDialectOrElse({ pg: () => postgresFlags, orElse: () => sqliteFlags })
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
})
