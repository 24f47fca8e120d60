import { type Call, CallId, shorten } from "@frontdesk/core/call/Call"
import { type CallFilter, CallStore, type CallWork } from "@frontdesk/core/call/CallStore"
import type { CallKey } from "@frontdesk/core/call/CallKey"
import type { Scope } from "@frontdesk/core/access/Scope"
import * as Page from "@frontdesk/core/values/Page"
import * as Text from "@frontdesk/core/values/Text"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import type { Bindings } from "../storage/WriteStatements.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import * as BoundedPage from "../storage/BoundedPage.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as LockedRow from "../storage/LockedRow.ts"
import * as OwnedRow from "../storage/OwnedRow.ts"
import * as OwnedList from "../storage/OwnedList.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import { CallRow, columns, largeColumns, isVisibleToAccount, select, snapshotColumns, toCall } from "./CallRow.ts"

const Id = Schema.Struct({ id: CallId })

/** The column with the time at which a call is due, for each kind of work. */
const dueColumns: Readonly<Record<CallWork, string>> = { reconcile: "reconcile_at", reserve: "reserve_at" }

/**
 * Calls that ended before `?1` and need no more reconciliation (D-STO-10). The index `call_ended` lists ended calls.
 */
const ended = {
  table: "call",
  key: ["id"],
  where: "reconcile_at IS NULL AND ended_at < ?1",
  order: "ended_at, id",
  sized: ["transcript"]
}

/** Calls that ended before `?1` with a transcript, summary or recording. The index `call_spoken` lists ended ones. */
const transcribed = {
  ...ended,
  where: "(transcript IS NOT NULL OR summary IS NOT NULL OR recording_url IS NOT NULL) AND ended_at < ?1"
}

/** The `CallStore` in a SQL database. */
export const layer: Layer.Layer<CallStore, never, Database> = Layer.effect(
  CallStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inScope = OwnedRow.inScope(dialect, "call")
    const selectInScope = select(OwnedRow.inScope(dialect, "contact"))

    const inserted = database.one("CallStore.insert", Id)
    const insert = WriteStatements.inserter("call", " RETURNING id")
    const existing = database.first("CallStore.insert", Column.Found)
    const existingText = `SELECT 1 AS found FROM contact WHERE contact.id = ?1${dialect.forReference("contact")}`
    const found = database.lookUp("CallStore.find", CallRow)
    const locked = LockedRow.first(database, "CallStore.findForUpdate", {
      row: CallRow,
      table: "call",
      select: select(isVisibleToAccount)
    })
    const anywhere = database.lookUp("CallStore.findAnywhere", CallRow)
    const selectAnywhere = select(isVisibleToAccount)
    const updated = database.run("CallStore.update")
    const update = WriteStatements.updater("call")
    const list = OwnedList.make(database, {
      operation: "CallStore.list",
      table: "call",
      order: ["created_at"],
      isIndexed: true,
      direction: "DESC",
      type: "type",
      row: CallRow,
      select: (inScope, large) => select(inScope("contact"), large),
      largeColumns
    })
    const running = database.one("CallStore.countRunning", Column.Count)
    const claimed = database.all("CallStore.claim", Id)
    const sweep = SweepStatement.deletion(database, "CallStore.sweep", ended)
    // The limit is part of the text: for a parameter PostgreSQL would plan as if a tenth of the table were read.
    const claimText = (column: string, limit: number) => {
      const due = `SELECT id FROM call WHERE ${column} IS NOT NULL AND ${column} <= ?1
        ORDER BY ${column}, id LIMIT ${limit}${dialect.skipLocked}`
      return `UPDATE call SET ${column} = ?2 WHERE ${dialect.isOneOfRows("id", due)} RETURNING id`
    }

    return CallStore.of({
      insert: Effect.fnUntraced(function* (given) {
        // The contact may have been deleted since it was read, and the foreign key would then reject the call. A lock
        // prevents the deletion of an existing contact until the call is stored.
        const isGone = given.contact !== null && Option.isNone(yield* existing(existingText, [given.contact.id]))
        const call = isGone ? { ...given, contact: null } : given
        const { id } = yield* inserted(...insert({ ...snapshotColumns(call), ...columns(dialect, call) }))
        return { ...call, id } satisfies Call
      }, database.atomically("CallStore.insert")),
      find: (scope, key) => {
        const [column, value] = named(key)
        return Effect.map(
          found(`${selectInScope} WHERE call.${column} = ?3 AND ${inScope} ORDER BY call.id LIMIT 1`, [
            ...OwnedRow.params(scope),
            value
          ]),
          Option.map(toCall)
        )
      },
      findForUpdate: (key) => {
        const [column, value] = named(key)
        return Effect.map(locked(`call.${column} = ?1 ORDER BY call.id LIMIT 1`, [value]), Option.map(toCall))
      },
      findAnywhere: (key) => {
        const [column, value] = named(key)
        return Effect.map(
          anywhere(`${selectAnywhere} WHERE call.${column} = ?1 ORDER BY call.id LIMIT 1`, [value]),
          Option.map(toCall)
        )
      },
      update: (call) => updated(...update(columns(dialect, call), call.id)),
      list: (scope, filter, page) =>
        Effect.flatMap(
          list(
            scope,
            {
              status: filter.status,
              type: filter.type,
              ranges: (bindings, owner) => [[owner, ...range(dialect, bindings, filter)]],
              // A search examines the calls of the owner, with and without a contact.
              isLookUp: filter.search !== undefined,
              conditions: (bindings) => [...conditions(bindings, filter), ...search(dialect, bindings, scope, filter)]
            },
            page
          ),
          (found) => BoundedPage.make(Page.map(found, toCall), shorten)
        ),
      countRunning: (accountId) =>
        Effect.map(
          running(
            `SELECT count(*) AS count FROM call
              WHERE account_id = ?1 AND status IN ('queued', 'ringing', 'in_progress')`,
            [accountId]
          ),
          ({ count }) => count
        ),
      claim: (work, now, leaseUntil, limit) =>
        Effect.map(claimed(claimText(dueColumns[work], limit), [dialect.time(now), dialect.time(leaseUntil)]), (rows) =>
          rows.map(({ id }) => id)
        ),
      sweep: (before, limit) =>
        // Deleting rows changes counts, which are locked in no fixed order. Two sweeps could deadlock, so they run one
        // after the other.
        Effect.andThen(database.lock("CallStore.sweep", 0), sweep(before, limit)).pipe(
          database.atomically("CallStore.sweep")
        ),
      sweepTranscripts: SweepStatement.update(
        database,
        "CallStore.sweepTranscripts",
        transcribed,
        "transcript = NULL, summary = NULL, recording_url = NULL"
      )
    })
  })
)

const named = (key: CallKey): readonly [column: string, value: string | number] =>
  "id" in key ? ["id", key.id] : "callId" in key ? ["call_id", key.callId] : ["provider_call_id", key.providerCallId]

const range = (dialect: Dialect, bindings: Bindings, { from, until }: CallFilter): ReadonlyArray<string> =>
  [
    from === undefined ? "" : `created_at >= ${bindings.add(dialect.time(from))}`,
    until === undefined ? "" : `created_at < ${bindings.add(dialect.time(until))}`
  ].filter((bound) => bound !== "")

const conditions = (bindings: Bindings, filter: CallFilter): ReadonlyArray<string> =>
  [
    filter.agentId === undefined ? "" : `agent_id = ${bindings.add(filter.agentId)}`,
    filter.contactId === undefined ? "" : `contact_id = ${bindings.add(filter.contactId)}`,
    filter.phoneNumber === undefined ? "" : `phone_number = ${bindings.add(filter.phoneNumber)}`
  ].filter((condition) => condition !== "")

/** Returns the condition that the number of a call, or its contact if the scope sees it, has the text of a search. */
const search = (
  dialect: Dialect,
  bindings: Bindings,
  scope: Scope,
  { search: text }: CallFilter
): ReadonlyArray<string> => {
  if (text === undefined) return []
  const [account, teams] = OwnedRow.params(scope).map(bindings.add)
  const found = dialect.occurs("contact.search_text", bindings.add(Text.searchForm(text)))
  return [
    `(${dialect.occurs("phone_number", bindings.add(text))} OR contact_id IN (SELECT contact.id FROM contact
      WHERE ${OwnedRow.inScope(dialect, "contact", account, teams)} AND ${found}))`
  ]
}
