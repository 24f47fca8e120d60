import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as AccountTable from "./AccountTable.ts"
import { alignIds } from "./InstallationCell.ts"

/** The condition that the arguments or the answer of a tool call are stored. The JSON text `null` stands for neither. */
export const hasContents = "(CAST(arguments AS text) <> 'null' OR CAST(answer AS text) <> 'null')"

/** Adds the slot holds of accounts, and the tool calls of agents. */
export const bookings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  const { id, keys, reference } = AccountTable.of(sql)
  const statements = [
    `CREATE TABLE slot_hold (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      holder ${types.text} NOT NULL,
      start_time ${types.time} NOT NULL,
      end_time ${types.time} NOT NULL,
      expires_at ${types.time} NOT NULL${keys("slot_hold")}
    )${types.table}`,
    `CREATE UNIQUE INDEX slot_hold_holder ON slot_hold (account_id, holder, start_time, end_time)`,
    // Most holds are expired, until they are deleted. So the holds of an account are found by their expiry.
    `CREATE INDEX slot_hold_account ON slot_hold (account_id, expires_at, start_time, end_time, holder)`,
    `CREATE INDEX slot_hold_expired ON slot_hold (expires_at, id)`,

    // event_id: the calendar event that the tool has changed, which may be deleted meanwhile.
    `CREATE TABLE tool_call (
      id ${id},
      account_id ${types.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      call_id ${types.integer},
      conversation ${types.text} NOT NULL,
      tool ${types.text} NOT NULL,
      digest ${types.text} NOT NULL,
      duration_millis ${types.integer} NOT NULL,
      at ${types.time} NOT NULL,
      event_id ${types.integer},
      arguments ${types.json} NOT NULL,
      answer ${types.json} NOT NULL${keys("tool_call")}${reference("tool_call", "call_id", "call")}
    )${types.table}`,
    `CREATE INDEX tool_call_repeat ON tool_call (account_id, conversation, digest, tool, id)`,
    // The call first, because the tool calls of a deleted call are found by it alone.
    `CREATE INDEX tool_call_call ON tool_call (call_id, account_id, at, id) WHERE call_id IS NOT NULL`,
    `CREATE INDEX tool_call_old ON tool_call (at, id) WHERE call_id IS NULL`,
    // For the retention of the arguments and answers of calls.
    `CREATE INDEX tool_call_contents ON tool_call (at, id) WHERE call_id IS NOT NULL AND ${hasContents}`
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
  yield* alignIds
})
