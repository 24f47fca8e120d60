import { AccountId } from "@frontdesk/core/access/Account"
import type { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { type AbandonedFilter, OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Bindings from "../storage/Bindings.ts"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { Work } from "./Work.ts"

const AbandonedRow = Schema.Struct({
  id: OutboxTaskId,
  accountId: Schema.NullOr(AccountId),
  attempts: Schema.Int,
  error: Schema.String,
  abandonedAt: Column.Time,
  work: Work
})

const WithdrawnRow = Schema.Struct({ id: OutboxTaskId, work: Work })

/** The account of the event that a task is about. */
const owner = `(SELECT account_id FROM calendar_event WHERE calendar_event.id =
  CAST(coalesce(outbox_task.work ->> 'eventId', outbox_task.work -> 'notification' -> 'event' ->> 'id') AS bigint))`

const conditions = (bindings: Bindings.Bindings, { accountId, id, tag }: AbandonedFilter): ReadonlyArray<string> => [
  "error IS NOT NULL",
  ...(id === undefined ? [] : [`id = ${bindings.add(id)}`]),
  ...(tag === undefined ? [] : [`work ->> '_tag' = ${bindings.add(tag)}`]),
  ...(accountId === undefined ? [] : [`${owner} = ${bindings.add(accountId)}`])
]

/** A page of the tasks that were set aside. Of an account or a kind, all of them are looked at. */
export const list = (database: Database["Service"]): OutboxStore["Service"]["abandoned"] => {
  const counted = database.one("OutboxStore.abandoned", Column.Count)
  const listed = database.all("OutboxStore.abandoned", AbandonedRow)
  return Effect.fnUntraced(function* (filter, page) {
    const bindings = Bindings.make()
    const where = conditions(bindings, filter).join(" AND ")
    const { count } = yield* counted(`SELECT count(*) AS count FROM outbox_task WHERE ${where}`, bindings.values)
    // Cut before the accounts are looked for, and with the limit in the text: of a parameter PostgreSQL assumes much more.
    const cut = `LIMIT ${page.limit} OFFSET ${bindings.add(Page.offset(page))}`
    const items = yield* listed(
      `SELECT id, ${owner} AS account_id, attempts, error, due_at AS abandoned_at, work
        FROM outbox_task WHERE ${where} ORDER BY id DESC ${cut}`,
      bindings.values
    )
    return { items, count, page: page.page, limit: page.limit }
  })
}

/** Removes tasks that were set aside. */
export const withdraw = (database: Database["Service"]): OutboxStore["Service"]["withdraw"] => {
  const withdrawn = database.all("OutboxStore.withdraw", WithdrawnRow)
  return (filter, before, limit) => {
    const bindings = Bindings.make()
    const where = [...conditions(bindings, filter), ...(before === null ? [] : [`id < ${bindings.add(before)}`])].join(
      " AND "
    )
    const text = `DELETE FROM outbox_task WHERE id IN (
        SELECT id FROM outbox_task WHERE ${where} ORDER BY id DESC LIMIT ${limit}${database.dialect.skipLocked}
      ) RETURNING id, work`
    return Effect.map(withdrawn(text, bindings.values), (tasks) => tasks.toSorted((a, b) => b.id - a.id))
  }
}
