import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import { publicStatus } from "@frontdesk/core/delivery/Delivery"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Arr from "effect/Array"
import type * as DateTime from "effect/DateTime"
import { Database } from "../storage/Database.ts"
import * as Table from "../storage/Table.ts"

/** Returns rows the newest first, those of the same time by their keys, highest first. */
const newest = <Row>(
  rows: ReadonlyArray<Row>,
  timeOf: (row: Row) => DateTime.Utc,
  keyOf: (row: Row) => number
): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => timeOf(b).epochMilliseconds - timeOf(a).epochMilliseconds || keyOf(b) - keyOf(a))

/** The `ContactRecordStore` in memory. */
export const layer: Layer.Layer<ContactRecordStore, never, Database> = Layer.effect(
  ContactRecordStore,
  Effect.map(Database, (database) =>
    ContactRecordStore.of({
      writtenNumbers: (accountId, after, limit) =>
        database.read((state) => {
          const rows = Table.where(state.calendarEvents, (row) => row.accountId === accountId)
          return [...new Set(rows.map(({ customer }) => customer.phone))]
            .filter((text) => text !== "" && text > (after ?? ""))
            .toSorted((a, b) => (a < b ? -1 : 1))
            .slice(0, limit)
        }),
      calls: ({ accountId, contactId, numbers }, limit) =>
        database.read((state) =>
          newest(
            Table.where(
              state.calls,
              (row) =>
                row.accountId === accountId &&
                (row.contact === null ? numbers.includes(row.phoneNumber) : row.contact.id === contactId)
            ),
            (row) => row.createdAt,
            (row) => row.id
          )
            .slice(0, limit)
            .map(({ id }) => id)
        ),
      calendarEvents: (subject, limit) =>
        database.read((state) =>
          newest(
            Table.where(
              state.calendarEvents,
              ({ accountId, contactId, customer: { email, phone } }) =>
                accountId === subject.accountId &&
                (contactId === null
                  ? [...subject.numbers, ...subject.writings].some((number) => number === phone) ||
                    subject.emails.includes(email.toLowerCase())
                  : contactId === subject.contactId)
            ),
            (row) => row.endTime,
            (row) => row.id
          )
            .slice(0, limit)
            .map(({ id }) => id)
        ),
      toolCalls: (accountId, events, except, limit) =>
        database.read((state) =>
          Table.where(
            state.toolCalls,
            ({ call }) =>
              call.accountId === accountId &&
              call.eventId !== null &&
              events.includes(call.eventId) &&
              !(call.callId !== null && except.includes(call.callId))
          )
            .map(({ call }) => call)
            .toReversed()
            .slice(0, limit)
        ),
      deliveries: (accountId, subjects, limit) =>
        database.read((state) =>
          newest(
            Table.where(
              state.deliveries,
              ({ event }) => event.accountId === accountId && subjects.includes(event.subject)
            ),
            ({ event }) => event.createdAt,
            ({ key }) => key
          )
            .slice(0, limit)
            .map(({ id }) => id)
        ),
      delivery: (accountId, id) =>
        database.read((state) =>
          Option.map(
            Arr.head(Table.where(state.deliveries, (row) => row.id === id && row.event.accountId === accountId)),
            ({ dueAt, event, state: stored, webhookId }) => ({
              id,
              webhookId,
              eventType: event.name,
              status: publicStatus(stored, dueAt).status,
              createdAt: event.createdAt,
              body: event.body
            })
          )
        )
    })
  )
)
