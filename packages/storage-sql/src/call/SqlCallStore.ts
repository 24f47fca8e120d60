import { type Call, CallId } from "@frontdesk/core/call/Call"
import { type CallFilter, type CallKey, CallStore } from "@frontdesk/core/call/CallStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import type { Bindings } from "../storage/Bindings.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as Owned from "../storage/Owned.ts"
import * as OwnedList from "../storage/OwnedList.ts"
import * as Write from "../storage/Write.ts"
import { CallRow, columns, select, toCall } from "./CallRow.ts"

const Id = Schema.Struct({ id: CallId })

const DueRow = Schema.Struct({ id: CallId, reconcileAt: Column.Time })

const dueText = (behind: string): string =>
  `SELECT id, reconcile_at FROM call WHERE reconcile_at IS NOT NULL AND reconcile_at <= ?1 ${behind}
    ORDER BY reconcile_at, id LIMIT ?2`

/** Calls in a SQL database. */
export const layer: Layer.Layer<CallStore, never, Database> = Layer.effect(
  CallStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const inScope = Owned.inScope(dialect, "call")
    const held = dialect.forUpdate("call")

    const inserted = database.one("CallStore.insert", Id)
    const insert = Write.inserter("call", " RETURNING id")
    const found = database.first("CallStore.find", CallRow)
    const foundHeld = database.first("CallStore.findForUpdate", CallRow)
    const updated = database.run("CallStore.update")
    const update = Write.updater("call")
    const list = OwnedList.make(database, {
      operation: "CallStore.list",
      table: "call",
      order: ["created_at"],
      direction: "DESC",
      type: "type",
      row: CallRow,
      select
    })
    const running = database.one("CallStore.countRunning", Column.Count)
    const due = database.all("CallStore.dueForReconciliation", DueRow)

    return CallStore.of({
      insert: (call) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: call.accountId,
              team_id: call.team?.id ?? null,
              agent_id: call.agent.id,
              contact_id: call.contact?.id ?? null,
              ...columns(dialect, call)
            })
          ),
          ({ id }): Call => ({ ...call, id })
        ),
      find: (scope, key) => {
        const [column, value] = named(key)
        return Effect.map(
          found(`${select} WHERE call.${column} = ?3 AND ${inScope} ORDER BY call.id LIMIT 1`, [
            ...Owned.params(scope),
            value
          ]),
          Option.map(toCall)
        )
      },
      findForUpdate: (key) => {
        const [column, value] = named(key)
        return Effect.map(
          foundHeld(`${select} WHERE call.${column} = ?1 ORDER BY call.id LIMIT 1${held}`, [value]),
          Option.map(toCall)
        )
      },
      update: (call) => updated(...update(columns(dialect, call), call.id)),
      list: (scope, filter, page) =>
        Effect.map(
          list(
            scope,
            {
              status: filter.status,
              type: filter.type,
              range: (bindings) => range(dialect, bindings, filter),
              conditions: (bindings) => conditions(bindings, filter)
            },
            page
          ),
          (found) => Page.map(found, toCall)
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
      dueForReconciliation: (now, limit, after) =>
        after === undefined
          ? due(dueText(""), [dialect.time(now), limit])
          : due(dueText("AND (reconcile_at, id) > (?3, ?4)"), [
              dialect.time(now),
              limit,
              dialect.time(after.reconcileAt),
              after.id
            ])
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
