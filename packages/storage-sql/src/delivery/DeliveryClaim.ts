import type { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import type { Database } from "../storage/Database.ts"
import * as ConcurrentClaim from "./ConcurrentClaim.ts"
import * as ExclusiveClaim from "./ExclusiveClaim.ts"

const operation = "DeliveryQueue.claim"

/**
 * Returns the claim of deliveries.
 *
 * While few deliveries are due, a claim examines all of them. Otherwise it walks from account to account, and from
 * webhook to webhook (`DeliveryWalk`), so that the backlog of one account hides no other. A walk has a limited number of
 * steps, and the next claim of the process continues it. So the cost of a claim depends on what is claimed.
 */
export const make = (database: Database["Service"], frontLength: number): DeliveryQueue["Service"]["claim"] => {
  const claim = database.dialect.isConcurrent ? ConcurrentClaim : ExclusiveClaim
  return claim.make(database, operation, frontLength)
}
