import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

const add = `INSERT INTO do_not_call_number (account_id, phone_number)
      VALUES (NEW.account_id, NEW.phone_number) ON CONFLICT DO NOTHING;`

/**
 * Puts numbers on the list that a server of the version before flags: it knows only `contact_number.do_not_call`, which
 * present versions write and do not read.
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

/** The do-not-call lists of accounts, with the numbers that carry the flag on their contacts. */
export const doNotCall = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { types } = Dialect.of(sql)
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
