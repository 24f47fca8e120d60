import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CallId } from "@frontdesk/core/call/Call"
import { DeliveryId, publicStatus } from "@frontdesk/core/delivery/Delivery"
import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { selectToolCall, ToolCallRow } from "../call/SqlToolCallStore.ts"
import { DeliveryRow } from "../delivery/DeliveryRow.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as SubjectLine from "../delivery/SubjectLine.ts"
import * as SubjectCondition from "./SubjectCondition.ts"

const CallKey = Schema.Struct({ id: CallId, at: Schema.Int })
const EventKey = Schema.Struct({ id: CalendarEventId, at: Schema.Int })
const DeliveryKey = Schema.Struct({ id: Schema.Int, deliveryId: DeliveryId, at: Schema.Int })
const WrittenRow = Schema.Struct({ written: Schema.String })
const SentRow = Schema.Struct({ ...DeliveryRow.fields, body: Schema.Uint8Array })

/** A row with its time in milliseconds. */
interface Timed {
  readonly id: number
  readonly at: number
}

/** Returns the newest rows of all queries, each row once. */
const newest = <Row extends Timed>(rows: ReadonlyArray<Row>, limit: number): ReadonlyArray<Row> =>
  [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => b.at - a.at || b.id - a.id).slice(0, limit)

/** The `ContactRecordStore` in a SQL database. */
export const layer: Layer.Layer<ContactRecordStore, never, Database> = Layer.effect(
  ContactRecordStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const calls = database.all("ContactRecordStore.calls", CallKey)
    const events = database.all("ContactRecordStore.calendarEvents", EventKey)
    const toolCalls = database.all("ContactRecordStore.toolCalls", ToolCallRow)
    const webhooks = database.all("ContactRecordStore.deliveries", Column.Key)
    const ofSubjects = database.all("ContactRecordStore.deliveries", DeliveryKey)
    const written = database.all("ContactRecordStore.writtenNumbers", WrittenRow)
    const delivery = database.first("ContactRecordStore.delivery", SentRow)

    /** Returns a query for the newest rows that meet a condition on `?1` and `?2`. */
    const select = (table: string, time: string, condition: string, limit: number) =>
      `SELECT id, ${time} AS at FROM ${table} WHERE ${condition} ORDER BY ${time} DESC, id DESC LIMIT ${limit}`

    const linked = "account_id = ?1 AND contact_id = ?2"

    return ContactRecordStore.of({
      writtenNumbers: (accountId, after, limit) =>
        Effect.map(
          written(
            `SELECT DISTINCT customer_phone AS written FROM calendar_event
              WHERE account_id = ?1 AND customer_phone <> '' AND customer_phone > ?2 ORDER BY customer_phone LIMIT ${limit}`,
            [accountId, after ?? ""]
          ),
          (rows) => rows.map((row) => row.written)
        ),
      calls: Effect.fnUntraced(function* ({ accountId, contactId, numbers }, limit) {
        const find = (condition: string, given: number | string) =>
          calls(select("call", "created_at", condition, limit), [accountId, given])
        const found = [...(yield* find(linked, contactId))]
        for (const number of numbers) found.push(...(yield* find(SubjectCondition.callOfNumber, number)))
        return newest(found, limit).map(({ id }) => id)
      }),
      calendarEvents: Effect.fnUntraced(function* ({ accountId, contactId, emails, numbers, writings }, limit) {
        const find = (condition: string, given: number | string) =>
          events(select("calendar_event", "end_time", condition, limit), [accountId, given])
        const found = [...(yield* find(linked, contactId))]
        for (const number of [...numbers, ...writings])
          found.push(...(yield* find(SubjectCondition.eventOfNumber, number)))
        for (const email of emails) found.push(...(yield* find(SubjectCondition.eventOfEmail, email)))
        return newest(found, limit).map(({ id }) => id)
      }),
      toolCalls: (accountId, ids, except, limit) =>
        toolCalls(
          `${selectToolCall} WHERE account_id = ?1 AND ${dialect.isOneOf("event_id", "?2")}
            AND (call_id IS NULL OR NOT ${dialect.isOneOf("call_id", "?3")}) ORDER BY id DESC LIMIT ${limit}`,
          [accountId, JSON.stringify(ids), JSON.stringify(except)]
        ),
      deliveries: Effect.fnUntraced(function* (accountId, subjects, limit) {
        const found: Array<typeof DeliveryKey.Type> = []
        for (const { id } of yield* webhooks("SELECT id FROM webhook WHERE account_id = ?1", [accountId]))
          for (const line of SubjectLine.lines)
            found.push(
              ...(yield* ofSubjects(
                `SELECT webhook_delivery.id, delivery_id, webhook_event.created_at AS at
                  FROM webhook_delivery JOIN webhook_event ON webhook_event.id = event_id
                  WHERE webhook_id = ?1 AND ${dialect.isOneOfTexts("subject", "?2")} AND ${line}
                  ORDER BY +webhook_delivery.id DESC LIMIT ${limit}`,
                [id, JSON.stringify(subjects)]
              ))
            )
        return newest(found, limit).map(({ deliveryId }) => deliveryId)
      }),
      delivery: (accountId, id) =>
        Effect.map(
          delivery(
            `SELECT webhook_delivery.id, delivery_id, webhook_id, webhook_event.name AS event_type, state,
                webhook_event.created_at, due_at, body
              FROM webhook_delivery
              JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
              WHERE delivery_id = ?1 AND webhook_event.account_id = ?2`,
            [id, accountId]
          ),
          Option.map(({ body, createdAt, deliveryId, dueAt, eventType, state, webhookId }) => ({
            id: deliveryId,
            webhookId,
            eventType,
            status: publicStatus(state, dueAt).status,
            createdAt,
            body
          }))
        )
    })
  })
)
