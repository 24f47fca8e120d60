import { type Call, type CallContact, CallId } from "@frontdesk/core/call/Call"
import { callContact } from "@frontdesk/core/call/CallDraft"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { type CallFilter, type CallKey, CallStore, type DueCall } from "@frontdesk/core/call/CallStore"
import type { ContactId } from "@frontdesk/core/contact/Contact"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import * as Refs from "../storage/Refs.ts"
import type { CallRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const contactOf = (state: State, id: ContactId | null): CallContact | null =>
  id === null
    ? null
    : Option.match(Table.get(state.contacts, id), {
        onNone: () => null,
        onSome: callContact
      })

const toRow = ({ agent, contact, team, ...call }: Call): CallRow => ({
  ...call,
  agentId: agent.id,
  contactId: contact === null ? null : contact.id,
  teamId: team === null ? null : team.id
})

const show = (state: State, { agentId, contactId, teamId, ...call }: CallRow): Call => ({
  ...call,
  agent: Refs.agent(state, agentId) ?? { id: agentId, name: "", assistantId: "" },
  contact: contactOf(state, contactId),
  team: Refs.team(state, teamId)
})

const isNamed = (row: CallRow, key: CallKey): boolean =>
  "id" in key
    ? row.id === key.id
    : "callId" in key
      ? row.callId === key.callId
      : row.providerCallId === key.providerCallId

const rowOf = (state: State, key: CallKey): Option.Option<CallRow> =>
  Option.fromUndefinedOr(Table.where(state.calls, (row) => isNamed(row, key))[0])

const matches = (row: CallRow, filter: CallFilter): boolean =>
  (filter.status === undefined || row.status === filter.status) &&
  (filter.type === undefined || row.type === filter.type) &&
  (filter.agentId === undefined || row.agentId === filter.agentId) &&
  (filter.contactId === undefined || row.contactId === filter.contactId) &&
  (filter.phoneNumber === undefined || row.phoneNumber === filter.phoneNumber) &&
  (filter.from === undefined || DateTime.isGreaterThanOrEqualTo(row.createdAt, filter.from)) &&
  (filter.until === undefined || DateTime.isLessThan(row.createdAt, filter.until))

/** Calls in memory. */
export const layer: Layer.Layer<CallStore, never, Database> = Layer.effect(
  CallStore,
  Effect.map(Database, (database) =>
    CallStore.of({
      insert: (call) =>
        database.modify((state) => {
          if (Option.isSome(rowOf(state, { callId: call.callId }))) return duplicate("CallStore.insert", "callId")
          const [row, calls] = Table.insert(state.calls, (id) => toRow({ ...call, id: CallId.make(id) }))
          return changed(show(state, row), { ...state, calls })
        }),
      find: (scope, key) =>
        database.read((state) =>
          rowOf(state, key).pipe(
            Option.filter((row) => Refs.inScope(scope, row)),
            Option.map((row) => show(state, row))
          )
        ),
      // Transactions run one at a time, so that reading holds.
      findForUpdate: (key) => database.read((state) => Option.map(rowOf(state, key), (row) => show(state, row))),
      update: (call) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            calls: Table.update(state.calls, call.id, ({ accountId, agentId, contactId, teamId }) => ({
              ...toRow(call),
              accountId,
              agentId,
              contactId,
              teamId
            }))
          })
        ),
      list: (scope, filter, page) =>
        database.read((state) => {
          const rows = Table.where(state.calls, (row) => Refs.inScope(scope, row) && matches(row, filter))
          const newestFirst = rows.toSorted((a, b) => DateTime.Order(b.createdAt, a.createdAt) || b.id - a.id)
          return Page.map(Page.slice(newestFirst, page), (row) => show(state, row))
        }),
      countRunning: (accountId) =>
        database.read(
          (state) => Table.where(state.calls, (row) => row.accountId === accountId && !isTerminal(row.status)).length
        ),
      dueForReconciliation: (now, limit, after) =>
        database.read((state) =>
          Table.where(state.calls, () => true)
            .flatMap(({ id, reconcileAt }) =>
              reconcileAt !== null && DateTime.isLessThanOrEqualTo(reconcileAt, now) ? [{ id, reconcileAt }] : []
            )
            .filter((call) => after === undefined || byDue(call, after) > 0)
            .toSorted(byDue)
            .slice(0, limit)
        )
    })
  )
)

const byDue = (a: DueCall, b: DueCall): number => DateTime.Order(a.reconcileAt, b.reconcileAt) || a.id - b.id
