import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { DeliveryResult } from "@frontdesk/core/webhook/Delivery"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"

const operation = "DeliveryStore.record"

const RecordedRow = Schema.Struct({ id: Schema.Int, attempts: Schema.Int })

/**
 * Records results with three statements, however many there are: the deliveries whose lease is still held move on,
 * their attempts are added, and each webhook shows what became of its own.
 */
export const make = (
  database: Database["Service"]
): ((
  results: ReadonlyArray<DeliveryResult>,
  now: DateTime.Utc
) => Effect.Effect<ReadonlyArray<number>, StorageError>) => {
  const { dialect } = database
  const moved = database.all(operation, RecordedRow)
  const run = database.run(operation)

  const moveText = `UPDATE webhook_delivery
    SET state = record.state, due_at = record.due_at, lease_id = NULL, lease_owner = NULL, kind = 'automatic',
      claims = 0, results = results + record.counted, attempts = attempts + 1
    FROM ${dialect.records("record", "?1", {
      id: "integer",
      lease_id: "text",
      state: "text",
      due_at: "time",
      counted: "integer"
    })}
    WHERE webhook_delivery.id = record.id AND webhook_delivery.state = 'leased'
      AND webhook_delivery.lease_id = record.lease_id
    RETURNING webhook_delivery.id, attempts`

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
      status = CASE WHEN status = 'disabled' THEN status ELSE coalesce(record.status, status) END,
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

  return Effect.fnUntraced(
    function* (results, now) {
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
      const numbers = new Map(rows.map((row) => [row.id, row.attempts]))
      // A key is leased under one id alone, so a row that moved names its result.
      const recorded = given.filter((result) => numbers.has(result.key))
      if (recorded.length === 0) return []
      yield* run(attemptsText, [
        JSON.stringify(
          recorded.map(({ attempt, key, kind, responseBody }) => ({
            delivery_id: key,
            number: numbers.get(key),
            kind,
            started_at: dialect.time(attempt.startedAt),
            duration_ms: attempt.durationMs,
            status_code: attempt.statusCode,
            error: attempt.error,
            response_body: responseBody
          }))
        )
      ])
      yield* run(webhooksText, [JSON.stringify(shown(recorded)), dialect.time(now)])
      return recorded.map((result) => result.key)
    },
    database.atomically(operation)
  )
}
