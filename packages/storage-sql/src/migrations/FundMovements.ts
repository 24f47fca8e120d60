import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as AccountTable from "./AccountTable.ts"
import { alignIds } from "./InstallationCell.ts"

/**
 * Adds the movements of accounts. Each account with money begins with an opening, so that its movements add up to its
 * balance. While servers of the previous version still run, they change balances without a movement. The next change by a
 * server of this version records the difference as an opening.
 */
export const fundMovements = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dialect = ClientDialect.of(sql)
  const { types } = dialect
  const { id, keys } = AccountTable.of(sql)
  const statements = [
    // call_id: the service's identifier of the call. No foreign key, because the movement stays when the call is deleted.
    `CREATE TABLE fund_movement (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      kind ${types.text} NOT NULL,
      amount ${types.integer} NOT NULL,
      balance_after ${types.integer} NOT NULL CHECK (balance_after >= 0),
      call_id ${types.text},
      at ${types.time} NOT NULL${keys("fund_movement")}
    )${types.table}`,
    "CREATE INDEX fund_movement_account ON fund_movement (account_id, at, id)",
    "CREATE INDEX fund_movement_kind ON fund_movement (account_id, kind, at, id)",
    "CREATE INDEX fund_movement_call ON fund_movement (account_id, call_id, at, id) WHERE call_id IS NOT NULL",
    // Without openings, because an account keeps one for ever.
    "CREATE INDEX fund_movement_old ON fund_movement (at, id) WHERE kind <> 'opening'"
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
  // Before the first id is generated, so that it is one of the installation's cell.
  yield* alignIds
  yield* sql.unsafe(
    dialect.text(`INSERT INTO fund_movement (account_id, kind, amount, balance_after, at)
      SELECT id, 'opening', deposits - charges - holds, deposits - charges - holds, ${dialect.instant("?1")}
      FROM account WHERE deposits - charges - holds <> 0 ORDER BY id`),
    [dialect.time(yield* DateTime.now)]
  )
})
