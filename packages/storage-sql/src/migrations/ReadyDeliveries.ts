import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/**
 * Adds the account of deliveries that are ready to be claimed, with an index of them and one
 * of the others.
 *
 * The column is NULL in existing rows and in rows that servers of an older version write, so neither database rewrites
 * the table. A claim makes such deliveries ready when they are due (`delivery/ReadyDeliveries.ts`).
 */
export const readyDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE webhook_delivery ADD COLUMN ready_account_id ${ClientDialect.of(sql).types.integer}`)
  yield* sql.unsafe(
    `CREATE INDEX webhook_delivery_ready ON webhook_delivery (ready_account_id, webhook_id)
      WHERE ready_account_id IS NOT NULL AND due_at IS NOT NULL`
  )
  yield* sql.unsafe(
    `CREATE INDEX webhook_delivery_waiting ON webhook_delivery (due_at, id)
      WHERE ready_account_id IS NULL AND due_at IS NOT NULL`
  )
})
