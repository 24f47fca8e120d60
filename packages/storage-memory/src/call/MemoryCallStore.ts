import type { Scope } from "@frontdesk/core/access/Scope"
import { type Call, type CallContact, CallId, shorten } from "@frontdesk/core/call/Call"
import { callContact } from "@frontdesk/core/call/QueuedCall"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { type CallFilter, CallStore, type CallWork } from "@frontdesk/core/call/CallStore"
import type { CallKey } from "@frontdesk/core/call/CallKey"
import * as Page from "@frontdesk/core/values/Page"
import { type StepLimit, within } from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isFound } from "../contact/MemoryContactStore.ts"
import { changed, Database, duplicate } from "../storage/Database.ts"
import * as Parts from "../statistics/Parts.ts"
import * as References from "../storage/References.ts"
import type { CallRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Returns the contact as it is now if it is in the scope, otherwise the snapshot of the call. */
const contactOf = (state: State, scope: Scope, snapshot: CallContact | null): CallContact | null =>
  snapshot === null
    ? null
    : Table.get(state.contacts, snapshot.id).pipe(
        Option.filter((contact) => References.inScope(scope, contact)),
        Option.match({ onNone: () => snapshot, onSome: callContact })
      )

const toRow = ({ contact, team, ...call }: Call): CallRow => ({
  ...call,
  contact: contact === null ? null : { ...contact, lastCallDate: null },
  teamId: team === null ? null : team.id
})

const show = (state: State, scope: Scope, { teamId, ...call }: CallRow): Call => ({
  ...call,
  contact: contactOf(state, scope, call.contact),
  team: References.team(state, teamId)
})

const isNamed = (row: CallRow, key: CallKey): boolean =>
  "id" in key
    ? row.id === key.id
    : "callId" in key
      ? row.callId === key.callId
      : row.providerCallId === key.providerCallId

const rowOf = (state: State, key: CallKey): Option.Option<CallRow> =>
  Option.fromUndefinedOr(Table.where(state.calls, (row) => isNamed(row, key))[0])

/** Returns whether the number of a call, or its contact if the scope sees it, has a text. */
const isSearched = (state: State, scope: Scope, { contact, phoneNumber }: CallRow, text: string): boolean =>
  phoneNumber.includes(text) ||
  (contact !== null &&
    Table.get(state.contacts, contact.id).pipe(
      Option.filter((row) => References.inScope(scope, row)),
      Option.exists((row) => isFound(row, text))
    ))

const matches = (row: CallRow, filter: CallFilter): boolean =>
  (filter.status === undefined || row.status === filter.status) &&
  (filter.type === undefined || row.type === filter.type) &&
  (filter.agentId === undefined || row.agent.id === filter.agentId) &&
  (filter.contactId === undefined || row.contact?.id === filter.contactId) &&
  (filter.phoneNumber === undefined || row.phoneNumber === filter.phoneNumber) &&
  (filter.from === undefined || DateTime.isGreaterThanOrEqualTo(row.createdAt, filter.from)) &&
  (filter.until === undefined || DateTime.isLessThan(row.createdAt, filter.until))

const isListed = (state: State, scope: Scope, row: CallRow, filter: CallFilter): boolean =>
  References.inScope(scope, row) &&
  matches(row, filter) &&
  (filter.search === undefined || isSearched(state, scope, row, filter.search))

/** Returns the calls to sweep that ended before a time, oldest first, up to the limits of a step. */
const endedBefore = (
  state: State,
  before: DateTime.Utc,
  limit: StepLimit,
  isSwept: (row: CallRow) => boolean
): ReadonlyArray<CallRow> => {
  const old = Table.where(state.calls, isSwept)
    .flatMap((row) =>
      row.endedAt !== null && DateTime.isLessThan(row.endedAt, before) ? [{ row, endedAt: row.endedAt }] : []
    )
    .toSorted((a, b) => DateTime.Order(a.endedAt, b.endedAt) || a.row.id - b.row.id)
    .map(({ row }) => row)
  return within(old.slice(0, limit.rows), limit.bytes, ({ transcript }) => transcript?.length ?? 0)
}

/** Returns the tool calls that belong to none of the given calls. */
const withoutCalls = (toolCalls: State["toolCalls"], ids: ReadonlySet<CallId>): State["toolCalls"] => ({
  ...toolCalls,
  rows: HashMap.filter(toolCalls.rows, ({ call }) => call.callId === null || !ids.has(call.callId))
})

/** Returns a function that finds a call of any account. */
const anywhere =
  (database: Database["Service"]): CallStore["Service"]["findAnywhere"] =>
  (key) =>
    database.read((state) =>
      Option.map(rowOf(state, key), (row) => show(state, References.scopeOf(state, row.accountId), row))
    )

/** The `CallStore` in memory. */
export const layer: Layer.Layer<CallStore, never, Database> = Layer.effect(
  CallStore,
  Effect.map(Database, (database) =>
    CallStore.of({
      insert: (given) =>
        database.modify((state) => {
          if (Option.isSome(rowOf(state, { callId: given.callId }))) return duplicate("CallStore.insert", "callId")
          const isGone = given.contact !== null && Option.isNone(Table.get(state.contacts, given.contact.id))
          const call = isGone ? { ...given, contact: null } : given
          const [row, calls] = Table.insert(state.calls, (id) => toRow({ ...call, id: CallId.make(id) }))
          return changed({ ...call, id: row.id }, Parts.ofCall({ ...state, calls }, null, row))
        }),
      find: (scope, key) =>
        database.read((state) =>
          rowOf(state, key).pipe(
            Option.filter((row) => References.inScope(scope, row)),
            Option.map((row) => show(state, scope, row))
          )
        ),
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: anywhere(database),
      findAnywhere: anywhere(database),
      update: (call) =>
        database.modify((state) => {
          const before = Option.getOrUndefined(Table.get(state.calls, call.id))
          if (before === undefined) return changed(undefined, state)
          const { accountId, agent, contact, teamId } = before
          const after: CallRow = { ...toRow(call), accountId, agent, contact, teamId }
          const calls = Table.update(state.calls, call.id, () => after)
          return changed(undefined, Parts.ofCall({ ...state, calls }, before, after))
        }),
      list: (scope, filter, page) =>
        database.read((state) => {
          const rows = Table.where(state.calls, (row) => isListed(state, scope, row, filter))
          const newestFirst = rows.toSorted((a, b) => DateTime.Order(b.createdAt, a.createdAt) || b.id - a.id)
          const shown = Page.map(Page.slice(newestFirst, page), (row) => show(state, scope, row))
          return Page.bounded(shown, shorten)
        }),
      countRunning: (accountId) =>
        database.read(
          (state) => Table.where(state.calls, (row) => row.accountId === accountId && !isTerminal(row.status)).length
        ),
      claim: (work, now, leaseUntil, limit) =>
        database.modify((state) => {
          const column = dueColumns[work]
          const ids = Table.where(state.calls, () => true)
            .flatMap(({ id, [column]: dueAt }) =>
              dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, now) ? [{ id, dueAt }] : []
            )
            .toSorted((a, b) => DateTime.Order(a.dueAt, b.dueAt) || a.id - b.id)
            .slice(0, limit)
            .map(({ id }) => id)
          const lease = (row: CallRow): CallRow => ({ ...row, [column]: leaseUntil })
          const calls = ids.reduce((all, id) => Table.update(all, id, lease), state.calls)
          return changed(ids, { ...state, calls })
        }),
      sweep: (before, limit) =>
        database.modify((state) => {
          const gone = endedBefore(state, before, limit, (row) => row.reconcileAt === null)
          const ids = gone.map(({ id }) => id)
          return changed(gone.length, {
            ...state,
            calls: Table.removeAll(state.calls, ids),
            toolCalls: withoutCalls(state.toolCalls, new Set(ids))
          })
        }),
      sweepTranscripts: (before, limit) =>
        database.modify((state) => {
          const hasTexts = ({ recordingUrl, summary, transcript }: CallRow) =>
            [recordingUrl, summary, transcript].some((text) => text !== null)
          const old = endedBefore(state, before, limit, hasTexts)
          const wipe = (row: CallRow): CallRow => ({ ...row, transcript: null, summary: null, recordingUrl: null })
          const calls = old.reduce((all, { id }) => Table.update(all, id, wipe), state.calls)
          return changed(old.length, { ...state, calls })
        })
    })
  )
)

/** The field with the time at which a call is due, for each kind of work. */
const dueColumns = { reconcile: "reconcileAt", reserve: "reserveAt" } as const satisfies Record<CallWork, keyof CallRow>
