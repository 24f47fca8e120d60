import type { AccountId } from "@frontdesk/core/access/Account"
import * as Steps from "@frontdesk/core/background/Steps"
import type { CallId } from "@frontdesk/core/call/Call"
import { ToolCallId } from "@frontdesk/core/call/ToolCall"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { State, ToolCallRow } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const bytesOf = ({ call }: ToolCallRow): number =>
  JSON.stringify(call.arguments).length + JSON.stringify(call.answer).length

/** Returns whether the arguments or the answer of a tool call are stored. */
export const hasContents = ({ call }: ToolCallRow): boolean => call.arguments !== null || call.answer !== null

/** Returns the state with the given tool calls without their arguments and answers. */
export const withoutContents = (state: State, rows: ReadonlyArray<ToolCallRow>): State => ({
  ...state,
  toolCalls: Table.replace(
    state.toolCalls,
    rows.map(({ call }) => [call.id, { call: { ...call, arguments: null, answer: null }, digest: "" }])
  )
})

const rowsOf = (state: State, accountId: AccountId, callId: CallId): ReadonlyArray<ToolCallRow> =>
  Table.where(state.toolCalls, ({ call }) => call.accountId === accountId && call.callId === callId)

/** Returns whether a tool call is from before an instant, and its call ended before it. */
const isOfEndedCall = (state: State, { call: { at, callId } }: ToolCallRow, before: DateTime.Utc): boolean =>
  callId !== null &&
  DateTime.isLessThan(at, before) &&
  Option.exists(
    Table.get(state.calls, callId),
    ({ endedAt }) => endedAt !== null && DateTime.isLessThan(endedAt, before)
  )

/** The `ToolCallStore` in memory. */
export const layer: Layer.Layer<ToolCallStore, never, Database> = Layer.effect(
  ToolCallStore,
  Effect.map(Database, (database) =>
    ToolCallStore.of({
      insert: (call, digest) =>
        database.modify((state) => {
          const [row, toolCalls] = Table.insert(state.toolCalls, (id): ToolCallRow => ({
            call: { ...call, id: ToolCallId.make(id) },
            digest
          }))
          return changed(row.call, { ...state, toolCalls })
        }),
      last: ({ accountId, conversation, digest, tool }) =>
        database.read((state) =>
          Arr.last(
            Table.where(
              state.toolCalls,
              (row) =>
                row.call.accountId === accountId &&
                row.call.conversation === conversation &&
                row.call.tool === tool &&
                row.digest === digest
            )
          ).pipe(Option.map(({ call }) => call))
        ),
      ofCall: (accountId, callId, limit) =>
        database.read((state) =>
          rowsOf(state, accountId, callId)
            .map(({ call }) => call)
            .toSorted((a, b) => DateTime.Order(a.at, b.at))
            .slice(0, limit)
        ),
      countOfCall: (accountId, callId) => database.read((state) => rowsOf(state, accountId, callId).length),
      sweep: (before, limit) =>
        database.modify((state) => {
          const old = Table.where(
            state.toolCalls,
            ({ call }) => call.callId === null && DateTime.isLessThan(call.at, before)
          )
            .toSorted((a, b) => DateTime.Order(a.call.at, b.call.at))
            .slice(0, limit.rows)
          const gone = Steps.within(old, limit.bytes, bytesOf)
          const ids = gone.map(({ call }) => call.id)
          return changed(gone.length, { ...state, toolCalls: Table.removeAll(state.toolCalls, ids) })
        }),
      sweepContents: (before, limit) =>
        database.modify((state) => {
          const old = Table.where(state.toolCalls, (row) => hasContents(row) && isOfEndedCall(state, row, before))
            .toSorted((a, b) => DateTime.Order(a.call.at, b.call.at))
            .slice(0, limit.rows)
          const cleared = Steps.within(old, limit.bytes, bytesOf)
          return changed(cleared.length, withoutContents(state, cleared))
        })
    })
  )
)
