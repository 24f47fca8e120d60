import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/**
 * Adds the line of tasks of the outbox, and the account of those that are ready to be claimed, with an index of the ready
 * ones and one of the others.
 *
 * Existing tasks, and those that servers of an older version write, have the line `unknown` and are not ready. A
 * claim makes them ready when they are due (`outbox/OutboxClaim.ts`). So neither database rewrites the table.
 */
export const readyTasks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE outbox_task ADD COLUMN line ${types.text} NOT NULL DEFAULT 'unknown'`)
  yield* sql.unsafe(`ALTER TABLE outbox_task ADD COLUMN ready_account_id ${types.integer}`)
  yield* sql.unsafe(
    `CREATE INDEX outbox_task_ready ON outbox_task (ready_account_id, line, due_at, id)
      WHERE ready_account_id IS NOT NULL AND error IS NULL`
  )
  yield* sql.unsafe(
    `CREATE INDEX outbox_task_waiting ON outbox_task (due_at, id) WHERE ready_account_id IS NULL AND error IS NULL`
  )
})
