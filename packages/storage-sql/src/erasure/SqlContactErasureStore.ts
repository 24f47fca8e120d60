import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CallId } from "@frontdesk/core/call/Call"
import { ContactImportId } from "@frontdesk/core/contact-file/ContactImport"
import { ContactErasureStore, type ErasureStep } from "@frontdesk/core/erasure/ContactErasureStore"
import * as ErasureSubject from "@frontdesk/core/erasure/ErasureSubject"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hasContents } from "../migrations/Bookings.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const CallKey = Schema.Struct({ id: CallId, accountId: AccountId })
const EventKey = Schema.Struct({ id: CalendarEventId, accountId: AccountId })
const WebhookKey = Schema.Struct({ id: Schema.Int })
const DeliveryRow = Schema.Struct({ id: Schema.Int, eventId: Schema.Int, subject: Schema.String })
const AnswerKey = Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  name: Schema.String,
  hasAnswer: Column.Flag
})
const RefusedRow = Schema.Struct({
  importId: ContactImportId,
  line: Schema.Int,
  cells: Column.json(Schema.Record(Schema.String, Schema.String))
})

const DeliveryPlace = Schema.fromJsonString(Schema.Struct({ webhook: Schema.Int, delivery: Schema.Int }))
const AnswerPlace = Schema.fromJsonString(
  Schema.Struct({ method: Schema.String, path: Schema.String, name: Schema.String })
)
const RefusedPlace = Schema.fromJsonString(Schema.Struct({ importId: Schema.Int, line: Schema.Int }))

// A place is the JSON that the step before has returned.
const deliveryPlace = { read: Schema.decodeSync(DeliveryPlace), write: Schema.encodeSync(DeliveryPlace) }
const answerPlace = { read: Schema.decodeSync(AnswerPlace), write: Schema.encodeSync(AnswerPlace) }
const refusedPlace = { read: Schema.decodeSync(RefusedPlace), write: Schema.encodeSync(RefusedPlace) }

/** The `ContactErasureStore` in a SQL database. */
export const layer: Layer.Layer<ContactErasureStore, never, Database> = Layer.effect(
  ContactErasureStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const linked = database.all("ContactErasureStore.link", Column.Found)
    const calls = database.all("ContactErasureStore.calls", CallKey)
    const events = database.all("ContactErasureStore.calendarEvents", EventKey)
    const cleared = database.all("ContactErasureStore.clearToolCalls", Column.Found)
    const dropped = database.all("ContactErasureStore.dropMails", Column.Found)
    const webhooks = database.first("ContactErasureStore.clearDeliveries", WebhookKey)
    const deliveries = database.all("ContactErasureStore.clearDeliveries", DeliveryRow)
    const replaced = database.run("ContactErasureStore.clearDeliveries")
    const answers = database.all("ContactErasureStore.clearAnswers", AnswerKey)
    const forgotten = database.run("ContactErasureStore.clearAnswers")
    const refused = database.all("ContactErasureStore.dropRefused", RefusedRow)
    const deleted = database.run("ContactErasureStore.dropRefused")

    /** Returns an `UPDATE` that gives the contact `?2` to the rows of the account `?1` that a condition finds. */
    const link = (table: string, condition: string) =>
      `UPDATE ${table} SET contact_id = ?2 WHERE id IN (
        SELECT id FROM ${table} WHERE account_id = ?1 AND contact_id IS NULL AND ${condition} ORDER BY id LIMIT ?4
      ) RETURNING id`

    return ContactErasureStore.of({
      link: Effect.fnUntraced(function* ({ accountId, contactId, emails, numbers }, limit) {
        const given = [accountId, contactId, JSON.stringify(numbers), limit]
        const byNumber = yield* linked(link("call", dialect.isOneOfTexts("phone_number", "?3")), given)
        const ofNumber = `customer_phone <> '' AND ${dialect.isOneOfTexts("customer_phone", "?3")}`
        const byPhone = yield* linked(link("calendar_event", ofNumber), given)
        const byEmail = yield* linked(
          link(
            "calendar_event",
            `customer_email_key IS NOT NULL AND ${dialect.isOneOfTexts("customer_email_key", "?3")}`
          ),
          [accountId, contactId, JSON.stringify(emails), limit]
        )
        return byNumber.length + byPhone.length + byEmail.length
      }, database.atomically("ContactErasureStore.link")),
      calls: (contactId, after, limit) =>
        calls("SELECT id, account_id FROM call WHERE contact_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3", [
          contactId,
          after ?? 0,
          limit
        ]),
      calendarEvents: (contactId, after, limit) =>
        events("SELECT id, account_id FROM calendar_event WHERE contact_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3", [
          contactId,
          after ?? 0,
          limit
        ]),
      clearToolCalls: Effect.fnUntraced(function* (traces) {
        const clear = (condition: string) =>
          `UPDATE tool_call SET arguments = 'null', answer = 'null', digest = '' WHERE ${condition} AND ${hasContents} RETURNING id`
        const ofCalls = yield* cleared(clear(dialect.isOneOf("call_id", "?1")), [JSON.stringify(traces.calls)])
        const ofEvents = yield* cleared(clear(dialect.isOneOf("event_id", "?1")), [
          JSON.stringify(traces.calendarEvents)
        ])
        return ofCalls.length + ofEvents.length
      }, database.atomically("ContactErasureStore.clearToolCalls")),
      dropMails: (ids) =>
        Effect.map(
          dropped(
            `DELETE FROM outbox_task WHERE ${dialect.isOneOf("event_id", "?1")} AND tag = 'Notify' RETURNING id`,
            [JSON.stringify(ids)]
          ),
          (rows) => rows.length
        ),
      clearDeliveries: Effect.fnUntraced(function* (accountId, subjects, body, after, limit) {
        const from = after === null ? { webhook: 0, delivery: 0 } : deliveryPlace.read(after)
        const webhook = yield* webhooks(
          "SELECT id FROM webhook WHERE account_id = ?1 AND id >= ?2 ORDER BY id LIMIT 1",
          [accountId, from.webhook]
        )
        if (Option.isNone(webhook)) return { count: 0, after: null } satisfies ErasureStep
        const { id } = webhook.value
        const rows = yield* deliveries(
          "SELECT id, event_id, subject FROM webhook_delivery WHERE webhook_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
          [id, id === from.webhook ? from.delivery : 0, limit]
        )
        const wanted = new Set(subjects)
        const found = rows.filter(({ subject }) => wanted.has(subject))
        if (found.length > 0) {
          const [eventIds, deliveryIds] = [found.map((row) => row.eventId), found.map((row) => row.id)]
          yield* replaced(`UPDATE webhook_event SET body = ?2 WHERE ${dialect.isOneOf("id", "?1")}`, [
            JSON.stringify(eventIds),
            body
          ])
          yield* replaced(
            `UPDATE webhook_attempt SET response_body = '' WHERE ${dialect.isOneOf("delivery_id", "?1")}`,
            [JSON.stringify(deliveryIds)]
          )
        }
        const last = rows.at(-1)
        const next =
          last === undefined || rows.length < limit
            ? { webhook: id + 1, delivery: 0 }
            : { webhook: id, delivery: last.id }
        return { count: found.length, after: deliveryPlace.write(next) } satisfies ErasureStep
      }, database.atomically("ContactErasureStore.clearDeliveries")),
      clearAnswers: Effect.fnUntraced(function* (accountId, after, limit) {
        const from = after === null ? { method: "", path: "", name: "" } : answerPlace.read(after)
        const rows = yield* answers(
          `SELECT method, path, name, body IS NOT NULL AS has_answer FROM idempotency_key
            WHERE account_id = ?1 AND (method, path, name) > (?2, ?3, ?4) ORDER BY method, path, name LIMIT ?5`,
          [accountId, from.method, from.path, from.name, limit]
        )
        const stored = rows.filter(({ hasAnswer }) => hasAnswer)
        for (const { method, name, path } of stored)
          yield* forgotten(
            `UPDATE idempotency_key SET executed = TRUE, status = NULL, body = NULL
              WHERE account_id = ?1 AND method = ?2 AND path = ?3 AND name = ?4`,
            [accountId, method, path, name]
          )
        const last = rows.at(-1)
        const isOver = last === undefined || rows.length < limit
        return {
          count: stored.length,
          after: isOver ? null : answerPlace.write({ method: last.method, path: last.path, name: last.name })
        } satisfies ErasureStep
      }, database.atomically("ContactErasureStore.clearAnswers")),
      dropRefused: Effect.fnUntraced(function* (subject, after, limit) {
        const from = after === null ? { importId: 0, line: 0 } : refusedPlace.read(after)
        const rows = yield* refused(
          `SELECT import_id, line, cells FROM contact_import_refused
            WHERE account_id = ?1 AND (import_id, line) > (?2, ?3) ORDER BY import_id, line LIMIT ?4`,
          [subject.accountId, from.importId, from.line, limit]
        )
        const found = rows.filter(({ cells }) => ErasureSubject.occursIn(subject, Object.values(cells)))
        for (const { importId, line } of found)
          yield* deleted("DELETE FROM contact_import_refused WHERE account_id = ?1 AND import_id = ?2 AND line = ?3", [
            subject.accountId,
            importId,
            line
          ])
        const last = rows.at(-1)
        const isOver = last === undefined || rows.length < limit
        return {
          count: found.length,
          after: isOver ? null : refusedPlace.write({ importId: last.importId, line: last.line })
        } satisfies ErasureStep
      }, database.atomically("ContactErasureStore.dropRefused"))
    })
  })
)
