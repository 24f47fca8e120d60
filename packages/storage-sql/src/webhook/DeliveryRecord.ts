import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { DeliveryResult } from "@frontdesk/core/webhook/Delivery"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as Cancel from "./Cancel.ts"
import * as Deleted from "./Deleted.ts"

const operation = "DeliveryQueue.record"

const MovedRow = Schema.Struct({ id: Schema.Int, leaseId: Schema.String, attempts: Schema.Int })

/**
 * Records results with three statements, however many there are: the deliveries whose lease is still held move on,
 * their attempts are added, and each webhook shows what became of its own. A webhook that is disabled by one has the
 * rest of its deliveries cancelled. Results of one webhook that went to several URLs, as happens when that changes, need
 * the third statement once for each.
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
  const hasUrl = database.first(operation, Column.Found)
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
      AND webhook_delivery.lease_id = record.lease_id AND webhook_delivery.webhook_id NOT IN ${Deleted.webhooks}
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
      status = CASE WHEN webhook.status = 'disabled' OR webhook.url <> record.url THEN webhook.status
        ELSE coalesce(record.status, webhook.status) END,
      last_delivery_at = ?2,
      last_success_at = CASE WHEN record.succeeded THEN ?2 ELSE last_success_at END,
      last_failure_at = CASE WHEN record.failed THEN ?2 ELSE last_failure_at END,
      last_failure_status = CASE WHEN record.failed THEN record.failure_status ELSE last_failure_status END,
      consecutive_failures = CASE WHEN record.succeeded THEN 0 ELSE consecutive_failures END + record.failures
    FROM ${dialect.records("record", "?1", {
      webhook_id: "integer",
      url: "text",
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
    for (const webhooks of shown(recorded)) {
      yield* run(webhooksText, [JSON.stringify(webhooks), dialect.time(now)])
      for (const { status, url, webhook_id } of webhooks) {
        if (status !== "disabled") continue
        const still = yield* hasUrl("SELECT 1 AS found FROM webhook WHERE id = ?1 AND url = ?2", [webhook_id, url])
        if (Option.isSome(still)) yield* cancel(webhook_id)
      }
    }
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

/** What webhooks show after results, one after the other: in each round a webhook has one URL. */
const shown = (results: ReadonlyArray<DeliveryResult>) => {
  const rounds: Array<Map<DeliveryResult["webhookId"], Shown>> = []
  for (const result of results) {
    const { url, webhookId } = result
    // In the first round in which no other URL of the webhook stands, nor in one after it: the order is kept.
    let index = rounds.findLastIndex((round) => round.has(webhookId))
    if (index < 0) index = 0
    else if (rounds[index]?.get(webhookId)?.url !== url) index += 1
    const round = rounds[index] ?? new Map<DeliveryResult["webhookId"], Shown>()
    rounds[index] = round
    round.set(webhookId, after(round.get(webhookId), result))
  }
  return rounds.map((round) => [...round].map(([webhook_id, state]) => ({ webhook_id, ...state })))
}

interface Shown {
  readonly url: string
  readonly status: DeliveryResult["webhookStatus"]
  readonly succeeded: boolean
  readonly failed: boolean
  readonly failure_status: number | null
  /** Since the last success among the results. */
  readonly failures: number
}

const nothing: Omit<Shown, "url"> = { status: null, succeeded: false, failed: false, failure_status: null, failures: 0 }

const after = (before: Omit<Shown, "url"> = nothing, { attempt, url, webhookStatus }: DeliveryResult): Shown => {
  // Disabled is for good.
  const status = before.status === "disabled" ? before.status : (webhookStatus ?? before.status)
  return attempt.error === null
    ? { ...before, url, status, succeeded: true, failures: 0 }
    : { ...before, url, status, failed: true, failure_status: attempt.statusCode, failures: before.failures + 1 }
}
