import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Context from "effect/Context"
import type { Database } from "../storage/Database.ts"
import * as ConcurrentClaim from "./ConcurrentClaim.ts"
import * as ExclusiveClaim from "./ExclusiveClaim.ts"

/** How many deliveries, the longest due first, a claim looks at before it goes through the endpoints one by one. */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/delivery/DeliveryClaim/FrontLength", {
  defaultValue: () => 1024
})

/** How many of those it looks at first: most often they are enough. */
const beginning = 256

/** How many before that when no more than a quarter of them is wanted, as when places come free one by one. */
const few = 64

const operation = "DeliveryQueue.claim"

/**
 * Takes deliveries.
 *
 * Most often the beginning of the queue fills the claim, and reading that is enough. When one endpoint has clogged the
 * front, what it has no room for is passed over by going through the endpoints instead: that costs a step for each of
 * them, however long its backlog.
 */
export const make = (database: Database["Service"], frontLength: number): DeliveryQueue["Service"]["claim"] => {
  const lengths = [...new Set([Math.min(beginning, frontLength), frontLength])]
  /** How far the front is looked at, one after the other. */
  const windows = (limit: number) => (4 * limit <= few && few < frontLength ? [few, ...lengths] : lengths)
  const claim = database.dialect.isConcurrent ? ConcurrentClaim : ExclusiveClaim
  return claim.make(database, operation, windows)
}
