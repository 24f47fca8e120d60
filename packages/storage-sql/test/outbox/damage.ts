import type { AccountId } from "@frontdesk/core/access/Account"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Replaces the stored work of all tasks of an account by a document that is not the work of a task. */
export const damage = (accountId: AccountId): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(sql`UPDATE outbox_task SET work = ${'{"_tag":"Later"}'} WHERE account_id = ${accountId}`)
  ).pipe(Effect.asVoid)
