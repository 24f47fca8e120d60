import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { type DeadLetterFilter, OutboxTaskId, stepOver } from "@frontdesk/core/outbox/OutboxTask"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Bindings, makeBindings } from "../storage/WriteStatements.ts"
import * as BoundedCount from "../storage/BoundedCount.ts"
import * as Column from "../storage/Column.ts"
import * as CountedPage from "../storage/CountedPage.ts"
import type { Database } from "../storage/Database.ts"
import * as LongRead from "../storage/LongRead.ts"
import * as OutboxWorkColumn from "./OutboxWorkColumn.ts"

const DeadLetterRow = Schema.Struct({
  id: OutboxTaskId,
  eventId: Schema.Union([CalendarEventId, Schema.Literal(OutboxWorkColumn.noEvent)]),
  accountId: AccountId,
  attempts: Schema.Int,
  error: Schema.String,
  deadLetteredAt: Column.Time,
  work: OutboxWorkColumn.Stored
})

/** In place of an account, for the reads of all accounts. */
const everyAccount = 0

const ExaminedRow = Schema.Struct({ id: OutboxTaskId, tag: Schema.String })

const RenewedRow = Schema.Struct({ id: OutboxTaskId, accountId: AccountId })

const conditions = (bindings: Bindings, { accountId, id, tag }: DeadLetterFilter): ReadonlyArray<string> => [
  "error IS NOT NULL",
  ...(id === undefined ? [] : [`id = ${bindings.add(id)}`]),
  ...(tag === undefined ? [] : [`tag = ${bindings.add(tag)}`]),
  ...(accountId === undefined ? [] : [`account_id = ${bindings.add(accountId)}`])
]

/**
 * Returns a function that reads a page of dead-lettered tasks. A filter by the kind of task examines all dead-lettered
 * tasks of the account, or of all accounts.
 */
export const list = (database: Database["Service"]): OutboxStore["Service"]["deadLettered"] => {
  const counted = database.one("OutboxStore.deadLettered", Column.Count)
  const listed = database.readable("OutboxStore.deadLettered", DeadLetterRow)
  return (filter, page) => {
    const bindings = makeBindings()
    const where = conditions(bindings, filter).join(" AND ")
    const countUpTo = (limit: string) =>
      counted(
        `SELECT count(*) AS count FROM (SELECT 1 AS one FROM outbox_task WHERE ${where}${limit}) AS counted`,
        bindings.values
      )
    const reader = filter.accountId ?? everyAccount
    const read = CountedPage.read(page, LongRead.count(reader, countUpTo), (offset) =>
      Effect.map(
        LongRead.ofRows(
          reader,
          offset + page.limit,
          // The limit is part of the text: for a parameter PostgreSQL would assume a much larger limit.
          listed(
            `SELECT id, event_id, account_id, attempts, error, due_at AS dead_lettered_at, work
              FROM outbox_task WHERE ${where} ORDER BY id DESC LIMIT ${page.limit} OFFSET ?${bindings.values.length + 1}`,
            [...bindings.values, offset]
          )
        ),
        (rows) =>
          rows.map(({ eventId, ...row }) => ({
            ...row,
            eventId: eventId === OutboxWorkColumn.noEvent ? null : eventId,
            work: Result.getOrNull(OutboxWorkColumn.decode(row.work))
          }))
      )
    )
    // No index has the kinds, so all dead-lettered tasks of the account may be examined.
    return filter.tag === undefined ? read : LongRead.by(reader)(read)
  }
}

/** Returns a function that counts the waiting tasks, and the dead-lettered ones by tag. */
export const count = (database: Database["Service"]): OutboxStore["Service"]["count"] => {
  const waitingUpTo = BoundedCount.make(database, "OutboxStore.count", "outbox_task", [
    ["ready_account_id IS NOT NULL AND error IS NULL", "ready_account_id"],
    ["ready_account_id IS NULL AND error IS NULL", "due_at"]
  ])
  const byTag = database.all("OutboxStore.count", Schema.Struct({ tag: Schema.String, ...Column.Count.fields }))
  return Effect.fnUntraced(function* (max) {
    const rows = yield* byTag(
      `SELECT tag, count(*) AS count FROM (SELECT tag FROM outbox_task WHERE error IS NOT NULL ORDER BY due_at LIMIT ${max}) AS counted
        GROUP BY tag ORDER BY tag`,
      []
    )
    return { waiting: yield* waitingUpTo(max), deadLettered: new Map(rows.map(({ count, tag }) => [tag, count])) }
  })
}

/**
 * Returns a function that replaces dead-lettered tasks by new tasks with the same work, newest first. It does not
 * search by kind: no index has it, so a step would examine every task of the account where few tasks have the kind.
 */
export const renew = (database: Database["Service"]): OutboxStore["Service"]["renew"] => {
  const { dialect } = database
  const examinedRows = database.all("OutboxStore.renew", ExaminedRow)
  const found = database.all("OutboxStore.renew", RenewedRow)
  const run = database.run("OutboxStore.renew")
  const lockText = `SELECT id, account_id FROM outbox_task
    WHERE ${dialect.isOneOf("id", "?1")} AND error IS NOT NULL ORDER BY id DESC${dialect.skipLocked}`
  const addText = `INSERT INTO outbox_task (account_id, ready_account_id, due_at, tag, line, event_id, work)
    SELECT account_id, account_id, ${dialect.instant("?2")}, tag, line, event_id, work FROM outbox_task
    WHERE ${dialect.isOneOf("id", "?1")} ORDER BY id`
  const removeText = `DELETE FROM outbox_task WHERE ${dialect.isOneOf("id", "?1")}`
  return Effect.fnUntraced(function* ({ tag, ...filter }, before, limit, dueAt) {
    const bindings = makeBindings()
    const where = [...conditions(bindings, filter), ...(before === null ? [] : [`id < ${bindings.add(before)}`])].join(
      " AND "
    )
    const examined = yield* examinedRows(
      `SELECT id, tag FROM outbox_task WHERE ${where} ORDER BY id DESC LIMIT ${limit}`,
      bindings.values
    )
    const wanted = examined.flatMap((row) => (tag === undefined || row.tag === tag ? [row.id] : []))
    const rows = wanted.length === 0 ? [] : yield* found(lockText, [JSON.stringify(wanted)])
    const ids = JSON.stringify(rows.map(({ id }) => id))
    if (rows.length > 0) yield* run(addText, [ids, dialect.time(dueAt)])
    if (rows.length > 0) yield* run(removeText, [ids])
    return stepOver(
      examined.map(({ id }) => id),
      limit,
      rows
    )
  }, database.inTransaction("OutboxStore.renew"))
}
