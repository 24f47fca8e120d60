import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Context from "effect/Context"
import type { Database } from "../storage/Database.ts"
import * as ConcurrentClaim from "./ConcurrentClaim.ts"
import * as ExclusiveClaim from "./ExclusiveClaim.ts"

/**
 * How many deliveries at the front of the queue, earliest due first, a claim examines before it goes through the
 * webhooks one by one.
 */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/delivery/DeliveryClaim/FrontLength", {
  defaultValue: () => 1024
})

/** How many deliveries at the front of the queue a claim examines first. Usually these are enough. */
const firstWindow = 256

/**
 * How many deliveries a claim examines before that if it wants at most half as many. Such claims are frequent, because
 * capacity often becomes free for one delivery at a time. On PostgreSQL, examining many deliveries costs more than
 * leasing few.
 */
const smallWindow = 64

const operation = "DeliveryQueue.claim"

/**
 * Returns the claim of deliveries.
 *
 * Usually the front of the queue fills a claim, and reading the front is enough. When the backlog of one webhook
 * occupies the front, the claim goes through the webhooks instead. That costs one step for each webhook, however long
 * its backlog is.
 */
export const make = (database: Database["Service"], frontLength: number): DeliveryQueue["Service"]["claim"] => {
  const lengths = [...new Set([Math.min(firstWindow, frontLength), frontLength])]
  /** Returns how many deliveries at the front of the queue have been examined after each step. */
  const windows = (limit: number) =>
    2 * limit <= smallWindow && smallWindow < frontLength ? [smallWindow, ...lengths] : lengths
  const claim = database.dialect.isConcurrent ? ConcurrentClaim : ExclusiveClaim
  return claim.make(database, operation, windows)
}
