import type { AccountId } from "@frontdesk/core/access/Account"
import { ContactErasureStore, type ErasureStep } from "@frontdesk/core/erasure/ContactErasureStore"
import * as ErasureSubject from "@frontdesk/core/erasure/ErasureSubject"
import { callContact } from "@frontdesk/core/call/QueuedCall"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hasContents, withoutContents } from "../call/MemoryToolCallStore.ts"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Returns the rows of a step that follow a place, and the result of the step. */
const step = <Row>(
  rows: ReadonlyArray<Row>,
  placeOf: (row: Row) => string,
  after: string | null,
  limit: number,
  isWanted: (row: Row) => boolean = () => true
): { readonly wanted: ReadonlyArray<Row>; readonly result: ErasureStep } => {
  const start = after === null ? 0 : rows.findIndex((row) => placeOf(row) === after) + 1
  const taken = rows.slice(start, start + limit)
  const wanted = taken.filter(isWanted)
  const last = taken.at(-1)
  const next = last === undefined || taken.length < limit ? null : placeOf(last)
  return { wanted, result: { count: wanted.length, after: next } }
}

const isOf = (name: string, accountId: AccountId): boolean => name.startsWith(`[${accountId},`)

/** The `ContactErasureStore` in memory. */
export const layer: Layer.Layer<ContactErasureStore, never, Database> = Layer.effect(
  ContactErasureStore,
  Effect.map(Database, (database) =>
    ContactErasureStore.of({
      link: ({ accountId, contactId, emails, numbers, writings }, limit) =>
        database.modify((state: State) => {
          const contact = Option.getOrUndefined(Table.get(state.contacts, contactId))
          if (contact === undefined) return changed(0, state)
          const calls = Table.where(
            state.calls,
            (row) => row.accountId === accountId && row.contact === null && numbers.includes(row.phoneNumber)
          ).slice(0, limit)
          const events = Table.where(
            state.calendarEvents,
            ({ contactId, customer: { email, phone }, ...row }) =>
              row.accountId === accountId &&
              contactId === null &&
              ([...numbers, ...writings].some((number) => number === phone) || emails.includes(email.toLowerCase()))
          ).slice(0, limit)
          return changed(calls.length + events.length, {
            ...state,
            calls: Table.replace(
              state.calls,
              calls.map((row) => [row.id, { ...row, contact: { ...callContact(contact), lastCallDate: null } }])
            ),
            calendarEvents: Table.replace(
              state.calendarEvents,
              events.map((row) => [row.id, { ...row, contactId }])
            )
          })
        }),
      calls: (contactId, after, limit) =>
        database.read((state) =>
          Table.where(state.calls, (row) => row.contact?.id === contactId && row.id > (after ?? 0))
            .slice(0, limit)
            .map(({ accountId, id }) => ({ accountId, id }))
        ),
      calendarEvents: (contactId, after, limit) =>
        database.read((state) =>
          Table.where(state.calendarEvents, (row) => row.contactId === contactId && row.id > (after ?? 0))
            .slice(0, limit)
            .map(({ accountId, id }) => ({ accountId, id }))
        ),
      clearToolCalls: ({ calendarEvents, calls }) =>
        database.modify((state) => {
          const rows = Table.where(
            state.toolCalls,
            (row) =>
              hasContents(row) &&
              ((row.call.callId !== null && calls.includes(row.call.callId)) ||
                (row.call.eventId !== null && calendarEvents.includes(row.call.eventId)))
          )
          return changed(rows.length, withoutContents(state, rows))
        }),
      dropMails: (ids) =>
        database.modify((state) => {
          const rows = Table.where(
            state.outbox,
            ({ work }) => work._tag === "Notify" && ids.includes(work.notification.event.id)
          )
          return changed(rows.length, {
            ...state,
            outbox: Table.removeAll(
              state.outbox,
              rows.map(({ id }) => id)
            )
          })
        }),
      clearDeliveries: (accountId, subjects, body, after, limit) =>
        database.modify((state) => {
          const rows = Table.where(
            state.deliveries,
            ({ event }) => event.accountId === accountId && subjects.includes(event.subject)
          )
          const { result, wanted } = step(rows, ({ key }) => String(key), after, limit)
          return changed(result, {
            ...state,
            deliveries: Table.replace(
              state.deliveries,
              wanted.map((row) => [
                row.key,
                { ...row, event: { ...row.event, body }, lastAnswer: row.lastAnswer === null ? null : "" }
              ])
            )
          })
        }),
      clearAnswers: (accountId, after, limit) =>
        database.modify((state) => {
          const rows = HashMap.toEntries(state.idempotencyKeys)
            .filter(([name]) => isOf(name, accountId))
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
          const { result, wanted } = step(
            rows,
            ([name]) => name,
            after,
            limit,
            ([, row]) => row.answer !== null
          )
          return changed(result, {
            ...state,
            idempotencyKeys: wanted.reduce(
              (keys, [name, row]) => HashMap.set(keys, name, { ...row, answer: null, executed: true }),
              state.idempotencyKeys
            )
          })
        }),
      dropRefused: (subject, after, limit) =>
        database.modify((state) => {
          const rows = Table.where(
            state.contactImports,
            ({ stored }) => stored.accountId === subject.accountId
          ).flatMap(({ refused, stored }) =>
            [...HashMap.values(refused)].toSorted((a, b) => a.line - b.line).map((line) => ({ id: stored.id, line }))
          )
          const { result, wanted } = step(
            rows,
            ({ id, line }) => `${id} ${line.line}`,
            after,
            limit,
            ({ line }) => ErasureSubject.occursIn(subject, Object.values(line.values))
          )
          return changed(result, {
            ...state,
            contactImports: wanted.reduce(
              (imports, { id, line }) =>
                Table.update(imports, id, (row) => ({ ...row, refused: HashMap.remove(row.refused, line.line) })),
              state.contactImports
            )
          })
        })
    })
  )
)
