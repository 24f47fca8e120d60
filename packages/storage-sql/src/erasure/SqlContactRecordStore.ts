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

const CallKey = Schema.Struct({ id: CallId, at: Schema.Int })
const EventKey = Schema.Struct({ id: CalendarEventId, at: Schema.Int })
const DeliveryKey = Schema.Struct({ id: Schema.Int, deliveryId: DeliveryId, at: Schema.Int })
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
    const examine = database.all("ContactRecordStore.deliveries", DeliveryKey)
    const beyond = database.first("ContactRecordStore.deliveries", Column.Found)
    const delivery = database.first("ContactRecordStore.delivery", SentRow)

    /** Returns a query for the newest rows of the account `?1` that meet a condition with `?2`. */
    const select = (table: string, time: string, condition: string, limit: number) =>
      `SELECT id, ${time} AS at FROM ${table} WHERE account_id = ?1 AND ${condition} ORDER BY ${time} DESC, id DESC LIMIT ${limit}`

    return ContactRecordStore.of({
      calls: Effect.fnUntraced(function* ({ accountId, contactId, numbers }, limit) {
        const linked = yield* calls(select("call", "created_at", "contact_id = ?2", limit), [accountId, contactId])
        const ofNumber = `contact_id IS NULL AND ${dialect.isOneOfTexts("phone_number", "?2")}`
        const byNumber = yield* calls(select("call", "created_at", ofNumber, limit), [
          accountId,
          JSON.stringify(numbers)
        ])
        return newest([...linked, ...byNumber], limit).map(({ id }) => id)
      }),
      calendarEvents: Effect.fnUntraced(function* ({ accountId, contactId, emails, numbers }, limit) {
        const find = (condition: string, given: number | string) =>
          events(select("calendar_event", "end_time", condition, limit), [accountId, given])
        const ofNumber = `contact_id IS NULL AND customer_phone <> '' AND ${dialect.isOneOfTexts("customer_phone", "?2")}`
        const ofEmail = `contact_id IS NULL AND customer_email_key IS NOT NULL AND ${dialect.isOneOfTexts("customer_email_key", "?2")}`
        const linked = yield* find("contact_id = ?2", contactId)
        const byNumber = yield* find(ofNumber, JSON.stringify(numbers))
        const byEmail = yield* find(ofEmail, JSON.stringify(emails))
        return newest([...linked, ...byNumber, ...byEmail], limit).map(({ id }) => id)
      }),
      toolCalls: (accountId, ids, except, limit) =>
        toolCalls(
          `${selectToolCall} WHERE account_id = ?1 AND ${dialect.isOneOf("event_id", "?2")}
            AND (call_id IS NULL OR NOT ${dialect.isOneOf("call_id", "?3")}) ORDER BY id DESC LIMIT ${limit}`,
          [accountId, JSON.stringify(ids), JSON.stringify(except)]
        ),
      deliveries: Effect.fnUntraced(function* (accountId, subjects, limit, examined) {
        const found: Array<typeof DeliveryKey.Type> = []
        let isCut = false
        for (const { id } of yield* webhooks("SELECT id FROM webhook WHERE account_id = ?1", [accountId])) {
          const rows = yield* examine(
            // The outer query reads the index rows of one webhook, and only then the subjects.
            `SELECT page.id, page.delivery_id, webhook_event.created_at AS at
              FROM (
                SELECT id, delivery_id, event_id, subject FROM webhook_delivery WHERE webhook_id = ?1
                ORDER BY id DESC LIMIT ${examined}
              ) AS page
              JOIN webhook_event ON webhook_event.id = page.event_id
              WHERE ${dialect.isOneOfTexts("page.subject", "?2")} ORDER BY page.id DESC LIMIT ${limit}`,
            [id, JSON.stringify(subjects)]
          )
          found.push(...rows)
          const next = yield* beyond(
            `SELECT id FROM webhook_delivery WHERE webhook_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${examined}`,
            [id]
          )
          isCut ||= Option.isSome(next)
        }
        return { ids: newest(found, limit).map(({ deliveryId }) => deliveryId), isCut }
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
