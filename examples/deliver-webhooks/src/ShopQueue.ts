import { AccountId } from "@frontdesk/core/access/Account"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { type ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { type ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DatabaseSync } from "node:sqlite"
import { atomically } from "./Shop.ts"

const DueRow = Schema.Struct({
  key: Schema.Int,
  delivery_id: DeliveryId,
  endpoint_id: WebhookId,
  url: Schema.String,
  secret: Schema.RedactedFromValue(Schema.String),
  event: Schema.String,
  body: Schema.Uint8Array,
  due_at: Schema.DateTimeUtcFromMillis,
  results: Schema.Int,
  claims: Schema.Int
})

const decodeRows = Schema.decodeUnknownSync(Schema.Array(DueRow))

const decodeDue = Schema.decodeUnknownSync(Schema.Struct({ due: Schema.NullOr(Schema.DateTimeUtcFromMillis) }))

/** The shop has a single account: itself. */
const shop = AccountId.make(1)

/** The `DeliveryQueue` on the table `message`. Each call is one transaction. */
export const layer = (database: DatabaseSync): Layer.Layer<DeliveryQueue> => {
  // A leased message is due again when its lease ends. A message that was never tried waits until every earlier message
  // about the same subject has had an attempt.
  const due =
    database.prepare(`SELECT message.id AS key, delivery_id, endpoint_id, url, secret, event, body, due_at, results,
      claims
    FROM message JOIN endpoint ON endpoint.id = endpoint_id
    WHERE due_at <= ? AND (results > 0 OR NOT EXISTS (
      SELECT 1 FROM message AS earlier WHERE earlier.endpoint_id = message.endpoint_id
        AND earlier.subject = message.subject AND earlier.due_at IS NOT NULL AND earlier.results = 0
        AND earlier.id < message.id
    ))
    ORDER BY due_at, message.id`)
  const lease = database.prepare(
    "UPDATE message SET state = 'leased', due_at = ?, lease_id = ?, lease_owner = ?, claims = claims + 1 WHERE id = ?"
  )
  const current = database.prepare(
    `SELECT 1 FROM message JOIN endpoint ON endpoint.id = endpoint_id
      WHERE message.id = ? AND state = 'leased' AND lease_id = ? AND url = ?`
  )
  const record = database.prepare(
    `UPDATE message SET state = ?, due_at = ?, results = results + 1, claims = 0, lease_id = NULL, last_error = ?
      WHERE id = ? AND lease_id = ?`
  )
  const disable = database.prepare("UPDATE endpoint SET is_gone = 1 WHERE id = ?")
  const cancel = database.prepare(
    "UPDATE message SET state = 'cancelled', due_at = NULL, lease_id = NULL WHERE endpoint_id = ? AND due_at IS NOT NULL"
  )
  const postpone = database.prepare(
    "UPDATE message SET state = 'pending', due_at = ?, lease_id = NULL, claims = claims - 1 WHERE id = ? AND lease_id = ?"
  )
  const release = database.prepare(
    "UPDATE message SET state = 'pending', due_at = ?, lease_id = NULL WHERE lease_owner = ? AND state = 'leased'"
  )
  const next = database.prepare("SELECT min(due_at) AS due FROM message WHERE due_at > ?")
  const oldest = database.prepare("SELECT min(due_at) AS due FROM message WHERE due_at IS NOT NULL")

  const step = <A>(operation: string, work: () => A): Effect.Effect<A, StorageError> =>
    Effect.try({
      try: () => atomically(database, work),
      catch: (cause) => new StorageError({ reason: "unavailable", operation, cause })
    })

  const claim = (request: ClaimRequest): ReadonlyArray<ClaimedDelivery> => {
    const takenPlaces = new Map(request.takenPlaces)
    const claimed: Array<ClaimedDelivery> = []
    for (const row of decodeRows(due.all(DateTime.toEpochMillis(request.now)))) {
      const count = takenPlaces.get(row.endpoint_id) ?? 0
      if (claimed.length === request.limit) break
      if (count >= request.perWebhook) continue
      takenPlaces.set(row.endpoint_id, count + 1)
      lease.run(DateTime.toEpochMillis(request.leaseUntil), request.leaseId, request.owner, row.key)
      claimed.push({
        key: row.key,
        id: row.delivery_id,
        leaseId: request.leaseId,
        accountId: shop,
        webhookId: row.endpoint_id,
        url: row.url,
        secrets: { current: row.secret, previous: null },
        eventName: row.event,
        body: row.body,
        dueAt: row.due_at,
        results: row.results,
        claims: row.claims + 1,
        kind: "automatic"
      })
    }
    return claimed
  }

  return Layer.succeed(
    DeliveryQueue,
    DeliveryQueue.of({
      claim: (request) => step("claim", () => claim(request)),
      isCurrent: ({ key, leaseId, url }) => step("isCurrent", () => current.get(key, leaseId, url) !== undefined),
      record: (results) =>
        step("record", () => {
          const recorded = results.filter(({ attempt, key, leaseId, next }) => {
            const dueAt = next.state === "pending" ? DateTime.toEpochMillis(next.dueAt) : null
            return record.run(next.state, dueAt, attempt.error, key, leaseId).changes > 0
          })
          for (const { webhookId, webhookStatus } of recorded) {
            if (webhookStatus !== "disabled") continue
            disable.run(webhookId)
            cancel.run(webhookId)
          }
          return { recorded: recorded.map(({ key }) => key), deferred: [] }
        }),
      postpone: (keys, leaseId, dueAt) =>
        step("postpone", () => {
          for (const key of keys) postpone.run(DateTime.toEpochMillis(dueAt), key, leaseId)
        }),
      release: (owner, now) => step("release", () => Number(release.run(DateTime.toEpochMillis(now), owner).changes)),
      nextDue: (after) =>
        step("nextDue", () => Option.fromNullOr(decodeDue(next.get(DateTime.toEpochMillis(after))).due)),
      oldestDue: step("oldestDue", () => Option.fromNullOr(decodeDue(oldest.get()).due))
    })
  )
}
