import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery } from "@frontdesk/core/webhook/Delivery"
import type { ClaimRequest } from "@frontdesk/core/webhook/DeliveryQueue"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { ClaimedRow, claimedText, toClaimed } from "./ClaimedRow.ts"
import * as ClaimText from "./ClaimText.ts"
import * as Deleted from "./Deleted.ts"
import * as Room from "./Room.ts"

/** How many deliveries, the longest due first, a claim looks at before it goes through the endpoints one by one. */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/webhook/DeliveryClaim/FrontLength", {
  defaultValue: () => 1024
})

/** How many of those it looks at first: most often they are enough. */
const beginning = 256

const operation = "DeliveryQueue.claim"

/**
 * Takes deliveries, in one transaction.
 *
 * Most often the beginning of the queue fills the claim, and reading that is enough. When one endpoint has clogged the
 * front, what it has no room for is passed over by going through the endpoints instead: that costs a step for each of
 * them, however long its backlog.
 *
 * What was leased and cannot be sent is set aside at once, so that what stands behind it goes on.
 */
export const make = (
  database: Database["Service"],
  frontLength: number
): ((request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>) => {
  const { dialect } = database
  const candidates = database.all(operation, Room.Candidate)
  const found = database.first(operation, Column.Found)
  const run = database.run(operation)
  const claimed = database.sound(operation, ClaimedRow)
  const [front, everywhere, lease, claimedStatement] = [
    ClaimText.front(dialect),
    ClaimText.everywhere(dialect),
    ClaimText.lease(dialect),
    claimedText(dialect)
  ]
  const asideText = `UPDATE webhook_delivery
    SET state = CASE WHEN webhook_id IN ${Deleted.webhooks} THEN 'cancelled' ELSE 'failed' END,
      due_at = NULL, lease_owner = NULL, in_line = FALSE
    WHERE id IN ${dialect.numbers("?1")} AND state = 'leased' AND lease_id = ?2`

  /** Where the stretches end in which the front is looked at. */
  const ends = new Set([Math.min(beginning, frontLength), frontLength])

  const choose = Effect.fnUntraced(function* (request: ClaimRequest) {
    const now = dialect.time(request.now)
    const room = Room.make(request)
    let from = 0
    for (const to of ends) {
      room.take(yield* candidates(front, [now, from, to - from, JSON.stringify(room.fullWebhooks())]))
      if (room.isFull()) return room.taken()
      if (Option.isNone(yield* found(ClaimText.isLonger, [now, to]))) return room.taken()
      from = to
    }
    room.take(
      yield* candidates(everywhere, [now, room.enough(), JSON.stringify(room.fullWebhooks()), request.perWebhook])
    )
    return room.taken()
  })

  return Effect.fnUntraced(function* (request) {
    const keys = yield* choose(request)
    if (keys.length === 0) return []
    const { leaseId, leaseUntil, now, owner } = request
    const chosen = JSON.stringify(keys)
    yield* run(lease, [dialect.time(now), dialect.time(leaseUntil), leaseId, owner, chosen])
    const rows = yield* claimed(claimedStatement, [chosen, leaseId])
    if (rows.length < keys.length) {
      const sound = new Set(rows.map((row) => row.id))
      yield* run(asideText, [JSON.stringify(keys.filter((key) => !sound.has(key))), leaseId])
    }
    return rows.map(toClaimed)
  }, database.atomically(operation))
}
