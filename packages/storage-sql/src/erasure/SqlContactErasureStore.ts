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
import * as SubjectLine from "../delivery/SubjectLine.ts"
import * as SubjectCondition from "./SubjectCondition.ts"

const CallKey = Schema.Struct({ id: CallId, accountId: AccountId })
const EventKey = Schema.Struct({ id: CalendarEventId, accountId: AccountId })
const DeliveryRow = Schema.Struct({ id: Schema.Int, eventId: Schema.Int })
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

// `after` is the place that the previous step returned, as JSON.
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
    const webhooks = database.first("ContactErasureStore.clearDeliveries", Column.Key)
    const deliveries = database.all("ContactErasureStore.clearDeliveries", DeliveryRow)
    const replaced = database.run("ContactErasureStore.clearDeliveries")
    const answers = database.all("ContactErasureStore.clearAnswers", AnswerKey)
    const forgotten = database.run("ContactErasureStore.clearAnswers")
    const refused = database.all("ContactErasureStore.dropRefused", RefusedRow)
    const deleted = database.run("ContactErasureStore.dropRefused")

    /** Returns an `UPDATE` that gives the contact `?3` to at most `?4` rows that a condition on `?1` and `?2` finds. */
    const link = (table: string, condition: string) =>
      `UPDATE ${table} SET contact_id = ?3 WHERE ${dialect.isOneOfRows("id", `SELECT id FROM ${table} WHERE ${condition} ORDER BY id LIMIT ?4`)} RETURNING id`

    const [linkCall, linkByNumber, linkByEmail] = [
      link("call", SubjectCondition.callOfNumber),
      link("calendar_event", SubjectCondition.eventOfNumber),
      link("calendar_event", SubjectCondition.eventOfEmail)
    ]

    /** The deliveries of the webhook `?1` about the subjects `?2` after the delivery `?3`, at most `?4`. */
    const deliveriesText = SubjectLine.lines
      .map((line) =>
        dialect.branch(
          `SELECT id, event_id FROM webhook_delivery
            WHERE webhook_id = ?1 AND ${dialect.isOneOfTexts("subject", "?2")} AND ${line} AND id > ?3`,
          SubjectLine.order,
          "?4"
        )
      )
      .join(" UNION ALL ")

    return ContactErasureStore.of({
      link: Effect.fnUntraced(function* ({ accountId, contactId, emails, numbers, writings }, limit) {
        let count = 0
        for (const number of numbers) {
          count += (yield* linked(linkCall, [accountId, number, contactId, limit])).length
        }
        for (const number of [...numbers, ...writings]) {
          count += (yield* linked(linkByNumber, [accountId, number, contactId, limit])).length
        }
        for (const email of emails) count += (yield* linked(linkByEmail, [accountId, email, contactId, limit])).length
        return count
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
          `SELECT id, event_id FROM (${deliveriesText}) AS page ORDER BY ${SubjectLine.order} LIMIT ?4`,
          [id, JSON.stringify(subjects), id === from.webhook ? from.delivery : 0, limit]
        )
        if (rows.length > 0) {
          const [eventIds, deliveryIds] = [rows.map((row) => row.eventId), rows.map((row) => row.id)]
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
        return { count: rows.length, after: deliveryPlace.write(next) } satisfies ErasureStep
      }, database.atomically("ContactErasureStore.clearDeliveries")),
      clearAnswers: Effect.fnUntraced(function* (accountId, after, limit) {
        const from = after === null ? { method: "", path: "", name: "" } : answerPlace.read(after)
        const rows = yield* answers(
          `SELECT method, path, name, body IS NOT NULL AS has_answer FROM idempotency_key
            WHERE account_id = ?1 AND (method, path, name) > (?2, ?3, ?4) ORDER BY method, path, name LIMIT ?5`,
          [accountId, from.method, from.path, from.name, limit]
        )
        const last = rows.at(-1)
        if (last === undefined) return { count: 0, after: null } satisfies ErasureStep
        yield* forgotten(
          `UPDATE idempotency_key SET executed = TRUE, status = NULL, body = NULL
            WHERE account_id = ?1 AND (method, path, name) > (?2, ?3, ?4) AND (method, path, name) <= (?5, ?6, ?7)
              AND body IS NOT NULL`,
          [accountId, from.method, from.path, from.name, last.method, last.path, last.name]
        )
        const isOver = rows.length < limit
        return {
          count: rows.filter(({ hasAnswer }) => hasAnswer).length,
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
