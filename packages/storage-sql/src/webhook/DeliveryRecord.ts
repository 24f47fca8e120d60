import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { DeliveryResult } from "@frontdesk/core/webhook/Delivery"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"
import * as Cancel from "./Cancel.ts"

const operation = "DeliveryQueue.record"

const MovedRow = Schema.Struct({ id: Schema.Int, leaseId: Schema.String, attempts: Schema.Int })

/**
 * Records results with three statements, however many there are: the deliveries whose lease is still held move on,
 * their attempts are added, and each webhook shows what became of its own. A webhook that is disabled by one has the
 * rest of its deliveries cancelled.
 */
export const make = (
  database: Database["Service"]
): ((
  results: ReadonlyArray<DeliveryResult>,
  now: DateTime.Utc
) => Effect.Effect<ReadonlyArray<number>, StorageError>) => {
  const { dialect } = database
  const moved = database.all(operation, MovedRow)
  const run = database.run(operation)
  const cancel = Cancel.make(database, operation)

  const moveText = `UPDATE webhook_delivery
    SET state = record.state, due_at = record.due_at, lease_owner = NULL, kind = 'automatic', claims = 0,
      results = results + record.counted, attempts = attempts + 1
    FROM ${dialect.records("record", "?1", {
      id: "integer",
      lease_id: "text",
      state: "text",
      due_at: "time",
      counted: "integer"
    })}
    WHERE webhook_delivery.id = record.id AND webhook_delivery.state = 'leased'
      AND webhook_delivery.lease_id = record.lease_id
    RETURNING webhook_delivery.id, webhook_delivery.lease_id, attempts`

  const attemptsText = `INSERT INTO webhook_attempt
      (delivery_id, number, kind, started_at, duration_ms, status_code, error, response_body)
    SELECT record.delivery_id, record.number, record.kind, record.started_at, record.duration_ms, record.status_code,
      record.error, record.response_body
    FROM ${dialect.records("record", "?1", {
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
      status = CASE WHEN webhook.status = 'disabled' THEN webhook.status ELSE coalesce(record.status, webhook.status) END,
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

  return Effect.fnUntraced(function* (results, now) {
    const given = distinct(results)
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
    const numbers = new Map(rows.map((row) => [leaseOf(row.id, row.leaseId), row.attempts]))
    const recorded = given.filter((result) => numbers.has(leaseOf(result.key, result.leaseId)))
    if (recorded.length === 0) return []
    yield* run(attemptsText, [
      JSON.stringify(
        recorded.map(({ attempt, key, kind, leaseId, responseBody }) => ({
          delivery_id: key,
          number: numbers.get(leaseOf(key, leaseId)),
          kind,
          started_at: dialect.time(attempt.startedAt),
          duration_ms: attempt.durationMs,
          status_code: attempt.statusCode,
          error: attempt.error,
          response_body: responseBody
        }))
      )
    ])
    const webhooks = shown(recorded)
    yield* run(webhooksText, [JSON.stringify(webhooks), dialect.time(now)])
    for (const { status, webhook_id } of webhooks) if (status === "disabled") yield* cancel(webhook_id)
    return recorded.map((result) => result.key)
  }, database.atomically(operation))
}

const leaseOf = (key: number, leaseId: string): string => `${key} ${leaseId}`

/** One result for each lease: the first. */
const distinct = (results: ReadonlyArray<DeliveryResult>): ReadonlyArray<DeliveryResult> => {
  const first = new Map<string, DeliveryResult>()
  for (const result of results) {
    const lease = leaseOf(result.key, result.leaseId)
    if (!first.has(lease)) first.set(lease, result)
  }
  return [...first.values()]
}

/** What webhooks show after results, one after the other. */
const shown = (results: ReadonlyArray<DeliveryResult>) => {
  const webhooks = new Map<DeliveryResult["webhookId"], Shown>()
  for (const result of results) webhooks.set(result.webhookId, after(webhooks.get(result.webhookId), result))
  return [...webhooks].map(([webhook_id, state]) => ({ webhook_id, ...state }))
}

interface Shown {
  readonly status: DeliveryResult["webhookStatus"]
  readonly succeeded: boolean
  readonly failed: boolean
  readonly failure_status: number | null
  /** Since the last success among the results. */
  readonly failures: number
}

const nothing: Shown = { status: null, succeeded: false, failed: false, failure_status: null, failures: 0 }

const after = (before: Shown = nothing, { attempt, webhookStatus }: DeliveryResult): Shown => {
  // Disabled is for good.
  const status = before.status === "disabled" ? before.status : (webhookStatus ?? before.status)
  return attempt.error === null
    ? { ...before, status, succeeded: true, failures: 0 }
    : { ...before, status, failed: true, failure_status: attempt.statusCode, failures: before.failures + 1 }
}
