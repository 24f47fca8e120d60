import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery } from "@frontdesk/core/webhook/Delivery"
import type { ClaimRequest } from "@frontdesk/core/webhook/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { ClaimedRow, claimedText, toClaimed } from "./ClaimedRow.ts"
import * as ClaimText from "./ClaimText.ts"

/** How many deliveries, the longest due first, a claim looks at before it goes through the endpoints one by one. */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/webhook/DeliveryClaim/FrontLength", {
  defaultValue: () => 1024
})

const operation = "DeliveryQueue.claim"

const LeasedRow = Schema.Struct({ id: Schema.Int, webhookId: WebhookId })

type Leased = ReadonlyArray<typeof LeasedRow.Type>

/**
 * Takes deliveries, in one transaction.
 *
 * Most often the front of the queue fills the claim, and reading that is enough. When one endpoint has clogged the
 * front, what it has no room for is passed over by going through the endpoints instead: that costs a step for each of
 * them, however long its backlog.
 */
export const make = (
  database: Database["Service"],
  frontLength: number
): ((request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>) => {
  const { dialect } = database
  const leased = database.all(operation, LeasedRow)
  const found = database.first(operation, Column.Found)
  const claimed = database.sound(operation, ClaimedRow)
  const [front, everywhere, claimedStatement] = [
    ClaimText.front(dialect, frontLength),
    ClaimText.everywhere(dialect),
    claimedText(dialect)
  ]

  const lease = (text: string, request: ClaimRequest, taken: Leased) =>
    leased(text, [
      dialect.time(request.now),
      dialect.time(request.leaseUntil),
      request.leaseId,
      request.owner,
      request.limit - taken.length,
      request.perWebhook,
      JSON.stringify(inFlight(request, taken))
    ])

  /** Whether there is something due behind the front, of which so many have been taken. */
  const isMoreDue = (request: ClaimRequest, taken: Leased) =>
    Effect.map(
      found("SELECT id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT 1 OFFSET ?2", [
        dialect.time(request.now),
        frontLength - taken.length
      ]),
      Option.isSome
    )

  return Effect.fnUntraced(function* (request) {
    const first = yield* lease(front, request, [])
    const more =
      first.length < request.limit && (yield* isMoreDue(request, first)) ? yield* lease(everywhere, request, first) : []
    const keys = [...first, ...more].map((row) => row.id)
    if (keys.length === 0) return []
    const rows = yield* claimed(claimedStatement, [JSON.stringify(keys), request.leaseId])
    return rows.map(toClaimed)
  }, database.atomically(operation))
}

/** What is in flight when so much has been taken. */
const inFlight = (request: ClaimRequest, taken: Leased) => {
  const counts = new Map(request.inFlight)
  for (const { webhookId } of taken) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
  return [...counts].map(([webhook_id, count]) => ({ webhook_id, count }))
}
