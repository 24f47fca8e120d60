import { AccountId } from "@frontdesk/core/access/Account"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { type ToolCall, ToolCallId } from "@frontdesk/core/call/ToolCall"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CallId } from "@frontdesk/core/call/Call"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import { hasContents } from "../migrations/Bookings.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const Id = Schema.Struct({ id: ToolCallId })

/** A stored tool call. */
export const ToolCallRow = Schema.Struct({
  id: ToolCallId,
  accountId: AccountId,
  callId: Schema.NullOr(CallId),
  conversation: SlotHolder,
  tool: Schema.String,
  arguments: Column.json(Schema.Json),
  answer: Column.json(Schema.Json),
  durationMillis: Schema.Int,
  at: Column.Time,
  eventId: Schema.NullOr(CalendarEventId)
})

/**
 * A `SELECT` of every column of {@link ToolCallRow}, to be followed by `WHERE`. The documents are texts, because the client of
 * PostgreSQL would return a document that is a text without its quotes.
 */
export const selectToolCall = `SELECT id, account_id, call_id, conversation, tool, CAST(arguments AS text) AS arguments,
  CAST(answer AS text) AS answer, duration_millis, at, event_id FROM tool_call`

const columns = (dialect: Dialect, call: Omit<ToolCall, "id">, digest: string): WriteStatements.Columns => ({
  account_id: call.accountId,
  call_id: call.callId,
  conversation: call.conversation,
  tool: call.tool,
  digest,
  arguments: JSON.stringify(call.arguments),
  answer: JSON.stringify(call.answer),
  duration_millis: call.durationMillis,
  at: dialect.time(call.at),
  event_id: call.eventId
})

/** Tool calls without a call from before `?1`. The index `tool_call_old` lists those without a call. */
const old = {
  table: "tool_call",
  key: ["id"],
  where: "call_id IS NULL AND at < ?1",
  order: "at, id",
  sized: ["arguments", "answer"]
}

/**
 * Tool calls with contents from before `?1` whose calls ended before `?1`. The index `tool_call_contents` lists those with
 * contents. The subquery runs for each row that it lists, until the step is full. With `EXISTS`, PostgreSQL could read all
 * calls instead.
 */
const spoken = {
  ...old,
  where: `call_id IS NOT NULL AND ${hasContents} AND at < ?1
    AND (SELECT ended_at FROM call WHERE call.id = tool_call.call_id) < ?1`
}

/** The `ToolCallStore` in a SQL database. */
export const layer: Layer.Layer<ToolCallStore, never, Database> = Layer.effect(
  ToolCallStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inserted = database.one("ToolCallStore.insert", Id)
    const insert = WriteStatements.inserter("tool_call", " RETURNING id")
    const last = database.lookUp("ToolCallStore.last", ToolCallRow)
    const ofCall = database.all("ToolCallStore.ofCall", ToolCallRow)
    const counted = database.one("ToolCallStore.countOfCall", Column.Count)

    return ToolCallStore.of({
      insert: (call, digest) =>
        Effect.map(inserted(...insert(columns(dialect, call, digest))), ({ id }) => ({ ...call, id })),
      last: ({ accountId, conversation, digest, tool }) =>
        last(
          `${selectToolCall} WHERE account_id = ?1 AND conversation = ?2 AND digest = ?3 AND tool = ?4
            ORDER BY id DESC LIMIT 1`,
          [accountId, conversation, digest, tool]
        ),
      ofCall: (accountId, callId, limit) =>
        ofCall(`${selectToolCall} WHERE call_id = ?1 AND account_id = ?2 ORDER BY at, id LIMIT ${limit}`, [
          callId,
          accountId
        ]),
      countOfCall: (accountId, callId) =>
        Effect.map(
          counted("SELECT count(*) AS count FROM tool_call WHERE call_id = ?1 AND account_id = ?2", [
            callId,
            accountId
          ]),
          ({ count }) => count
        ),
      sweep: SweepStatement.deletion(database, "ToolCallStore.sweep", old),
      sweepContents: SweepStatement.update(
        database,
        "ToolCallStore.sweepContents",
        spoken,
        "arguments = 'null', answer = 'null', digest = ''"
      )
    })
  })
)
