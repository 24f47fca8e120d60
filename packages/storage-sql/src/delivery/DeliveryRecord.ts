import { AccountId } from "@frontdesk/core/access/Account"
import type { DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as DisabledWebhook from "@frontdesk/core/delivery/DisabledWebhook"
import * as RetryPlan from "@frontdesk/core/delivery/RetryPlan"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AuditStatement from "../audit/AuditStatement.ts"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as DeliveryCancellation from "./DeliveryCancellation.ts"

const operation = "DeliveryQueue.record"

const MovedRow = Schema.Struct({ id: Schema.Int, leaseId: Schema.String, accountId: AccountId, attempts: Schema.Int })

// A status of a newer version is read and written unchanged. It must not prevent results of the webhook from being
// recorded.
const WebhookRow = Schema.Struct({ id: WebhookId, url: Schema.String, status: Schema.String })

/**
 * Returns a function that records results. Four statements record any number of results. They lock the webhooks, change
 * the state of the deliveries that are still leased, add the attempts, and update what each webhook shows. If a result
 * disables a webhook, the other deliveries of the webhook are cancelled.
 *
 * A webhook that another transaction has locked is skipped, because that transaction may last. The results of that
 * webhook are deferred; all other results are recorded (D-DEL-21).
 *
 * All code that writes webhooks and deliveries locks in one order: webhooks, then deliveries, then webhook events, each
 * by ascending id (`Dialect.lockedInOrder`). So transactions cannot deadlock (D-PG-15). A claim, a sweep and a release
 * lock deliveries of many webhooks without their webhooks. They skip locked rows and wait for no transaction (D-PG-19).
 * A transaction that publishes only references webhooks, which does not block a transaction that changes them.
 */
export const make = (database: Database["Service"]): DeliveryQueue["Service"]["record"] => {
  const { dialect } = database
  const locked = database.all(operation, WebhookRow)
  const existing = database.all(operation, Column.Key)
  const moved = database.all(operation, MovedRow)
  const run = database.run(operation)
  const append = AuditStatement.make(database, operation)
  const cancel = DeliveryCancellation.make(database, operation)

  const lockText = `SELECT id, url, status FROM webhook WHERE ${dialect.isOneOf("id", "?1")} AND deleted_at IS NULL
    ORDER BY id${dialect.forUpdate("webhook")}${dialect.isConcurrent ? " SKIP LOCKED" : ""}`

  const existingText = `SELECT id FROM webhook WHERE ${dialect.isOneOf("id", "?1")} AND deleted_at IS NULL`

  // Only where transactions are concurrent. It locks the rows in order and does not change which rows match.
  const inOrder = dialect.isConcurrent
    ? ` AND ${dialect.lockedInOrder(
        "webhook_delivery",
        `id IN (SELECT id FROM ${dialect.records("own", "?1", { id: "integer" })})`
      )}`
    : ""

  const moveText = `UPDATE webhook_delivery
    SET state = record.state, due_at = record.due_at, ready_account_id = NULL, lease_owner = NULL, kind = 'automatic', claims = 0,
      results = results + record.counted, attempts = attempts + 1
    FROM ${dialect.records("record", "?1", {
      id: "integer",
      lease_id: "text",
      state: "text",
      due_at: "time",
      counted: "integer"
    })}
    WHERE webhook_delivery.id = record.id AND webhook_delivery.state = 'leased'
      AND webhook_delivery.lease_id = record.lease_id${inOrder}
    RETURNING webhook_delivery.id, webhook_delivery.lease_id, account_id, attempts`

  const attemptsText = `INSERT INTO webhook_attempt
      (account_id, delivery_id, number, kind, started_at, duration_ms, status_code, error, response_body)
    SELECT record.account_id, record.delivery_id, record.number, record.kind, record.started_at, record.duration_ms, record.status_code,
      record.error, record.response_body
    FROM ${dialect.records("record", "?1", {
      account_id: "integer",
      delivery_id: "integer",
      number: "integer",
      kind: "text",
      started_at: "time",
      duration_ms: "integer",
      status_code: "integer",
      error: "text",
      response_body: "text"
    })}`

  const webhooksText = `UPDATE webhook SET
      status = record.status,
      last_delivery_at = ?2,
      last_success_at = CASE WHEN record.succeeded THEN ?2 ELSE last_success_at END,
      last_failure_at = CASE WHEN record.failed THEN ?2 ELSE last_failure_at END,
      last_failure_status = CASE WHEN record.failed THEN record.failure_status ELSE last_failure_status END,
      consecutive_failures = CASE WHEN record.succeeded THEN 0 ELSE consecutive_failures END + record.failures
    FROM ${dialect.records("record", "?1", {
      webhook_id: "integer",
      status: "text",
      succeeded: "flag",
      failed: "flag",
      failure_status: "integer",
      failures: "integer"
    })}
    WHERE webhook.id = record.webhook_id`

  /** Returns the keys of the results whose webhook still exists and was skipped because it was locked. */
  const keysOfSkipped = Effect.fnUntraced(function* (results: ReadonlyArray<DeliveryResult>) {
    if (results.length === 0 || !dialect.isConcurrent) return []
    const webhooks = new Set((yield* existing(existingText, [idsOf(results)])).map(({ id }) => id))
    return results.filter(({ webhookId }) => webhooks.has(webhookId)).map(({ key }) => key)
  })

  const recordLocked = Effect.fnUntraced(function* (
    webhooks: ReadonlyArray<typeof WebhookRow.Type>,
    given: ReadonlyArray<DeliveryResult>,
    now: DateTime.Utc
  ) {
    if (given.length === 0) return []
    const rows = yield* moved(moveText, [
      JSON.stringify(
        given.map(({ key, kind, leaseId, next }) => ({
          id: key,
          lease_id: leaseId,
          state: next.state,
          due_at: next.state === "pending" ? dialect.time(next.dueAt) : null,
          counted: kind === "automatic" ? 1 : 0
        }))
      )
    ])
    const movedRows = new Map(rows.map((row) => [row.id, row]))
    const recorded = given.flatMap((result) => {
      const row = movedRows.get(result.key)
      return row?.leaseId === result.leaseId ? [{ ...result, number: row.attempts, accountId: row.accountId }] : []
    })
    if (recorded.length === 0) return []
    yield* run(attemptsText, [
      JSON.stringify(
        recorded.map(({ accountId, attempt, key, kind, number, responseBody }) => ({
          account_id: accountId,
          delivery_id: key,
          number,
          kind,
          started_at: dialect.time(attempt.startedAt),
          duration_ms: attempt.durationMs,
          status_code: attempt.statusCode,
          error: attempt.error,
          response_body: responseBody
        }))
      )
    ])
    yield* run(webhooksText, [JSON.stringify(shown(webhooks, recorded)), dialect.time(now)])
    const disabling = recorded.filter((result) => result.webhookStatus === "disabled")
    for (const id of new Set(disabling.map((result) => result.webhookId))) yield* cancel(id)
    for (const { id, status } of webhooks) {
      const first = disabling.find(({ webhookId }) => webhookId === id)
      // A status that this version does not know is treated as enabled.
      if (first === undefined || status === "disabled") continue
      yield* append(DisabledWebhook.auditEntry({ accountId: first.accountId, id, status }, now))
    }
    return recorded.map((result) => result.key)
  })

  return Effect.fnUntraced(function* (results, now) {
    const webhooks = yield* locked(lockText, [idsOf(results)])
    const given = ofLocked(webhooks, distinct(results))
    const lockedIds = new Set<number>(webhooks.map(({ id }) => id))
    const deferred = yield* keysOfSkipped(results.filter(({ webhookId }) => !lockedIds.has(webhookId)))
    return { recorded: yield* recordLocked(webhooks, given, now), deferred }
  }, database.atomically(operation))
}

/** Returns the ids of the webhooks of results as a JSON array. */
const idsOf = (results: ReadonlyArray<DeliveryResult>): string =>
  JSON.stringify([...new Set(results.map(({ webhookId }) => webhookId))])

/** Returns the first result of each delivery under each lease. */
const distinct = (results: ReadonlyArray<DeliveryResult>): ReadonlyArray<DeliveryResult> => {
  const seen = new Map<number, Array<string>>()
  return results.filter(({ key, leaseId }) => {
    const leases = seen.get(key)
    if (leases === undefined) seen.set(key, [leaseId])
    else if (leases.includes(leaseId)) return false
    else leases.push(leaseId)
    return true
  })
}

/**
 * Returns the results of the locked webhooks. A result of a URL that the webhook no longer has does not change the
 * status of the webhook (D-DEL-13).
 */
const ofLocked = (
  webhooks: ReadonlyArray<typeof WebhookRow.Type>,
  results: ReadonlyArray<DeliveryResult>
): ReadonlyArray<DeliveryResult> => {
  const urls = new Map(webhooks.map(({ id, url }) => [id, url]))
  return results
    .filter(({ webhookId }) => urls.has(webhookId))
    .map((result) => (result.url === urls.get(result.webhookId) ? result : { ...result, webhookStatus: null }))
}

/** Returns what webhooks show after their results have been applied in order. */
const shown = (
  webhooks: ReadonlyArray<typeof WebhookRow.Type>,
  results: ReadonlyArray<DeliveryResult>
): ReadonlyArray<Shown> => {
  const byWebhook = Map.groupBy(results, ({ webhookId }) => webhookId)
  return webhooks.flatMap(({ id, status }) => {
    const own = byWebhook.get(id)
    return own === undefined ? [] : [own.reduce(after, { webhook_id: id, status, ...nothing })]
  })
}

interface Shown {
  readonly webhook_id: WebhookId
  readonly status: string
  readonly succeeded: boolean
  readonly failed: boolean
  readonly failure_status: number | null
  /** The failures since the last success among the results. */
  readonly failures: number
}

const nothing = { succeeded: false, failed: false, failure_status: null, failures: 0 }

const after = (before: Shown, result: DeliveryResult): Shown => {
  const { attempt } = result
  const status = RetryPlan.statusAfter(before.status, result)
  return attempt.error === null
    ? { ...before, status, succeeded: true, failures: 0 }
    : { ...before, status, failed: true, failure_status: attempt.statusCode, failures: before.failures + 1 }
}
