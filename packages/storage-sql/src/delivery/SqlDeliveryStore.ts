import { AccountId } from "@frontdesk/core/access/Account"
import {
  DeliveryId,
  type DeliveryStatus,
  maxAttempts,
  maxListed,
  type NewWebhookEvent
} from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Page from "@frontdesk/core/values/Page"
import * as SubjectLine from "./SubjectLine.ts"
import * as CappedPage from "../storage/CappedPage.ts"
import * as Column from "../storage/Column.ts"
import * as BoundedCount from "../storage/BoundedCount.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"
import * as DeliveryCancellation from "./DeliveryCancellation.ts"
import { deletedWebhooks } from "./ClaimCondition.ts"
import { RequestRow, requestText, toRequest } from "./ClaimedRow.ts"
import { AttemptRow, DeliveryRow, select, shownStatus, toDeliveries } from "./DeliveryRow.ts"
import * as WebhookPurge from "./WebhookPurge.ts"
import * as Redelivery from "./Redelivery.ts"
import { ofAccount } from "./Redelivery.ts"
import * as WebhookEventSweep from "./WebhookEventSweep.ts"

const Owner = Schema.Struct({ accountId: AccountId, webhookId: WebhookId })

const AnswerRow = Schema.Struct({ deliveryId: DeliveryId, responseBody: Schema.String })

/** Returns the condition for listed deliveries of the webhook `?1`. An index has them in the order of their keys. */
const isListed = (status: Option.Option<DeliveryStatus>): string =>
  Option.match(status, {
    onNone: () => "webhook_id = ?1",
    onSome: (only) => `webhook_id = ?1 AND ${shownStatus} = '${only}'`
  })

/**
 * Selects the deliveries about the subject `?2` to the webhooks of the account `?1`. Two indexes have all deliveries of a
 * webhook by their subject.
 */
const about = SubjectLine.lines
  .map(
    (line) => `SELECT webhook_delivery.id FROM webhook
      CROSS JOIN webhook_delivery
      WHERE webhook.account_id = ?1 AND webhook.deleted_at IS NULL AND webhook_id = webhook.id AND subject = ?2 AND ${line}`
  )
  .join(" UNION ALL ")

/** The `DeliveryStore` in a SQL database. */
export const layer: Layer.Layer<DeliveryStore, never, Database> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database

    const added = database.send("DeliveryStore.add")
    const addEvent = WriteStatements.inserter("webhook_event")
    const addDeliveriesText = `INSERT INTO webhook_delivery
        (account_id, delivery_id, event_id, webhook_id, subject, state, kind, due_at, ready_account_id, results, claims,
          attempts)
      SELECT CAST(?4 AS bigint), record.delivery_id, ${dialect.lastId("webhook_event")}, record.webhook_id, ?1, 'pending',
        'automatic', ${dialect.instant("?2")}, CAST(?4 AS bigint), 0, 0, 0
      FROM ${dialect.records("record", "?3", { position: "integer", delivery_id: "text", webhook_id: "integer" })}
      ORDER BY record.position`

    /** Returns a function that adds the newest attempts to deliveries. */
    const withAttempts = (operation: string, read: "all" | "readable") => {
      const attempts = database[read](operation, AttemptRow)
      const text = `SELECT webhook_attempt.delivery_id, number, webhook_attempt.kind, started_at, duration_ms, status_code,
          error
        FROM webhook_delivery
        JOIN webhook_attempt ON webhook_attempt.delivery_id = webhook_delivery.id
          AND webhook_attempt.number > webhook_delivery.attempts - ${maxAttempts}
        WHERE ${dialect.isOneOf("webhook_delivery.id", "?1")} ORDER BY webhook_attempt.delivery_id, number`
      return (rows: ReadonlyArray<typeof DeliveryRow.Type>) =>
        rows.length === 0
          ? Effect.succeed([])
          : Effect.map(attempts(text, [JSON.stringify(rows.map((row) => row.id))]), (found) =>
              toDeliveries(rows, found)
            )
    }
    const counted = database.one("DeliveryStore.list", Column.Count)
    const listed = database.readable("DeliveryStore.list", DeliveryRow)
    const listedAttempts = withAttempts("DeliveryStore.list", "readable")

    /** Returns a page of the deliveries whose ids `ids` selects with `given`, newest first. */
    const list = Effect.fnUntraced(function* (
      accountId: AccountId,
      ids: string,
      given: ReadonlyArray<number | string>,
      page: Page.PageRequest
    ) {
      const found = yield* CappedPage.read(accountId, maxListed, page, {
        countUpTo: (limit) =>
          counted(`SELECT count(*) AS count FROM (SELECT id FROM (${ids}) AS found LIMIT ${limit}) AS counted`, given),
        rows: (limit, offset) =>
          listed(
            // The page is found in the index alone, so that skipped rows cost no look-up.
            `${select} WHERE webhook_delivery.id IN (SELECT id FROM (
              SELECT id FROM (${ids}) AS found ORDER BY id DESC LIMIT ${limit} OFFSET ?${given.length + 1}
            ) AS page) ORDER BY webhook_delivery.id DESC`,
            [...given, offset]
          )
      })
      return { ...found, items: yield* listedAttempts(found.items) }
    })
    const found = database.all("DeliveryStore.find", DeliveryRow)
    const foundAttempts = withAttempts("DeliveryStore.find", "all")

    const backlog = database.one("DeliveryStore.backlog", Column.Count)
    const located = database.first("DeliveryStore.locate", Owner)
    const requested = database.first("DeliveryStore.request", RequestRow)
    const answers = database.all("DeliveryStore.lastAnswers", AnswerRow)
    // The query starts from the wanted ids, because a webhook may have millions of deliveries.
    const answersText = `SELECT webhook_delivery.delivery_id, webhook_attempt.response_body
      FROM ${dialect.records("wanted", "?3", { delivery_id: "text" })}
      CROSS JOIN webhook_delivery
      JOIN webhook_attempt ON webhook_attempt.delivery_id = webhook_delivery.id
        AND webhook_attempt.number = webhook_delivery.attempts
      WHERE webhook_delivery.delivery_id = wanted.delivery_id AND webhook_delivery.webhook_id = ?1 AND ${ofAccount}`

    const add = Effect.fnUntraced(function* (event: NewWebhookEvent) {
      const { accountId, body, createdAt, deliveries, name, subject } = event
      yield* added(...addEvent({ account_id: accountId, name, created_at: dialect.time(createdAt), body }))
      yield* added(addDeliveriesText, [
        subject,
        dialect.time(createdAt),
        JSON.stringify(
          deliveries.map(({ id, webhookId }, position) => ({ position, delivery_id: id, webhook_id: webhookId }))
        ),
        accountId
      ])
    }, database.inTransaction("DeliveryStore.add"))

    return DeliveryStore.of({
      add: (event) => (event.deliveries.length === 0 ? Effect.void : add(event)),
      list: (accountId, webhookId, status, page) =>
        list(
          accountId,
          `SELECT id FROM webhook_delivery WHERE ${isListed(status)} AND ${ofAccount}`,
          [webhookId, accountId],
          page
        ),
      listAbout: (accountId, subject, page) => list(accountId, about, [accountId, subject], page),
      find: Effect.fnUntraced(function* (accountId, webhookId, id) {
        const rows = yield* found(`${select} WHERE delivery_id = ?3 AND webhook_id = ?1 AND ${ofAccount}`, [
          webhookId,
          accountId,
          id
        ])
        return Option.fromUndefinedOr((yield* foundAttempts(rows))[0])
      }),
      redeliver: Redelivery.one(database),
      redeliverFailed: Redelivery.failed(database),
      cancelOpen: DeliveryCancellation.make(database, "DeliveryStore.cancelOpen"),
      backlog: (webhookId) =>
        Effect.map(
          backlog(
            `SELECT count(*) AS count FROM webhook_delivery
              WHERE webhook_id = ?1 AND due_at IS NOT NULL AND webhook_id NOT IN ${deletedWebhooks}`,
            [webhookId]
          ),
          (row) => row.count
        ),
      countOpen: BoundedCount.make(database, "DeliveryStore.countOpen", "webhook_delivery", [
        ["ready_account_id IS NOT NULL AND due_at IS NOT NULL", "ready_account_id"],
        ["ready_account_id IS NULL AND due_at IS NOT NULL", "due_at"]
      ]),
      locate: (id) =>
        located(
          `SELECT account_id, webhook_id FROM webhook_delivery
            WHERE delivery_id = ?1 AND webhook_id NOT IN ${deletedWebhooks}`,
          [id]
        ),
      request: (accountId, webhookId, id) =>
        Effect.map(requested(requestText, [webhookId, accountId, id]), Option.map(toRequest)),
      lastAnswers: (accountId, webhookId, ids) =>
        Effect.map(
          answers(answersText, [webhookId, accountId, JSON.stringify(ids.map((id) => ({ delivery_id: id })))]),
          (rows) => new Map(rows.map((row) => [row.deliveryId, row.responseBody]))
        ),
      sweep: WebhookEventSweep.make(database),
      purge: WebhookPurge.make(database)
    })
  })
)
